import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation } from "wouter";
import { NotebookActions, type Asks } from "./actions";

/** The actions on the notebook of a page, the same ones as long as the page is. */
export function useNotebookActions(
  branch: string,
  number: number | undefined,
  { branchName, work }: Asks,
): NotebookActions {
  const client = useQueryClient();
  const [, goTo] = useLocation();
  return useMemo(
    () => new NotebookActions(client, branch, number, { branchName, work }, goTo),
    [client, branch, number, branchName, work, goTo],
  );
}
