import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation } from "wouter";
import { NotebookActions, type AskBranchName } from "./actions";

/** The actions on the notebook of a page, the same ones as long as the page is. */
export function useNotebookActions(
  branch: string,
  number: number | undefined,
  askBranchName: AskBranchName,
): NotebookActions {
  const client = useQueryClient();
  const [, goTo] = useLocation();
  return useMemo(
    () => new NotebookActions(client, branch, number, askBranchName, goTo),
    [client, branch, number, askBranchName, goTo],
  );
}
