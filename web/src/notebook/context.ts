import { createContext, use } from "react";
import type { Question } from "../api/types";
import type { NotebookActions } from "./actions";
import type { SelectionControl } from "./selection";
import type { WayOut } from "./WaysOut";

/** What every part of a notebook page may use; the notebook itself is passed down as properties. */
export interface NotebookPageContext {
  project: string;
  branch: string;
  /** The version that the page is bound to; undefined is the head, live. */
  number: number | undefined;
  actions: NotebookActions;
  select: SelectionControl["select"];
  follow: SelectionControl["follow"];
  /** Opens the panel that says why something is in doubt. */
  ask: (question: Question) => void;
  /** Remembers what is selected in a grid, for commands about it. */
  point: (question: Question | null) => void;
  closePanel: () => void;
  /** Opens what takes a dataset out of the notebook. */
  takeOut: (how: WayOut, dataset: Question) => void;
}

export const NotebookContext = createContext<NotebookPageContext | null>(null);

export function useNotebookContext(): NotebookPageContext {
  const context = use(NotebookContext);
  if (!context) throw new Error("Only parts of a notebook page have a notebook.");
  return context;
}
