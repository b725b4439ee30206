import { describe, expect, it } from "vitest";
import { cellWith, datasetWith, runWith, valueWith } from "../testing/samples";
import { namedOf, variablesAfter } from "./names";

const sortOf = (name: string, type: string, text: string) => namedOf(valueWith(name, { type, text })).sort;

describe("namedOf", () => {
  it("tells modules, functions and classes from values", () => {
    expect(sortOf("np", "module", "module numpy")).toBe("module");
    expect(sortOf("area", "function", "function area")).toBe("function");
    expect(sortOf("Shape", "abc.ABCMeta", "ABCMeta Shape")).toBe("class");
    expect(sortOf("x", "list", "[1, 2]")).toBe("value");
    expect(sortOf("title", "str", "'str ing'")).toBe("value");
  });

  it("tells what libraries remember, and files, by their names", () => {
    expect(sortOf("@random", "tuple", "(3,)")).toBe("state");
    const file = datasetWith({ kind: "file", size: 12 });
    expect(namedOf({ name: "./out/table.csv", artifact: file })).toMatchObject({ sort: "file", name: "out/table.csv" });
  });
});

describe("variablesAfter", () => {
  const x = (text: string) => valueWith("x", { type: "int", text });
  const cells = [
    cellWith({ handle: "a", outputs: [x("1"), valueWith("y", { type: "int", text: "5" })] }),
    cellWith({ handle: "b", outputs: [x("2")], run: runWith({ deletes: ["y"] }) }),
    cellWith({ handle: "c", outputs: [x("3")] }),
  ];

  it("has of each name what the last cell up to here made of it", () => {
    const variables = variablesAfter(cells, "b");
    expect(variables.map(({ name, text, maker }) => [name, text, maker])).toEqual([["x", "2", "b"]]);
  });

  it("looks at the whole notebook if no cell is selected", () => {
    expect(variablesAfter(cells, null)[0]?.text).toBe("3");
  });
});
