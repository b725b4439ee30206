import { useCallback } from "react";
import type { CellView } from "../api/types";
import { useNotebookContext } from "./context";
import { clearDraft, draftKey, parametersOf, readDraft, useDraft, writeDraft } from "./drafts";
import type { Parameters } from "./kinds";

/** A cell's parameters as the person sees them: what was typed, or else what is saved. */
export function useCellDraft(cell: CellView) {
  const { branch, number } = useNotebookContext();
  const key = draftKey(branch, number, cell.handle);
  const draft = useDraft(key);
  const parameters = parametersOf(cell, draft);
  const change = useCallback(
    (changes: Parameters) => writeDraft(key, cell, { ...parametersOf(cell, readDraft(key)), ...changes }),
    [key, cell],
  );
  const discard = useCallback(() => clearDraft(key), [key]);
  const edited = parameters !== cell.parameters;
  return {
    parameters,
    edited,
    overtaken: edited && draft?.base !== cell.hash,
    change,
    discard,
  };
}

export type CellDraft = ReturnType<typeof useCellDraft>;
