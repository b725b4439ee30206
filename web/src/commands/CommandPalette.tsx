import { Command as Palette } from "cmdk";
import { Keys } from "../app/Keys";
import type { Command } from "./command";
import "./CommandPalette.css";

interface CommandPaletteProps {
  commands: readonly Command[];
  onClose: () => void;
}

const SECTIONS = ["Cell", "Notebook", "Go to", "View"] as const;

/** Every command by name. */
export function CommandPalette({ commands, onClose }: CommandPaletteProps) {
  const usable = commands.filter((command) => !command.disabled);
  const choose = (command: Command) => {
    onClose();
    // The palette gives the focus back as it closes; a command that moves the focus has to come after that.
    window.setTimeout(command.run);
  };
  return (
    <Palette.Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      label="Command palette"
      className="palette"
      overlayClassName="dialog-overlay"
      contentClassName="palette-content"
      loop
    >
      <Palette.Input placeholder="What do you want to do?" />
      <Palette.List>
        <Palette.Empty>No command of that name.</Palette.Empty>
        {SECTIONS.map((section) => (
          <Section key={section} section={section} commands={usable} onChoose={choose} />
        ))}
      </Palette.List>
    </Palette.Dialog>
  );
}

interface SectionProps {
  section: Command["section"];
  commands: readonly Command[];
  onChoose: (command: Command) => void;
}

function Section({ section, commands, onChoose }: SectionProps) {
  const own = commands.filter((command) => command.section === section);
  if (own.length === 0) return null;
  return (
    <Palette.Group heading={section}>
      {own.map((command) => (
        <Palette.Item key={command.id} value={`${command.title} ${command.id}`} onSelect={() => onChoose(command)}>
          {command.title}
          {command.keys?.[0] && <Keys keys={command.keys[0]} />}
        </Palette.Item>
      ))}
    </Palette.Group>
  );
}
