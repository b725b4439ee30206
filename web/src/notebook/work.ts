import type { CellView, Rerun } from "../api/types";
import { duration } from "../app/time";

/** Seconds of work from which on an edit says beforehand what it will cause. */
export const WORTH_SAYING = 5;
/** Seconds of work from which on an edit by a key or a button asks first. */
export const WORTH_ASKING = 30;

/** How long the cells took when they last ran; those that never did count for nothing. */
export function secondsOf(reruns: readonly Rerun[]): number {
  return reruns.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0);
}

/** How long a cell's last run took, if it has one that ended. */
export function ranFor({ run }: CellView): number {
  return run?.finished ? (Date.parse(run.finished) - Date.parse(run.started)) / 1000 : 0;
}

/** "cells 3, 4 and 7: 42 s last time" */
export function workText(reruns: readonly Rerun[], numberOf: (handle: string) => number): string {
  const numbers = reruns.map(({ handle }) => numberOf(handle)).filter((number) => number > 0);
  const seconds = secondsOf(reruns);
  return `${cellsText(numbers)}${seconds > 0 ? `: ${duration(seconds)} last time` : ""}`;
}

const MOST_NAMED = 6;

function cellsText(numbers: readonly number[]): string {
  if (numbers.length <= 1) return `cell ${numbers.join()}`;
  if (numbers.length > MOST_NAMED) return `${numbers.length} cells`;
  return `cells ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1) ?? ""}`;
}
