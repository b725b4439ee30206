import { Hourglass, Play, Snowflake, Square } from "lucide-react";
import type { LiveCell } from "../api/live";
import type { Rerun } from "../api/types";
import { IconButton } from "../app/Button";
import { useNotebookContext } from "./context";
import { secondsOf, WORTH_SAYING, workText } from "./work";

const RUN = "Run cell with what it needs";

interface WorkProps {
  /** What saving the cell's text would make run. */
  work: readonly Rerun[];
  numberOf: (handle: string) => number;
}

interface RunButtonProps extends WorkProps {
  cell: LiveCell;
  /** It runs, or will without further ado. */
  active: boolean;
  onRun: () => void;
}

/** Runs a cell, cancels it while it runs or waits, or says that it is frozen. */
export function RunButton({ cell: { handle, frozen }, active, work, numberOf, onRun }: RunButtonProps) {
  const { actions } = useNotebookContext();
  if (active) {
    return (
      <IconButton label="Cancel cell" keys="i i" className="cell-run" onClick={() => void actions.cancel([handle])}>
        <Square size={12} fill="currentColor" />
      </IconButton>
    );
  }
  if (frozen) {
    const thaw = () => void actions.freeze([handle], false);
    return (
      <IconButton label="Frozen: thaw and run" keys="f" className="cell-run cell-run-frozen" onClick={thaw}>
        <Snowflake size={14} />
      </IconButton>
    );
  }
  const hint = work.length > 0 ? `Will run ${workText(work, numberOf)}` : RUN;
  return (
    <IconButton label={RUN} hint={hint} keys="mod+enter" className="cell-run" onClick={onRun}>
      <Play size={14} />
    </IconButton>
  );
}

/** Says under the editor what running its text will cost, if that is worth a thought. */
export function WorkLine({ work, numberOf }: WorkProps) {
  if (secondsOf(work) <= WORTH_SAYING) return null;
  return (
    <p className="cell-work">
      <Hourglass size={12} aria-hidden />
      Will run {workText(work, numberOf)}
    </p>
  );
}
