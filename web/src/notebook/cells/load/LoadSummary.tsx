import { Pencil, RefreshCw } from "lucide-react";
import { useRef } from "react";
import type { LiveCell } from "../../../api/live";
import { useSources } from "../../../api/queries";
import { Button } from "../../../app/Button";
import { counted } from "../../../grid/sizes";
import { useNotebookContext } from "../../context";
import { textOf } from "../../kinds";
import type { CellDraft } from "../../useCellDraft";
import { Sending } from "./Sending";
import { keyOf, sourceOf } from "./source";
import { placeText, readText } from "./summary";
import { useUpload } from "./useUpload";

interface LoadSummaryProps {
  cell: LiveCell;
  draft: CellDraft;
  onEdit: () => void;
}

/** What was loaded, in a line. */
export function LoadSummary({ cell, draft, onEdit }: LoadSummaryProps) {
  const { actions } = useNotebookContext();
  const file = useRef<HTMLInputElement>(null);
  const { parameters } = draft;
  const formats = useSources().data?.formats ?? [];
  const shown = cell.outputs.find(({ name }) => name === textOf(parameters, "name"))?.artifact;
  const key = keyOf(parameters);
  const parts = [
    readText(parameters, formats),
    key.length > 0 && `rows by ${key.join(", ")}`,
    shown && counted(shown.rows ?? 0, "row"),
  ];
  const reload = async (changes = {}) => {
    // What is shown now is what the new rows are compared with. What is elsewhere may have changed whenever it is asked.
    // After a reload that was cancelled nothing is shown, and what it was to be compared with still counts.
    draft.change({ ...changes, previous: shown?.id ?? textOf(parameters, "previous") });
    await actions.saveAndRun(cell.handle, true);
  };
  const { sent, send, stop } = useUpload((uploaded) => {
    void reload({ file: uploaded.artifact, file_name: uploaded.name });
  });
  const isUpload = sourceOf(parameters) === "file";
  return (
    <div className="load-summary">
      <strong>{textOf(parameters, "name")}</strong>
      <span className="load-summary-text">
        <span className="load-summary-place">{placeText(parameters)}</span>
        {parts.filter(Boolean).map((part) => (
          <span key={String(part)}>· {part}</span>
        ))}
      </span>
      {sent === null ? (
        <>
          <Button onClick={onEdit}>
            <Pencil size={13} aria-hidden /> Edit…
          </Button>
          <Button onClick={() => (isUpload ? file.current?.click() : void reload())}>
            <RefreshCw size={13} aria-hidden /> Reload{isUpload && "…"}
          </Button>
        </>
      ) : (
        <Sending fraction={sent} onStop={stop} />
      )}
      {isUpload && (
        <input
          ref={file}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          aria-label="File to upload"
          onChange={({ target }) => {
            void send(target.files?.[0]);
            target.value = "";
          }}
        />
      )}
    </div>
  );
}
