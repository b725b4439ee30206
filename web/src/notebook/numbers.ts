import { useCallback } from "react";
import type { CellView } from "../api/types";

/** Finds the number of a cell, as people see it; the same function as long as the order of the cells is. */
export function useNumbers(cells: readonly CellView[]): (handle: string) => number {
  const handles = cells.map((cell) => cell.handle).join(" ");
  return useCallback((handle: string) => handles.split(" ").indexOf(handle) + 1, [handles]);
}
