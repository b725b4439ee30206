import { ArrowDown, ArrowUp, Ellipsis, RotateCw, Trash2 } from "lucide-react";
import type { LiveCell } from "../api/live";
import { IconButton } from "../app/Button";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../app/Menu";
import { NameField } from "./cells/NameField";
import { useNotebookContext } from "./context";
import { KINDS, kindOf } from "./kinds";
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
      {cell.kind === "sql" && (
        <label className="cell-makes">
          <span>makes</span> <NameField draft={draft} />
        </label>
      )}
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

function CellMenu({ cell }: { cell: LiveCell }) {
  const { actions } = useNotebookContext();
  const others = KINDS.filter((kind) => kind.kind !== cell.kind);
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="icon-button" aria-label="More actions for this cell" title="More actions">
          <Ellipsis size={15} />
        </button>
      }
    >
      {cell.kind !== "markdown" && (
        <>
          <MenuItem icon={<RotateCw size={14} />} onSelect={() => void actions.saveAndRun(cell.handle, true)}>
            Run anew, ignoring stored results
          </MenuItem>
          <MenuLine />
        </>
      )}
      <MenuLabel>Change to</MenuLabel>
      {others.map((kind) => (
        <MenuItem
          key={kind.kind}
          icon={<kind.icon size={14} />}
          keys={{ markdown: "m", python: "y" }[kind.kind]}
          onSelect={() => void actions.changeKind(cell.handle, kind.kind)}
        >
          {kind.title}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={<Trash2 size={14} />} keys="d d" danger onSelect={() => void actions.remove(cell.handle)}>
        Delete cell
      </MenuItem>
    </Menu>
  );
}
