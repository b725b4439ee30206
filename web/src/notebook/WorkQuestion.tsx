import { Popover } from "radix-ui";
import { useCallback, useMemo, useState } from "react";
import type { Rerun } from "../api/types";
import { Button } from "../app/Button";
import { workText } from "./work";
import "./WorkQuestion.css";

/** An edit that would make cells run for a long time. */
interface LongWork {
  action: "Delete" | "Move";
  handle: string;
  reruns: readonly Rerun[];
}

/** Asks beside the cell whether to make an edit all the same. */
export type AskWork = (work: LongWork) => Promise<boolean>;

interface Asking extends LongWork {
  answer: (yes: boolean) => void;
}

export function useWorkQuestion() {
  const [asking, setAsking] = useState<Asking | null>(null);
  const ask = useCallback<AskWork>(
    (work) =>
      new Promise((resolve) => {
        const answer = (yes: boolean) => {
          setAsking(null);
          resolve(yes);
        };
        setAsking({ ...work, answer });
      }),
    [],
  );
  return { asking, ask };
}

interface WorkQuestionProps {
  asking: Asking;
  numberOf: (handle: string) => number;
}

export function WorkQuestion({ asking, numberOf }: WorkQuestionProps) {
  const { action, handle, reruns, answer } = asking;
  const anchor = useMemo(() => ({ current: document.querySelector(`#cell-${handle} .cell-bar`) }), [handle]);
  return (
    <Popover.Root open onOpenChange={(open) => !open && answer(false)}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          className="work-question"
          side="bottom"
          align="end"
          collisionPadding={8}
          aria-label={`${action} cell ${numberOf(handle)}?`}
          // Whoever asked decides where the focus goes.
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <p>
            Will run {workText(reruns, numberOf)}. {action} cell {numberOf(handle)} all the same?
          </p>
          <div className="work-buttons">
            <Button onClick={() => answer(false)}>Cancel</Button>
            <Button autoFocus tone="primary" onClick={() => answer(true)}>
              {action}
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
