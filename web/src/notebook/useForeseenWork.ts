import { useQuery } from "@tanstack/react-query";
import type { CellView, Rerun } from "../api/types";
import { useSettled } from "../app/useSettled";
import { useNotebookContext } from "./context";
import type { CellDraft } from "./useCellDraft";

const PAUSE = 600;
const NOTHING: readonly Rerun[] = [];

/** What would run if the text that was typed into a cell were saved; asked when the typing pauses. */
export function useForeseenWork(cell: CellView, { edited, parameters }: CellDraft): readonly Rerun[] {
  const { actions, branch, number } = useNotebookContext();
  const settled = useSettled(parameters, PAUSE);
  const { handle } = cell;
  const { data } = useQuery({
    queryKey: ["preview", branch, number ?? "head", handle, cell.hash, settled],
    queryFn: () => actions.preview({ action: "update", handle, parameters: settled }),
    enabled: edited && settled === parameters && cell.kind !== "markdown",
    placeholderData: (before) => before,
    // A text that can't be saved yet says so when somebody tries; what it costs is then no question.
    retry: false,
  });
  return edited && data ? data : NOTHING;
}
