import { ChevronDown, Play, RotateCw, Square, Sun } from "lucide-react";
import { isActive, type LiveNotebook } from "../../api/live";
import { Button, Hint } from "../../app/Button";
import { Menu, MenuItem } from "../../app/Menu";
import { useNotebookContext } from "../context";

/** Runs the notebook; while cells run, says how many and cancels them. */
export function RunAll({ notebook: { cells } }: { notebook: LiveNotebook }) {
  const active = cells.filter((cell) => isActive(cell, cells));
  const running = active.filter((cell) => cell.state === "running").length;
  if (active.length > 0) return <CancelAll running={running} waiting={active.length - running} />;
  return <RunButtons anyFrozen={cells.some((cell) => cell.frozen)} />;
}

function CancelAll({ running, waiting }: { running: number; waiting: number }) {
  const { actions } = useNotebookContext();
  return (
    <>
      <span className="header-counts">
        {running} running{waiting > 0 && `, ${waiting} waiting`}
      </span>
      <Hint label="Cancel everything that runs or waits" keys="mod+.">
        <Button className="header-run" aria-label="Cancel all" onClick={() => void actions.cancel(null)}>
          <Square size={11} fill="currentColor" aria-hidden /> <span>Cancel all</span>
        </Button>
      </Hint>
    </>
  );
}

function RunButtons({ anyFrozen }: { anyFrozen: boolean }) {
  const { actions } = useNotebookContext();
  return (
    <span className="header-split">
      <Hint label="Save and run whatever is not up to date" keys="mod+shift+enter">
        <Button tone="primary" className="header-run" aria-label="Run all" onClick={() => void actions.runAll()}>
          <Play size={13} aria-hidden /> <span>Run all</span>
        </Button>
      </Hint>
      <Menu
        align="end"
        trigger={
          <Button tone="primary" aria-label="Other ways to run" title="Other ways to run">
            <ChevronDown size={14} />
          </Button>
        }
      >
        <MenuItem icon={<RotateCw size={14} />} onSelect={() => void actions.runAll(true)}>
          Run all anew, ignoring stored results
        </MenuItem>
        <MenuItem icon={<Sun size={14} />} disabled={!anyFrozen} onSelect={() => void actions.thawAll()}>
          Thaw all frozen cells
        </MenuItem>
      </Menu>
    </span>
  );
}
