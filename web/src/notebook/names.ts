import type { Artifact, CellView, Output } from "../api/types";

/** What a name that a cell wrote stands for; a state is something that a library remembers, such as a random seed. */
export type Sort = "dataset" | "value" | "function" | "class" | "module" | "file" | "state";

/** A name that a cell wrote, in a few words. */
export interface Named {
  name: string;
  sort: Sort;
  type: string;
  text: string;
  /** Why it could not be kept, if so. */
  reason: string | null;
  artifact: Artifact;
}

const FUNCTIONS = new Set(["function", "builtin_function_or_method", "numpy.ufunc", "functools._lru_cache_wrapper"]);

export function namedOf({ name, artifact }: Output): Named {
  const { type, text, reason = null } = artifact.about?.[name] ?? { type: artifact.kind, text: "" };
  const sort = sortOf(name, artifact.kind, type, text);
  return { name: name.replace(/^\.\//, ""), sort, type, text, reason, artifact };
}

function sortOf(name: string, kind: Artifact["kind"], type: string, text: string): Sort {
  if (name.startsWith("@")) return "state";
  if (kind !== "value") return kind;
  if (type === "module") return "module";
  if (FUNCTIONS.has(type)) return "function";
  // A class is described by its metaclass and its name: `type Circle`, `ABCMeta Shape`.
  const words = text.split(" ");
  return words.length === 2 && words[0] === type.split(".").at(-1) ? "class" : "value";
}

/** A name in scope, with the cell that made what it stands for. */
export interface Variable extends Named {
  maker: string;
}

/** The names in scope after a cell, or at the end; of those written twice, the last counts. */
export function variablesAfter(cells: readonly CellView[], handle: string | null): Variable[] {
  const found = new Map<string, Variable>();
  for (const cell of cells) {
    for (const name of cell.run?.deletes ?? []) found.delete(name);
    for (const output of cell.outputs) found.set(output.name, { ...namedOf(output), maker: cell.handle });
    if (cell.handle === handle) break;
  }
  return [...found.values()].filter(({ sort }) => sort !== "state");
}
