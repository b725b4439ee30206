import { useLayoutEffect, useMemo, useRef } from "react";
import type { TextMessage } from "../../api/types";
import { collapseReturns, terminalSpans } from "./terminal";

/** As much as a person can follow; laying out a megabyte anew for each line would stall the page. */
const LIVE_TAIL = 20_000;

/** What a cell printed. While it runs, the last lines stay in sight. */
export function TextOutput({ message, live }: { message: TextMessage; live: boolean }) {
  const element = useRef<HTMLPreElement>(null);
  const text = live ? message.text.slice(-LIVE_TAIL) : message.text;
  const spans = useMemo(() => terminalSpans(collapseReturns(text)), [text]);
  useLayoutEffect(() => {
    if (live && element.current) element.current.scrollTop = element.current.scrollHeight;
  }, [live, spans]);
  const label = message.stream === "stderr" ? "Printed to standard error" : "Printed output";
  return (
    <pre ref={element} className={`output-text output-${message.stream}`} aria-label={label} tabIndex={0}>
      {spans.map((span, index) => (
        <span key={index} className={span.classes || undefined}>
          {span.text}
        </span>
      ))}
    </pre>
  );
}
