import { lazy, Suspense } from "react";
import type { Message } from "../../api/types";
import type { LiveCell } from "../changes";
import { DisplayOutput } from "./DisplayOutput";
import { ErrorOutput } from "./ErrorOutput";
import { TextOutput } from "./TextOutput";
import "./Outputs.css";

const DatasetView = lazy(() => import("../../grid/DatasetView"));

interface OutputsProps {
  cell: LiveCell;
  /** What is shown comes from an earlier run, or the text was changed since. */
  outdated: boolean;
  onGoToLine: (line: number) => void;
}

/** Everything that a cell's last run said and made. */
export function Outputs({ cell, outdated, onGoToLine }: OutputsProps) {
  const { run, outputs } = cell;
  const messages = run?.messages ?? [];
  const error = outdated ? null : (run?.error ?? null);
  if (messages.length === 0 && outputs.length === 0 && !error) return null;
  const live = cell.state === "running";
  return (
    <div className={outdated ? "outputs outputs-outdated" : "outputs"}>
      {outdated && outputs.length === 0 && <span className="outdated">out of date</span>}
      {messages.map((message, index) => (
        <MessageOutput key={index} message={message} live={live} />
      ))}
      {error && <ErrorOutput error={error} onGoToLine={onGoToLine} />}
      {outputs.map((output) => (
        <Suspense key={output.name} fallback={<div className="output-pending" />}>
          <DatasetView output={output} outdated={outdated} />
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
