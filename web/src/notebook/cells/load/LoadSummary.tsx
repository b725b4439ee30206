import { Pencil, RefreshCw } from "lucide-react";
import { useRef } from "react";
import type { LiveCell } from "../../../api/live";
import { useSources } from "../../../api/queries";
import { Button } from "../../../app/Button";
import { notifyError } from "../../../app/toasts";
import { messageOf } from "../../../api/errors";
import { upload } from "../../../api/upload";
import { counted } from "../../../grid/sizes";
import { useNotebookContext } from "../../context";
import { textOf } from "../../kinds";
import type { CellDraft } from "../../useCellDraft";
import { keyOf, sourceOf } from "./source";
import { placeText, readText } from "./summary";

interface LoadSummaryProps {
  cell: LiveCell;
  draft: CellDraft;
  onEdit: () => void;
}

/** What was loaded, in a line. */
export function LoadSummary({ cell, draft, onEdit }: LoadSummaryProps) {
  const { actions, project } = useNotebookContext();
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
    draft.change({ ...changes, previous: shown?.id ?? "" });
    await actions.saveAndRun(cell.handle, true);
  };
  const replace = async (chosen: File | undefined) => {
    if (!chosen) return;
    try {
      const uploaded = await upload(project, chosen, () => undefined);
      await reload({ file: uploaded.artifact, file_name: uploaded.name });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
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
      <Button onClick={onEdit}>
        <Pencil size={13} aria-hidden /> Edit…
      </Button>
      <Button onClick={() => (isUpload ? file.current?.click() : void reload())}>
        <RefreshCw size={13} aria-hidden /> Reload{isUpload && "…"}
      </Button>
      {isUpload && (
        <input
          ref={file}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          aria-label="File to upload"
          onChange={({ target }) => {
            void replace(target.files?.[0]);
            target.value = "";
          }}
        />
      )}
    </div>
  );
}
