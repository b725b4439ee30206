import { lazy, Suspense } from "react";
import type { LiveCell } from "../../api/live";
import type { Message } from "../../api/types";
import { useNotebookContext } from "../context";
import { DisplayOutput } from "./DisplayOutput";
import { ErrorOutput } from "./ErrorOutput";
import { TextOutput } from "./TextOutput";
import "./Outputs.css";

const DatasetView = lazy(() => import("../../grid/DatasetView"));

interface OutputsProps {
  cell: LiveCell;
  /** The text was changed since. */
  edited: boolean;
  onGoToLine: (line: number) => void;
}

/** Everything that a cell's last run said and made. */
export function Outputs({ cell, edited, onGoToLine }: OutputsProps) {
  const { ask, point } = useNotebookContext();
  const { run, outputs, state } = cell;
  const messages = run?.messages ?? [];
  const live = state === "running";
  // A running cell already has the messages of its new run, but still the datasets of the one before.
  const oldRun = edited || state === "waiting" || state === "stale";
  const oldData = oldRun || live;
  const error = oldRun ? null : (run?.error ?? null);
  if (messages.length === 0 && outputs.length === 0 && !error) return null;
  return (
    <div className="outputs">
      {messages.length > 0 && (
        <div className={oldRun ? "output-messages output-old" : "output-messages"}>
          {oldRun && outputs.length === 0 && <span className="outdated">out of date</span>}
          {messages.map((message, index) => (
            <MessageOutput key={index} message={message} live={live} />
          ))}
        </div>
      )}
      {error && <ErrorOutput error={error} onGoToLine={onGoToLine} />}
      {outputs.map((output) => (
        <Suspense key={output.name} fallback={<div className="output-pending" />}>
          <DatasetView
            output={output}
            outdated={oldData}
            onAsk={(part) => ask({ cell: cell.handle, name: output.name, ...part })}
            onPoint={(part) => point(part && { cell: cell.handle, name: output.name, ...part })}
          />
        </Suspense>
      ))}
    </div>
  );
}

function MessageOutput({ message, live }: { message: Message; live: boolean }) {
  switch (message.type) {
    case "text":
      return <TextOutput message={message} live={live} />;
    case "display":
      return <DisplayOutput message={message} />;
    case "note":
      return <p className="output-note">{message.text}</p>;
  }
}
