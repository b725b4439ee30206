import { Popover } from "radix-ui";
import type { LiveCell } from "../api/live";
import { Hint } from "../app/Button";
import { beyond, listed, staysInside, type Beyond } from "./outside";
import "./OutsideMark.css";

const PARTS: readonly [keyof Beyond, string][] = [
  ["hosts", "Network"],
  ["programs", "Programs it ran"],
  ["written", "Files it changed elsewhere"],
  ["files", "Files it read elsewhere"],
  ["variables", "Variables of the environment it read"],
];
const MOST_LISTED = 100;

/** Says that a result rests on more than the notebook, and on what. */
export function OutsideMark({ cell: { kind, run } }: { cell: LiveCell }) {
  // An Export cell is there for what it writes, and says so.
  if (!run?.finished || kind === "export") return null;
  const what = beyond(run);
  if (staysInside(what)) return null;
  const differs = what.chances.length > 0;
  const words = differs
    ? `May differ if run again: the cell ${listed(what.chances)}.`
    : "Rests on more than the notebook. The cell is out of date once that changes.";
  return (
    <Popover.Root>
      <Hint label={words}>
        <Popover.Trigger asChild>
          <button type="button" className={differs ? "cell-mark outside-differs" : "cell-mark"} aria-label={words}>
            <span aria-hidden>{differs ? "≈" : "↗"}</span> {differs ? "may differ" : "reads outside"}
          </button>
        </Popover.Trigger>
      </Hint>
      <Popover.Portal>
        <Popover.Content
          className="outside-details"
          aria-label="What the cell did outside the notebook"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          // Keys are for the details, not for the notebook underneath.
          onKeyDown={(event) => event.stopPropagation()}
        >
          <p>{words}</p>
          {PARTS.map(([part, title]) => (
            <Details key={part} title={title} entries={what[part]} />
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Details({ title, entries }: { title: string; entries: readonly string[] }) {
  if (entries.length === 0) return null;
  const more = entries.length - MOST_LISTED;
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {entries.slice(0, MOST_LISTED).map((entry) => (
          <li key={entry}>{entry}</li>
        ))}
      </ul>
      {more > 0 && <p>and {more} more</p>}
    </section>
  );
}
