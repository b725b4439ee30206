import { isKept, type LiveCell } from "../api/live";
import { duration } from "../app/time";
import { ranFor } from "./work";

const SHAPES = { waiting: "◌", running: "▸", done: "✓", error: "!", cancelled: "⊘", stale: "~" } as const;

export interface Standing {
  /** Names the colour: `cell-state-…`. */
  tone: string;
  shape: string;
  text: string;
}

/** How a cell stands in a few words. `active`: it runs, or will without further ado. */
export function standing(cell: LiveCell, active: boolean, numberOf: (handle: string) => number): Standing {
  const { state, waits_for: other } = cell;
  if (state === "waiting" && other) {
    const number = numberOf(other);
    return active
      ? { tone: state, shape: SHAPES.waiting, text: `waits for cell ${number}` }
      : { tone: "blocked", shape: "‖", text: `blocked by cell ${number}` };
  }
  if (isKept(cell)) return { tone: "frozen", shape: "❄\uFE0E", text: "older result" };
  return { tone: state, shape: SHAPES[state], text: wordFor(cell) };
}

function wordFor(cell: LiveCell): string {
  const { state, run } = cell;
  if (state === "done" && run?.finished) return duration(ranFor(cell));
  if (state === "stale") return run ? "out of date" : "not run";
  return state;
}
