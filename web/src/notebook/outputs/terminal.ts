/** A piece of printed text with the classes that its escape codes stand for. */
export interface Span {
  text: string;
  classes: string;
}

// eslint-disable-next-line no-control-regex
const ESCAPE = /\u001b\[([0-9;]*)m|\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007/g;
const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** What a terminal would have left standing: text before a carriage return is overwritten by what follows it. */
export function collapseReturns(text: string): string {
  if (!text.includes("\r")) return text;
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "").join("\n");
}

/** Printed text as spans: colours and weights become classes, other escape codes vanish. */
export function terminalSpans(text: string): Span[] {
  const spans: Span[] = [];
  let active = new Set<string>();
  let from = 0;
  const push = (until: number) => {
    if (until > from) spans.push({ text: text.slice(from, until), classes: [...active].join(" ") });
  };
  for (const match of text.matchAll(ESCAPE)) {
    push(match.index);
    from = match.index + match[0].length;
    if (match[1] !== undefined) active = restyled(active, match[1]);
  }
  push(text.length);
  return spans;
}

function restyled(active: Set<string>, codes: string): Set<string> {
  const next = new Set(active);
  for (const code of codes.split(";").map(Number)) {
    const colour = COLOURS[code >= 90 ? code - 90 : code - 30];
    if (code === 0) next.clear();
    else if (code === 1) next.add("ansi-bold");
    else if (code === 22) next.delete("ansi-bold");
    else if (code === 39) dropColour(next);
    else if (colour) {
      dropColour(next);
      next.add(`ansi-${colour}`);
    }
  }
  return next;
}

function dropColour(classes: Set<string>): void {
  for (const colour of COLOURS) classes.delete(`ansi-${colour}`);
}
