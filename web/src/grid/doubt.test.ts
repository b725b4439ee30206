import { expect, it } from "vitest";
import { NO_DOUBT } from "../testing/samples";
import { doubtText, leftOutText } from "./doubt";

it("counts what is in doubt", () => {
  expect(doubtText({ ...NO_DOUBT, values: { a: 10, b: 2 }, rows: 3 })).toBe("12 values, 3 rows in doubt");
  expect(doubtText({ ...NO_DOUBT, values: { a: 1000 } })).toBe("1,000 values in doubt");
  expect(doubtText({ ...NO_DOUBT, rows: 1 })).toBe("1 row in doubt");
  expect(doubtText({ ...NO_DOUBT, phantoms: 2 })).toBe("2 rows left out");
  expect(doubtText({ ...NO_DOUBT, rows: 2, coarse: true })).toBe("all in doubt");
  expect(doubtText(NO_DOUBT)).toBeNull();
});

it("says how many rows were left out, and that there may be others", () => {
  expect(leftOutText({ ...NO_DOUBT, phantoms: 1 })).toBe("1 row left out in doubt");
  expect(leftOutText({ ...NO_DOUBT, phantoms: 2, open: true })).toBe("2 rows left out in doubt and perhaps others");
  expect(leftOutText({ ...NO_DOUBT, open: true })).toBe("Rows may be missing");
  expect(leftOutText({ ...NO_DOUBT, phantoms: 1, open: true })).toBe("Rows may be missing");
  expect(doubtText({ ...NO_DOUBT, phantoms: 1, open: true })).toBe("rows may be missing");
  expect(leftOutText(NO_DOUBT)).toBeNull();
});
