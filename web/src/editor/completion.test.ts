import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { cellWith, datasetWith } from "../testing/samples";
import { pythonNames, sqlColumns } from "./completion";
import { scopeBefore } from "./scope";

const columns = ["amount", "sold at"].map((name) => ({ name, type: "double", nullable: true }));
const cells = [
  cellWith({ handle: "a", outputs: [{ name: "sales", artifact: datasetWith({ columns }) }] }),
  cellWith({ handle: "b" }),
  cellWith({ handle: "c", outputs: [{ name: "later", artifact: datasetWith({}) }] }),
];
const scope = scopeBefore(cells, "b");

function labels(source: (context: CompletionContext) => unknown, text: string): string[] {
  const result = source(new CompletionContext(EditorState.create({ doc: text }), text.length, false));
  return (result as CompletionResult | null)?.options.map((option) => option.label) ?? [];
}

describe("scopeBefore", () => {
  it("holds what cells above have written, and nothing from below", () => {
    expect([...scope.keys()]).toEqual(["sales"]);
  });
});

describe("sqlColumns", () => {
  it("quotes names that need it", () => {
    const state = EditorState.create({ doc: "SELECT s" });
    const result = sqlColumns(scope)(new CompletionContext(state, 8, false)) as CompletionResult;
    expect(result.options.map((option) => option.apply)).toEqual(["amount", "`sold at`"]);
  });
});

describe("pythonNames", () => {
  it("offers dataset names, columns as attributes and as keys, and what tb can do", () => {
    expect(labels(pythonNames(scope), "sa")).toEqual(["sales", "tb"]);
    expect(labels(pythonNames(scope), "x = sales.am")).toEqual(["amount"]);
    expect(labels(pythonNames(scope), 'sales["so')).toEqual(["amount", "sold at"]);
    expect(labels(pythonNames(scope), "tb.")).toContain("dataset");
  });

  it("offers nothing after an unknown name", () => {
    expect(labels(pythonNames(scope), "unknown.a")).toEqual([]);
  });
});
