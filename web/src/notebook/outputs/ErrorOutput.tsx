import { CircleAlert, PackagePlus } from "lucide-react";
import type { CellError } from "../../api/types";
import { Button } from "../../app/Button";
import { useNotebookContext } from "../context";
import { terminalSpans } from "./terminal";

interface ErrorOutputProps {
  error: CellError;
  /** The cell may fail, and what it made stands. */
  expected: boolean;
  onGoToLine: (line: number) => void;
}

/** Why a run failed, with the way to the line that caused it, and the package that would help. */
export function ErrorOutput({ error, expected, onGoToLine }: ErrorOutputProps) {
  const { line, offer } = error;
  return (
    <div className={expected ? "output-error output-error-expected" : "output-error"} role={expected ? "note" : "alert"}>
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
        {offer && <AddPackage requirement={offer} />}
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

function AddPackage({ requirement }: { requirement: string }) {
  const { actions } = useNotebookContext();
  return (
    <Button className="output-offer" onClick={() => void actions.addPackage(requirement)}>
      <PackagePlus size={14} aria-hidden /> Add {requirement} to the packages
    </Button>
  );
}
