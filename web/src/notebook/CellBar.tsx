import { ArrowDown, ArrowUp, Snowflake } from "lucide-react";
import { isKept, type LiveCell } from "../api/live";
import { Hint, IconButton } from "../app/Button";
import { NameField } from "./cells/NameField";
import { EditionMark } from "../publishing/EditionMark";
import { CellMenu } from "./CellMenu";
import { useNotebookContext } from "./context";
import { kindOf, mayFail } from "./kinds";
import { OutsideMark } from "./OutsideMark";
import type { CellDraft } from "./useCellDraft";

interface CellBarProps {
  cell: LiveCell;
  draft: CellDraft;
  isFirst: boolean;
  isLast: boolean;
}

/** The line above a cell's content: what it is, what it makes, what can be done with it. */
export function CellBar({ cell, draft, isFirst, isLast }: CellBarProps) {
  const { actions } = useNotebookContext();
  const kind = kindOf(cell.kind);
  return (
    <div className="cell-bar">
      <span className="cell-kind">
        <kind.icon size={13} aria-hidden /> {kind.title}
      </span>
      {(cell.kind === "sql" || cell.kind === "types") && (
        <label className="cell-makes">
          <span>makes</span> <NameField draft={draft} />
        </label>
      )}
      <FrozenMark cell={cell} />
      <MayFailMark cell={cell} />
      <EditionMark cell={cell} />
      <OutsideMark cell={cell} />
      <EditedMark draft={draft} />
      <span className="cell-tools">
        <IconButton
          label="Move up"
          keys="alt+arrowup"
          disabled={isFirst}
          onClick={() => void actions.move(cell.handle, -1)}
        >
          <ArrowUp size={14} />
        </IconButton>
        <IconButton
          label="Move down"
          keys="alt+arrowdown"
          disabled={isLast}
          onClick={() => void actions.move(cell.handle, 1)}
        >
          <ArrowDown size={14} />
        </IconButton>
        <CellMenu cell={cell} />
      </span>
    </div>
  );
}

function EditedMark({ draft }: { draft: CellDraft }) {
  if (!draft.edited) return null;
  return (
    <span className="cell-edited">
      <span aria-hidden>●</span> {draft.overtaken ? "edited here and elsewhere" : "edited, not run"}
      <button type="button" className="link" onClick={draft.discard}>
        Discard
      </button>
    </span>
  );
}

function FrozenMark({ cell }: { cell: LiveCell }) {
  if (!cell.frozen) return null;
  return (
    <span className="cell-mark cell-frozen">
      <Snowflake size={12} aria-hidden /> {isKept(cell) ? "frozen: keeps an older result" : "frozen"}
    </span>
  );
}

function MayFailMark({ cell }: { cell: LiveCell }) {
  const { actions } = useNotebookContext();
  if (!mayFail(cell)) return null;
  return (
    <Hint label="If it fails, what it made until then stands. Click to take that back.">
      <button type="button" className="cell-mark" onClick={() => void actions.letFail(cell.handle, false)}>
        may fail
      </button>
    </Hint>
  );
}
