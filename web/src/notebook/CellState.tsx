import { useEffect, useState } from "react";
import type { LiveCell } from "../api/live";
import { duration } from "../app/time";
import { isBlank } from "./kinds";
import "./CellState.css";

const SHAPES = { waiting: "◌", done: "✓", error: "!", cancelled: "⊘", stale: "~" } as const;
const WORDS = { waiting: "waiting", error: "error", cancelled: "cancelled", stale: "not run" } as const;

/** How a cell stands, as a shape with a word: never by colour alone. */
export function CellState({ cell, number }: { cell: LiveCell; number: (handle: string) => number }) {
  const { state, run } = cell;
  if (isBlank(cell)) return <span className="cell-state">empty</span>;
  if (state === "running") return <Running cell={cell} />;
  const took = run?.finished ? duration((Date.parse(run.finished) - Date.parse(run.started)) / 1000) : "done";
  const word = state === "done" ? took : state === "stale" && run ? "out of date" : WORDS[state];
  return (
    <span className={`cell-state cell-state-${state}`}>
      <span aria-hidden>{SHAPES[state]}</span> {cell.waits_for ? `waits for ${number(cell.waits_for)}` : word}
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
  const amount = progress.total ? { value: progress.done, max: progress.total } : {};
  return (
    <div className="cell-progress">
      <progress {...amount} aria-label={`Progress: ${progress.label}`} />
      <span>
        {progress.label} {progress.total ? `${progress.done} / ${progress.total}` : progress.done}
      </span>
    </div>
  );
}
