import { Dialog } from "../app/Dialog";
import { Keys } from "../app/Keys";
import type { Command } from "./command";
import "./KeyboardHelp.css";

interface KeyboardHelpProps {
  commands: readonly Command[];
  onClose: () => void;
}

const SECTIONS = ["Cell", "Notebook", "View"] as const;
const TEXT_HINT =
  "In command mode (Escape) keys act on the selected cell; while typing, those with Ctrl, Cmd or Shift-Enter do.";

export function KeyboardHelp({ commands, onClose }: KeyboardHelpProps) {
  return (
    <Dialog title="Keyboard" description={TEXT_HINT} size="wide" onClose={onClose}>
      <div className="keyboard-help">
        {SECTIONS.map((section) => (
          <section key={section}>
            <h3>{section}</h3>
            <dl>
              {commands
                .filter((command) => command.section === section && command.keys?.length)
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
        ))}
      </div>
    </Dialog>
  );
}
