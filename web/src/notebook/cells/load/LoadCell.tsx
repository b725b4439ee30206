import { FileUp, FolderOpen } from "lucide-react";
import { useState } from "react";
import type { LiveCell } from "../../api/live";
import { useNotebookContext } from "../context";
import { textOf } from "../kinds";
import type { CellDraft } from "../useCellDraft";
import { optionsFor } from "./csv";
import { FilePicker } from "./FilePicker";
import { LoadOptions } from "./LoadOptions";
import "./LoadCell.css";

interface LoadCellProps {
  cell: LiveCell;
  draft: CellDraft;
}

/** A form for the file that becomes a dataset. */
export function LoadCell({ cell, draft }: LoadCellProps) {
  const { parameters } = draft;
  const [local, setLocal] = useState(textOf(parameters, "path") !== "");
  return (
    <div className="load">
      <div className="load-source">
        <div className="load-tabs" role="tablist" aria-label="Where the file is">
          <SourceTab chosen={!local} onChoose={() => setLocal(false)}>
            <FileUp size={14} aria-hidden /> Upload
          </SourceTab>
          <SourceTab chosen={local} onChoose={() => setLocal(true)}>
            <FolderOpen size={14} aria-hidden /> Path on the server
          </SourceTab>
        </div>
        {local ? <PathField draft={draft} /> : <UploadField cell={cell} draft={draft} />}
      </div>
      <LoadOptions draft={draft} />
    </div>
  );
}

interface SourceTabProps {
  chosen: boolean;
  onChoose: () => void;
  children: React.ReactNode;
}

function SourceTab({ chosen, onChoose, children }: SourceTabProps) {
  return (
    <button type="button" role="tab" aria-selected={chosen} className="load-tab" onClick={onChoose}>
      {children}
    </button>
  );
}

function PathField({ draft }: { draft: CellDraft }) {
  return (
    <input
      className="input load-path"
      aria-label="Path of the file"
      placeholder="~/data/sales.csv"
      spellCheck={false}
      value={textOf(draft.parameters, "path")}
      onChange={(event) => draft.change({ path: event.target.value, file: "", file_name: "" })}
    />
  );
}

function UploadField({ cell, draft }: LoadCellProps) {
  const { actions } = useNotebookContext();
  return (
    <FilePicker
      fileName={textOf(draft.parameters, "file_name")}
      onUploaded={(file, suggestedName) => {
        const firstFile = !textOf(draft.parameters, "file");
        const name = firstFile && suggestedName ? { name: suggestedName } : {};
        draft.change({
          file: file.artifact,
          file_name: file.name,
          path: "",
          options: optionsFor(file.name),
          ...name,
        });
        void actions.saveAndRun(cell.handle);
      }}
    />
  );
}
