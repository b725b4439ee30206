import { CircleAlert } from "lucide-react";
import type { CellError } from "../../api/types";
import { terminalSpans } from "./terminal";

interface ErrorOutputProps {
  error: CellError;
  onGoToLine: (line: number) => void;
}

/** Why a run failed, with the way to the line that caused it. */
export function ErrorOutput({ error, onGoToLine }: ErrorOutputProps) {
  const { line } = error;
  return (
    <div className="output-error" role="alert">
      <CircleAlert size={15} aria-hidden />
      <div className="output-error-body">
        <p>
          {error.message}{" "}
          {line && (
            <button type="button" className="link" onClick={() => onGoToLine(line)}>
              Line {line}
            </button>
          )}
        </p>
        {error.traceback && (
          <details>
            <summary>Traceback</summary>
            <pre>{terminalSpans(error.traceback).map((span) => span.text)}</pre>
          </details>
        )}
      </div>
    </div>
  );
}
