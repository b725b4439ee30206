import { useCallback, useState } from "react";
import type { LiveNotebook } from "../api/live";
import type { Notebook } from "../api/types";
import { NameDialog } from "../app/Dialog";
import type { AskBranchName } from "./edits";

interface Asking {
  start: (name: string) => Promise<void>;
  close: () => void;
}

/** Lets an edit of an old version wait for the name of the branch that it starts. */
export function useBranchName() {
  const [asking, setAsking] = useState<Asking | null>(null);
  const ask = useCallback<AskBranchName>(
    (start) =>
      new Promise((resolve) => {
        let made: Notebook | undefined;
        setAsking({
          start: async (name) => {
            made = await start(name);
          },
          close: () => {
            setAsking(null);
            resolve(made);
          },
        });
      }),
    [],
  );
  return { asking, ask };
}

export function BranchNameDialog({ notebook, asking }: { notebook: LiveNotebook; asking: Asking }) {
  const { ref, branch } = notebook;
  return (
    <NameDialog
      title="Start a branch"
      description={`Version ${ref.number} of ${branch.name} stays as it is. Your change goes into a new branch.`}
      label="Branch name"
      initial={`${branch.name}-v${ref.number}`}
      action="Start branch"
      onSubmit={asking.start}
      onClose={asking.close}
    />
  );
}
