import { describe, expect, it } from "vitest";
import type { CellLink } from "../api/types";
import { layoutOf, NODE } from "./layout";

const link = (writer: string, reader: string, name: string, observed = true): CellLink => ({
  writer,
  reader,
  name,
  observed,
  artifact: null,
});

describe("layoutOf", () => {
  const layout = layoutOf(["a", "b", "c", "d"], [link("a", "c", "x"), link("a", "c", "y"), link("c", "d", "*", false)]);
  const row = (handle: string) => layout.places.find((place) => place.handle === handle)?.y ?? NaN;

  it("puts a cell below all that it reads from, and beside those that can run with it", () => {
    expect(row("a")).toBe(row("b"));
    expect(row("c")).toBeGreaterThan(row("a"));
    expect(row("d")).toBeGreaterThan(row("c"));
  });

  it("draws one line for all that passes between two cells", () => {
    expect(layout.arrows.map(({ from, to, names, observed }) => [from, to, names, observed])).toEqual([
      ["a", "c", "x, y", true],
      ["c", "d", "anything", false],
    ]);
  });

  it("leads a line past the cells of the layers between", () => {
    const chain = layoutOf(["a", "b", "c"], [link("a", "b", "x"), link("b", "c", "y"), link("a", "c", "z")]);
    const between = chain.places.find((place) => place.handle === "b");
    const long = chain.arrows.find(({ from, to }) => from === "a" && to === "c");
    const xs = [...(long?.path.matchAll(/L(-?[\d.]+),/g) ?? [])].map((match) => Number(match[1]));
    expect(xs.length).toBe(1);
    expect(Math.abs((xs[0] ?? 0) - (between?.x ?? 0))).toBeGreaterThan(NODE.width / 2);
  });
});
