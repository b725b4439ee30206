import { lazy, Suspense } from "react";
import { isKept, type LiveCell } from "../../api/live";
import type { Message } from "../../api/types";
import { DatasetMenu } from "../../exporting/DatasetMenu";
import { WrittenFiles } from "../../exporting/WrittenFiles";
import { useNotebookContext } from "../context";
import { namedOf } from "../names";
import { DisplayOutput } from "./DisplayOutput";
import { ErrorOutput } from "./ErrorOutput";
import { NamesOutput } from "./NamesOutput";
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
  const old = ageOf(cell, edited);
  // A running cell already has the messages of its new run, but still the names of the one before.
  const oldMessages = live ? null : old;
  const error = oldMessages === null ? (run?.error ?? null) : null;
  const datasets = outputs.filter(({ artifact }) => artifact.kind === "dataset");
  const names = outputs.map(namedOf).filter(({ sort }) => sort !== "dataset");
  const hasMessages = messages.length > 0;
  if (!hasMessages && outputs.length === 0 && !error) return null;
  return (
    <div className="outputs">
      {hasMessages && (
        <div className={oldMessages === null ? "output-messages" : "output-messages output-old"}>
          {oldMessages && <span className="outdated">{oldMessages}</span>}
          {messages.map((message, index) => (
            <MessageOutput key={index} message={message} live={live} />
          ))}
        </div>
      )}
      {cell.kind === "export" && run?.finished && <WrittenFiles run={run.id} />}
      {error && <ErrorOutput error={error} expected={state === "done"} onGoToLine={onGoToLine} />}
      {names.length > 0 && (
        <NamesOutput
          names={names}
          old={old !== null}
          label={hasMessages && !live ? null : old}
          onAsk={(name) => ask({ cell: cell.handle, name })}
        />
      )}
      {datasets.map((output) => (
        <Suspense key={output.name} fallback={<div className="output-pending" />}>
          <DatasetView
            output={output}
            old={old}
            onAsk={(part) => ask({ cell: cell.handle, name: output.name, ...part })}
            onPoint={(part) => point(part && { cell: cell.handle, name: output.name, ...part })}
            menu={<DatasetMenu cell={cell.handle} name={output.name} />}
          />
        </Suspense>
      ))}
    </div>
  );
}

/** Why what a cell shows may not be what it would make now; nothing if it is. */
function ageOf(cell: LiveCell, edited: boolean): string | null {
  if (edited || (cell.state === "stale" && !isKept(cell))) return "out of date";
  return cell.state === "waiting" || cell.state === "running" ? "from an earlier run" : null;
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
