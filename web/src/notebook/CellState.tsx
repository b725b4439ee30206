import { useEffect, useState } from "react";
import type { LiveCell } from "../api/live";
import { duration } from "../app/time";
import { bytesText } from "../grid/sizes";
import { isBlank } from "./kinds";
import { standing } from "./standing";
import "./CellState.css";

interface CellStateProps {
  cell: LiveCell;
  /** It runs, or will without further ado. */
  active: boolean;
  numberOf: (handle: string) => number;
}

/** How a cell stands, as a shape with a word: never by colour alone. */
export function CellState({ cell, active, numberOf }: CellStateProps) {
  if (isBlank(cell)) return <span className="cell-state">empty</span>;
  if (cell.state === "running") return <Running cell={cell} />;
  const { tone, shape, text } = standing(cell, active, numberOf);
  return (
    <span className={`cell-state cell-state-${tone}`}>
      <span aria-hidden>{shape}</span> {text}
    </span>
  );
}

function Running({ cell }: { cell: LiveCell }) {
  const started = cell.run ? Date.parse(cell.run.started) : 0;
  const now = useNow();
  return (
    <span className="cell-state cell-state-running">
      <span className="spinner" aria-hidden /> {started ? duration(Math.max(now - started, 0) / 1000) : "running"}
    </span>
  );
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 200);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

/** How far a running cell is: a thin bar, with words once it says something. */
export function CellProgress({ cell }: { cell: LiveCell }) {
  const { progress } = cell;
  if (cell.state !== "running" || !progress) return null;
  const { done, total } = progress;
  const amount = total ? { value: done, max: total } : {};
  const shown = (count: number) => (progress.in_bytes ? bytesText(count) : count.toLocaleString("en"));
  return (
    <div className="cell-progress">
      <progress {...amount} aria-label={`Progress: ${progress.label}`} />
      <span>
        {progress.label} {total ? `${shown(done)} / ${shown(total)}` : done ? shown(done) : ""}
      </span>
    </div>
  );
}
