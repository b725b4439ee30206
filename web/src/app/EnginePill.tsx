import { useStatus } from "../api/queries";
import { Hint } from "./Button";
import "./EnginePill.css";

const TEXTS = {
  starting: "Spark is starting…",
  ready: "Spark is ready",
  failed: "Spark failed",
  stopped: "Spark is stopped",
} as const;

/** How the engine stands: quiet when it is ready, in words when it is not. */
export function EnginePill() {
  const engine = useStatus().data?.engine;
  if (!engine) return null;
  const text = TEXTS[engine.state];
  return (
    <Hint label={engine.message || text}>
      <span className={`engine engine-${engine.state}`} role="status" aria-label={text} tabIndex={0}>
        <span className="engine-dot" aria-hidden />
        <span className="engine-text">{engine.state === "ready" ? "Spark" : text}</span>
      </span>
    </Hint>
  );
}
