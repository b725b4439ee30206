import { expect, it } from "vitest";
import type { FilePreview } from "../../../api/types";
import { previewWith } from "../../../testing/samples";
import { hasSource, isUnnamed, questionOf, settled, sourceOf, withEntry, withGiven, withSource } from "./source";

const FOUND: FilePreview = previewWith({
  format: "csv",
  options: { delimiter: ";", header: true },
  columns: [{ name: "id", type: "int", is_text: true, formats: [], codes: [], proposed: [], note: "" }],
});

it("knows where the data is by the parameter that says so", () => {
  expect(sourceOf({})).toBe("file");
  expect(sourceOf({ file: "", url: "https://x.org/a.csv" })).toBe("url");
  expect(hasSource({ database: "sales" })).toBe(false);
  expect(hasSource({ database: "sales", table: "orders" })).toBe(true);
});

it("forgets what was said of the data before", () => {
  const before = { name: "a", path: "/a.csv", options: { header: true }, previous: "f".repeat(64), key: ["id"] };
  const after = { ...before, ...withSource({ url: "https://x.org/b.csv" }) };
  expect(JSON.parse(JSON.stringify(after))).toEqual({ name: "a", url: "https://x.org/b.csv", format: "auto" });
});

it("asks about files, not about tables", () => {
  expect(questionOf({})).toBeNull();
  expect(questionOf({ published: "rates" })).toBeNull();
  expect(questionOf({ path: "/a.csv", options: { header: true } })).toMatchObject({
    path: "/a.csv",
    format: "auto",
    options: { header: true },
  });
});

it("leaves nothing to guess of what was looked at", () => {
  const said = { options: { delimiter: ";" }, types: { id: { type: "string" }, gone: { type: "int" } }, key: ["gone"] };
  expect(settled(said, FOUND)).toEqual({
    format: "csv",
    options: { delimiter: ";", header: true },
    types: { id: { type: "string" } },
    key: [],
  });
  expect(settled(said, undefined)).toEqual({});
  expect(settled(said, previewWith({ format: "csv", more_columns: 1 })).types).toEqual(said.types);
});

it("suggests a name until somebody gave one", () => {
  expect(isUnnamed({ name: "data_2" }, "")).toBe(true);
  expect(isUnnamed({ name: "sales" }, "sales")).toBe(true);
  expect(isUnnamed({ name: "mine" }, "sales")).toBe(false);
});

it("drops what says nothing", () => {
  expect(withEntry({ a: 1, b: 2 }, "a", undefined)).toEqual({ b: 2 });
  expect(withGiven(undefined, { type: "date" })).toEqual({ type: "date", formats: [], codes: null });
  expect(withGiven({ type: "date", formats: [], codes: null }, { type: "" })).toBeUndefined();
  expect(withGiven(undefined, { codes: [] })).toEqual({ type: "", formats: [], codes: [] });
});
