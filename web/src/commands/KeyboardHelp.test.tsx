import { readFileSync } from "node:fs";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { notebookCommands } from "../notebook/commands";
import { notebookWith } from "../testing/samples";
import { KeyboardHelp } from "./KeyboardHelp";

afterEach(cleanup);

const source = { notebook: notebookWith([]), control: { selection: { handle: null } }, open: {} };
const commands = notebookCommands(source as unknown as Parameters<typeof notebookCommands>[0]);

it("lists the commands that have keys, and the keys that a grid takes itself", () => {
  render(<KeyboardHelp commands={commands} onClose={vi.fn()} />);
  for (const { title, section, keys } of commands) {
    if (keys?.length && section !== "Go to") expect(screen.getAllByText(title).length).toBeGreaterThan(0);
  }
  expect(screen.getByText("Go to the next row in doubt")).toBeTruthy();
});

const SPELT: Record<string, string> = {
  mod: "`Ctrl`",
  enter: "`Enter`",
  escape: "`Esc`",
  arrowdown: "arrows",
  arrowup: "arrows",
  "shift+enter": "`Shift`+`Enter`",
  "mod+shift+enter": "`Ctrl`+`Shift`+`Enter`",
  "alt+arrowdown": "`Alt-↓`",
  "alt+arrowup": "`Alt-↑`",
};

function spelt(keys: string): string {
  const shifted = /^shift\+([a-z])$/.exec(keys)?.[1];
  if (shifted) return `\`${shifted.toUpperCase()}\``;
  const whole = SPELT[keys];
  if (whole) return whole;
  const [first, ...rest] = keys.split("+");
  const name = (key: string) => SPELT[key] ?? `\`${rest.length ? key.toUpperCase() : key}\``;
  if (rest.length) return [first ?? "", ...rest].map(name).join("+");
  return keys.split(" ").map(name).join(" ");
}

it("has every key in the guide", () => {
  const guide = readFileSync("../docs/guide.md", "utf8").split("## Keys")[1] ?? "";
  const missing = commands.flatMap(({ keys }) => keys ?? []).filter((keys) => !guide.includes(spelt(keys)));
  expect(missing).toEqual([]);
});
