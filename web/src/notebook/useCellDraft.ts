import { useCallback } from "react";
import type { CellView } from "../api/types";
import { useNotebookContext } from "./context";
import { clearDraft, draftKey, useDraft, writeDraft } from "./drafts";
import type { Parameters } from "./kinds";

/** A cell's parameters as the person sees them: what was typed, or else what is saved. */
export function useCellDraft(cell: CellView) {
  const { branch, number } = useNotebookContext();
  const key = draftKey(branch, number, cell.handle);
  const draft = useDraft(key);
  const parameters = draft?.parameters ?? cell.parameters;
  const change = useCallback(
    (changes: Parameters) => writeDraft(key, cell, { ...parameters, ...changes }),
    [key, cell, parameters],
  );
  const discard = useCallback(() => clearDraft(key), [key]);
  return {
    parameters,
    edited: draft !== undefined,
    overtaken: draft !== undefined && draft.base !== cell.hash,
    change,
    discard,
  };
}

export type CellDraft = ReturnType<typeof useCellDraft>;
