/** Something a person can do: in the palette, by key, and in the list of keys. */
export interface Command {
  id: string;
  title: string;
  section: "Cell" | "Notebook" | "Go to" | "View";
  /** Strokes such as `mod+k` or `d d`; the first is shown. */
  keys?: readonly string[];
  /** Its keys work while somebody types, too. */
  whileTyping?: boolean;
  /** Its keys work where rows of data have the focus, too. */
  inData?: boolean;
  disabled?: boolean;
  run: () => void;
}

const SHIFTED_LETTER = /^[A-Z]$/;

/** The stroke of a key event, spelt as in a command's keys. */
export function strokeOf(event: KeyboardEvent): string {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("mod");
  if (event.shiftKey && (SHIFTED_LETTER.test(event.key) || event.key.length > 1)) parts.push("shift");
  if (event.altKey) parts.push("alt");
  return [...parts, event.key.toLowerCase()].join("+");
}

export type Match = { command: Command } | { prefix: true } | null;

/** The command that strokes stand for, or whether they could become one. */
export function matchStrokes(commands: readonly Command[], strokes: readonly string[]): Match {
  const typed = strokes.join(" ");
  const all = commands.flatMap((command) => (command.keys ?? []).map((keys) => ({ command, keys })));
  const exact = all.find(({ keys }) => keys === typed);
  if (exact) return { command: exact.command };
  return all.some(({ keys }) => keys.startsWith(`${typed} `)) ? { prefix: true } : null;
}
