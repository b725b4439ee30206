import { expect, it } from "vitest";
import { runWith } from "../testing/samples";
import { beyond, listed, staysInside } from "./outside";

const { outside } = runWith({});

it("finds nothing beyond the notebook in names and in what was looked for in vain", () => {
  expect(staysInside(beyond(runWith({ reads: { x: "a", "file:/tmp/gone.csv": null, "@random": "b" } })))).toBe(true);
});

it("tells what a result rests on, and why it may differ", () => {
  const run = runWith({
    reads: { "file:/tmp/a.csv": "a", "variable:HOME": "b" },
    outside: { ...outside, clock: true, network: ["example.org:443"], complete: false },
  });
  const found = beyond(run);
  expect(found.files).toEqual(["/tmp/a.csv"]);
  expect(found.variables).toEqual(["HOME"]);
  expect(listed(found.chances)).toBe(
    "read the clock, used the network and did things with files that could not be seen",
  );
});
