import { ApiError, messageOf } from "../../api/errors";

/** Why packages can't be had: in the words of the installer, if it has some. */
export function Refusal({ problem }: { problem: unknown }) {
  const output = problem instanceof ApiError ? problem.details.output : null;
  return (
    <div className="packages-problem" role="alert">
      {typeof output === "string" && output !== "" ? (
        <>
          <p>These packages can’t be had. The installer says:</p>
          <pre>{output}</pre>
        </>
      ) : (
        <p>{messageOf(problem)}</p>
      )}
    </div>
  );
}
