import { expect, it } from "vitest";
import { titleOf } from "./question";

it("says what is asked about, rows counted from one", () => {
  const sales = { cell: "c", name: "sales" };
  expect(titleOf({ ...sales, row: 16, column: "amount" })).toBe("amount in row 17 of sales");
  expect(titleOf({ ...sales, row: 0 })).toBe("Row 1 of sales");
  expect(titleOf({ ...sales, column: "amount" })).toBe("amount of sales");
  expect(titleOf({ ...sales, missing: true })).toBe("Rows left out of sales");
  expect(titleOf(sales)).toBe("Caveats of sales");
});
