import { expect, it } from "vitest";
import { isCsvName, optionsFor } from "./csv";

it("knows tables of text by their names, also packed ones", () => {
  expect(["a.csv", "B.TSV", "c.csv.gz", "d"].every(isCsvName)).toBe(true);
  expect(["a.json", "b.xlsx", "c.parquet.gz", "d.txt"].some(isCsvName)).toBe(false);
});

it("takes the first line for names only where there are lines", () => {
  expect(optionsFor("a.csv")).toEqual({ header: true });
  expect(optionsFor("a.parquet")).toEqual({});
});
