import { describe, expect, it } from "vitest";
import { matchStrokes, strokeOf, type Command } from "./command";

const command = (id: string, ...keys: string[]): Command => ({
  id,
  title: id,
  section: "Cell",
  keys,
  run: () => undefined,
});
const commands = [
  command("delete", "d d"),
  command("palette", "mod+k"),
  command("redo", "shift+z"),
  command("help", "?"),
];
const stroke = (key: string, modifiers: KeyboardEventInit = {}) =>
  strokeOf(new KeyboardEvent("keydown", { key, ...modifiers }));

describe("matchStrokes", () => {
  it("waits for the second stroke of a sequence", () => {
    expect(matchStrokes(commands, ["d"])).toEqual({ prefix: true });
    expect(matchStrokes(commands, ["d", "d"])).toMatchObject({ command: { id: "delete" } });
    expect(matchStrokes(commands, ["d", "k"])).toBeNull();
  });
});

describe("strokeOf", () => {
  it("takes Ctrl and Cmd for the same", () => {
    expect(stroke("k", { ctrlKey: true })).toBe("mod+k");
    expect(stroke("k", { metaKey: true })).toBe("mod+k");
  });

  it("names Shift with letters and named keys, not with the signs it makes", () => {
    expect(stroke("Z", { shiftKey: true })).toBe("shift+z");
    expect(stroke("Enter", { shiftKey: true })).toBe("shift+enter");
    expect(stroke("?", { shiftKey: true })).toBe("?");
  });
});
