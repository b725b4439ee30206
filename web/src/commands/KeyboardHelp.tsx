import { Dialog } from "../app/Dialog";
import { Keys } from "../app/Keys";
import type { Command } from "./command";
import "./KeyboardHelp.css";

interface KeyboardHelpProps {
  commands: readonly Command[];
  onClose: () => void;
}

const SECTIONS = ["Cell", "Notebook", "View"] as const;
/** Keys that a grid takes itself while it has the focus. */
const IN_DATA = [
  { id: "doubt-below", title: "Go to the next row in doubt", keys: ["alt+arrowdown"] },
  { id: "doubt-above", title: "Go to the previous row in doubt", keys: ["alt+arrowup"] },
];
const TEXT_HINT =
  "In command mode (Escape) keys act on the selected cell; while typing, those with Ctrl, Cmd or Shift-Enter do.";

export function KeyboardHelp({ commands, onClose }: KeyboardHelpProps) {
  return (
    <Dialog title="Keyboard" description={TEXT_HINT} size="wide" onClose={onClose}>
      <div className="keyboard-help">
        {SECTIONS.map((section) => (
          <Section key={section} title={section} commands={commands.filter((command) => command.section === section)} />
        ))}
        <Section title="Data" commands={IN_DATA} />
      </div>
    </Dialog>
  );
}

function Section({ title, commands }: { title: string; commands: readonly Pick<Command, "id" | "title" | "keys">[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {commands
          .filter((command) => command.keys?.length)
          .map((command) => (
            <div key={command.id}>
              <dt>{command.title}</dt>
              <dd>
                {command.keys?.map((keys) => (
                  <Keys key={keys} keys={keys} />
                ))}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
