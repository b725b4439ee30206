import { Ellipsis, RotateCw, Snowflake, Sun, Trash2 } from "lucide-react";
import type { LiveCell } from "../api/live";
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from "../app/Menu";
import { useNotebookContext } from "./context";
import { KINDS, mayFail } from "./kinds";

/** What can be done with a cell and has no button of its own. */
export function CellMenu({ cell }: { cell: LiveCell }) {
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
      {cell.kind !== "markdown" && <RunItems cell={cell} />}
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

function RunItems({ cell }: { cell: LiveCell }) {
  const { actions } = useNotebookContext();
  const { handle, frozen } = cell;
  const sign = frozen ? <Sun size={14} /> : <Snowflake size={14} />;
  return (
    <>
      <MenuItem
        icon={<RotateCw size={14} />}
        disabled={frozen}
        onSelect={() => void actions.saveAndRun(handle, true)}
      >
        Run anew, ignoring stored results
      </MenuItem>
      <MenuLine />
      <MenuItem icon={sign} keys="f" onSelect={() => void actions.freeze([handle], !frozen)}>
        {frozen ? "Thaw" : "Freeze"}
      </MenuItem>
      <MenuItem icon={sign} keys="shift+f" onSelect={() => void actions.freezeFrom(handle, !frozen)}>
        {frozen ? "Thaw this and all below" : "Freeze this and all below"}
      </MenuItem>
      {cell.kind === "python" && (
        <MenuCheck checked={mayFail(cell)} onChange={(allowed) => void actions.letFail(handle, allowed)}>
          May fail: keep what it made until then
        </MenuCheck>
      )}
      <MenuLine />
    </>
  );
}
