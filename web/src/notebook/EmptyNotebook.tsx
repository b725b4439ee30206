import type { UploadedFile } from "../api/types";
import { FilePicker } from "./cells/load/FilePicker";
import { useNotebookContext } from "./context";
import { KINDS } from "./kinds";
import "./EmptyNotebook.css";

/** What a new notebook says: how to begin. */
export function EmptyNotebook() {
  const { actions, select } = useNotebookContext();
  const insert = async (kind: string) => {
    const handle = await actions.insert(kind, null);
    if (handle) select(handle, "edit");
  };
  const load = async (file: UploadedFile, name: string) => {
    const handle = await actions.insert("load", null);
    if (!handle) return;
    actions.fill(handle, { name, file: file.artifact, file_name: file.name });
    select(handle, "edit");
  };
  return (
    <div className="empty-notebook">
      <h2>Start with data</h2>
      <FilePicker fileName="" onUploaded={(file, name) => void load(file, name)} />
      <h3>or with a cell</h3>
      <div className="empty-kinds">
        {KINDS.filter(({ needsData }) => !needsData).map((kind) => (
          <button key={kind.kind} type="button" className="empty-kind" onClick={() => void insert(kind.kind)}>
            <kind.icon size={16} aria-hidden />
            <span>
              <strong>{kind.title}</strong>
              <small>{kind.purpose}</small>
            </span>
          </button>
        ))}
      </div>
      <p className="empty-hint">
        <kbd>B</kbd> inserts a cell, <kbd>Shift+Enter</kbd> runs it, <kbd>?</kbd> lists all keys.
      </p>
    </div>
  );
}
