import type { Ref } from "react";
import type { LiveCell } from "../../api/live";
import type { EditorHandle } from "../../editor/Editor";
import type { Scope } from "../../editor/scope";
import { useNotebookContext } from "../context";
import { textOf } from "../kinds";
import { Markdown } from "../outputs/Markdown";
import type { CellDraft } from "../useCellDraft";
import { TextCell } from "./TextCell";

interface MarkdownCellProps {
  ref: Ref<EditorHandle>;
  cell: LiveCell;
  draft: CellDraft;
  editing: boolean;
  onRun: (goOn: boolean) => void;
}

const NO_DATASETS: Scope = new Map();

/** Text, shown as it reads until somebody edits it. */
export function MarkdownCell({ ref, cell, draft, editing, onRun }: MarkdownCellProps) {
  const { select } = useNotebookContext();
  const text = textOf(draft.parameters, "text");
  if (editing) {
    return (
      <div className="cell-card">
        <TextCell
          ref={ref}
          cell={cell}
          draft={draft}
          scope={NO_DATASETS}
          language="markdown"
          parameter="text"
          label="Markdown text"
          hint="Markdown"
          onRun={onRun}
        />
      </div>
    );
  }
  return (
    <div className="cell-text" onDoubleClick={() => select(cell.handle, "edit")}>
      {text.trim() ? (
        <Markdown text={text} />
      ) : (
        <p className="cell-empty">Empty text. Double-click or press Enter to write.</p>
      )}
    </div>
  );
}
