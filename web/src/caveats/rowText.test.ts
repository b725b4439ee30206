import { expect, it } from "vitest";
import { rowText } from "./rowText";

it("counts rows from one, as the grid does", () => {
  expect(rowText("sales:16")).toBe("row 17 of sales");
});

it("tells records of a file from rows of a dataset", () => {
  expect(rowText("captured:sales.csv:1200")).toBe("record 1,201 of sales.csv");
});

it("shortens identities, and leaves names alone that people gave", () => {
  expect(rowText("FEFCE9A90E4FF5D1-BD3A92849FE54B34")).toBe("row FEFCE9A9…");
  expect(rowText("FEA1E4AF49683967-8581440E5ECDFDC")).toBe("row FEA1E4AF…");
  expect(rowText("order 4711")).toBe("order 4711");
});
