import type { Ref } from "react";
import type { LiveCell } from "../api/live";
import type { EditorHandle } from "../editor/Editor";
import type { Scope } from "../editor/scope";
import { ExportCell } from "../exporting/ExportCell";
import { LoadCell } from "./cells/load/LoadCell";
import { MarkdownCell } from "./cells/MarkdownCell";
import { TextCell } from "./cells/TextCell";
import { TypesCell } from "./cells/TypesCell";
import type { CellDraft } from "./useCellDraft";

interface CellContentProps {
  ref: Ref<EditorHandle>;
  cell: LiveCell;
  draft: CellDraft;
  scope: Scope;
  editing: boolean;
  onRun: (goOn: boolean) => void;
}

/** The part of a cell that its kind decides. */
export function CellContent({ ref, cell, draft, scope, editing, onRun }: CellContentProps) {
  const shared = { ref, cell, draft, scope, onRun };
  switch (cell.kind) {
    case "markdown":
      return <MarkdownCell ref={ref} cell={cell} draft={draft} editing={editing} onRun={onRun} />;
    case "load":
      return (
        <div className="cell-card">
          <LoadCell cell={cell} draft={draft} />
        </div>
      );
    case "types":
      return (
        <div className="cell-card">
          <TypesCell draft={draft} scope={scope} />
        </div>
      );
    case "export":
      return (
        <div className="cell-card">
          <ExportCell draft={draft} scope={scope} />
        </div>
      );
    case "sql":
      return (
        <div className="cell-card">
          <TextCell
            {...shared}
            language="sql"
            parameter="query"
            label="SQL query"
            hint="SELECT … FROM a dataset above"
          />
        </div>
      );
    case "python":
      return (
        <div className="cell-card">
          <TextCell
            {...shared}
            language="python"
            parameter="code"
            label="Python code"
            hint="Datasets above are data frames here"
          />
        </div>
      );
    default:
      return <p className="cell-empty">This version of the app can’t show cells of kind “{cell.kind}”.</p>;
  }
}
