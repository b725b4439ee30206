import type { CellView, Column } from "../api/types";

/** The datasets that a cell can name, with their columns. */
export type Scope = ReadonlyMap<string, readonly Column[]>;

/** What the cells before a given one have written; the last writer of a name wins. */
export function scopeBefore(cells: readonly CellView[], handle: string): Scope {
  const scope = new Map<string, readonly Column[]>();
  for (const cell of cells) {
    if (cell.handle === handle) break;
    for (const { name, artifact } of cell.outputs) {
      if (artifact.kind === "dataset") scope.set(name, artifact.columns);
      else scope.delete(name);
    }
  }
  return scope;
}

/** Equal for scopes that offer the same completions. */
export function scopeSignature(scope: Scope): string {
  return JSON.stringify([...scope].map(([name, columns]) => [name, columns.map((column) => column.name)]));
}
