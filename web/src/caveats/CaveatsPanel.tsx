import { useEffect, useRef } from "react";
import { messageOf } from "../api/errors";
import { isActive, type LiveNotebook } from "../api/live";
import type { Question } from "../api/types";
import { Panel } from "../app/Panel";
import { CaveatList } from "./CaveatList";
import { asksAboutAll, titleOf } from "./question";
import { useReasons } from "./useReasons";
import "./CaveatsPanel.css";

interface CaveatsPanelProps {
  notebook: LiveNotebook;
  question: Question;
  onAsk: (question: Question) => void;
  onClose: () => void;
}

/** Why a value, a row, a column or a dataset is in doubt; asked anew whenever the notebook changes. */
export function CaveatsPanel({ notebook, question, onAsk, onClose }: CaveatsPanelProps) {
  const { cell: handle, name } = question;
  const cell = notebook.cells.find((candidate) => candidate.handle === handle);
  const output = cell?.outputs.find((candidate) => candidate.name === name);
  const subject = {
    ref: notebook.ref,
    artifact: cell?.state === "done" ? output?.artifact.id : undefined,
    question,
  };
  const reasons = useReasons(subject);
  const isBusy = reasons.isPlaceholderData || !reasons.data?.complete;
  const { panel, takeFocus } = useFocus(question);
  return (
    <Panel ref={panel} name="Caveats" title={titleOf(question)} onClose={onClose}>
      <div className={reasons.isPlaceholderData ? "caveats caveats-old" : "caveats"} aria-busy={isBusy}>
        {!asksAboutAll(question) && (
          <button type="button" className="link" onClick={() => onAsk({ cell: handle, name })}>
            All caveats of {name}
          </button>
        )}
        {!output && <p className="caveats-note">There is no {name} in this version.</p>}
        {output && subject.artifact === undefined && (
          <p className="caveats-note">
            {name} is {cell && isActive(cell, notebook.cells) ? "being made anew" : "out of date"}.
          </p>
        )}
        {reasons.error && (
          <p className="caveats-problem" role="alert">
            {messageOf(reasons.error)}{" "}
            <button type="button" className="link" onClick={() => void reasons.refetch()}>
              Try again
            </button>
          </p>
        )}
        {output && (reasons.data || !reasons.error) && (
          <CaveatList notebook={notebook} subject={subject} reasons={reasons.data} onChange={takeFocus} />
        )}
      </div>
    </Panel>
  );
}

/** The panel takes the focus with each question, which a click into a grid takes back, and returns it at the end. */
function useFocus(question: Question) {
  const panel = useRef<HTMLElement>(null);
  const takeFocus = () => panel.current?.focus({ preventScroll: true });
  useEffect(() => {
    const element = panel.current;
    let before = document.activeElement;
    const remember = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Element && !element?.contains(relatedTarget)) before = relatedTarget;
    };
    element?.addEventListener("focusin", remember);
    takeFocus();
    return () => {
      element?.removeEventListener("focusin", remember);
      const isLost = document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [question]);
  return { panel, takeFocus };
}
