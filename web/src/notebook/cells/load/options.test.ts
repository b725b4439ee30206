import { expect, it } from "vitest";
import { fieldsOf, readingText, valueOf, wordOf } from "./options";

const properties = {
  delimiter: { anyOf: [{ type: "string" }, { type: "null" }], default: null, examples: [",", ";"], description: "…" },
  header: { anyOf: [{ type: "boolean" }, { type: "null" }], default: null },
  fill_merged: { type: "boolean", default: false },
  form: { type: "string", enum: ["auto", "lines"], default: "auto" },
  starts: { type: "array", items: { type: "integer" }, default: [] },
  width: { type: "integer", default: 0 },
  sheet: { type: "string", default: "" },
};
const fields = fieldsOf({ name: "x", title: "X", extensions: [], options: { properties } });

it("makes a field of each option by its schema", () => {
  expect(fields.map(({ title, kind, found }) => [title, kind, found])).toEqual([
    ["Delimiter", "choice", true],
    ["Header", "choice", true],
    ["Fill merged", "choice", false],
    ["Form", "choice", true],
    ["Starts", "numbers", true],
    ["Width", "number", true],
    ["Sheet", "text", true],
  ]);
  expect(fields[0]).toMatchObject({ choices: [",", ";"], examples: true });
  expect(fields[3]?.choices).toEqual(["lines"]);
});

it("reads what is written as the option has it", () => {
  const [, , , , starts, width, sheet] = fields;
  expect(starts && valueOf(starts, "1, 10 20")).toEqual([1, 10, 20]);
  expect(width && valueOf(width, "7")).toBe(7);
  expect(width && valueOf(width, "x")).toBe("x");
  expect(sheet && valueOf(sheet, " ")).toBeUndefined();
});

it("has words for what can't be seen", () => {
  expect(["\t", "", true, null, [1, 2], "utf-8"].map(wordOf)).toEqual(["tab", "none", "yes", "none", "1, 2", "utf-8"]);
});

it("says in short how a file is read", () => {
  expect(readingText("CSV", { delimiter: ",", header: true, encoding: "utf-8" })).toBe("CSV; comma; header");
  expect(readingText("CSV", { delimiter: "\t", header: false, encoding: "cp1252" })).toBe("CSV; tab; no header; cp1252");
  expect(readingText("Excel, ODS", { sheet: "May", header: 3 })).toBe("Excel, ODS; May");
  expect(readingText("Parquet", {})).toBe("Parquet");
});
