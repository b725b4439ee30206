import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ChangesOutput } from "./ChangesOutput";
import { changesIn, linesOf, type Changes } from "./changes";

afterEach(cleanup);

const CHANGES: Changes = {
  columns: ["id", "age", "mail"],
  columns_before: ["id", "name", "age"],
  added: 0,
  removed: 500,
  altered: 1,
  added_rows: [],
  removed_rows: [{ row: 6, values: ["7", "Gus", null], before: {} }],
  altered_rows: [{ row: 1, values: ["2", "46", "b@c"], before: { age: "45" } }],
};

it("shows what was there before beside what is there now, when asked", () => {
  render(<ChangesOutput changes={CHANGES} words="Reloaded: 1 altered." />);
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.queryByRole("button", { name: /added/ })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "1 altered" }));
  expect(screen.getByText("45").tagName).toBe("DEL");
  expect(screen.getByText("46", { exact: false })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "500 removed" }));
  expect(screen.getByText("The first 1 of 500.")).toBeTruthy();
});

it("puts the values of rows from before under the columns that are still there", () => {
  const [line] = linesOf(CHANGES, "removed");
  expect(line?.cells.map(({ value }) => value)).toEqual(["7", null, undefined, "Gus"]);
});

it("shows of very many columns those that differ, and some of the others", () => {
  const columns = Array.from({ length: 5000 }, (_, place) => `c${place}`);
  const altered_rows = [{ row: 0, values: columns.map(() => "1"), before: { c4321: "0" } }];
  const wide = { ...CHANGES, columns, columns_before: columns, altered: 1, altered_rows };
  render(<ChangesOutput changes={wide} words="Reloaded: 1 altered." />);
  fireEvent.click(screen.getByRole("button", { name: "1 altered" }));
  const names = screen.getAllByRole("columnheader").map((head) => head.textContent);
  expect([names.length, names[1], names.at(-2), names.at(-1)]).toEqual([101, "c0", "c98", "c4321"]);
  expect(screen.getByText("0").tagName).toBe("DEL");
  screen.getByText("Shown: 100 of 5,000 columns, those that differ among them.");
});

it("does not trust whatever comes under its name", () => {
  expect(changesIn(CHANGES)).toBe(CHANGES);
  for (const other of [null, 3, [], {}, { ...CHANGES, added_rows: [null] }, { ...CHANGES, columns: [1] }]) {
    expect(changesIn(other)).toBeNull();
  }
  const odd = [{ row: 1, values: [{}], before: {} }];
  expect(changesIn({ ...CHANGES, altered_rows: odd })).toBeNull();
});
