import { expect, it } from "vitest";
import { runWith } from "../testing/samples";
import { takenBy } from "./edition";

it("finds the edition that a run read, whatever is in its name", () => {
  expect(takenBy(runWith({ reads: { "published:sales: north:12": "0f" } }))).toEqual({ name: "sales: north", edition: 12 });
});

it("finds none where there is none", () => {
  expect(takenBy(null)).toBeNull();
  expect(takenBy(runWith({ reads: { sales: "0f", "file:/published:x:1": "0f" } }))).toBeNull();
});
