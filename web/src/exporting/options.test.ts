import { expect, it } from "vitest";
import { chosenOf, optionsOf } from "./options";

const SCHEMA = {
  properties: {
    marks: { type: "string", enum: ["none", "some"], default: "some", description: "Columns such as `a_in_doubt`." },
    header: { type: "boolean", default: true },
    line_end: { type: "string", default: ",", maxLength: 1 },
  },
};

it("makes fields of a schema", () => {
  const [marks, lineEnd, header] = optionsOf(SCHEMA);
  expect(marks).toMatchObject({ kind: "choice", choices: ["none", "some"], hint: "Columns such as a_in_doubt." });
  expect(header).toMatchObject({ kind: "switch", initial: true });
  expect(lineEnd).toMatchObject({ title: "Line end", kind: "text", longest: 1 });
  expect(optionsOf({})).toEqual([]);
});

it("keeps only what was chosen, and what the format knows", () => {
  const chosen = { marks: "some", header: false, sheet: "of another format" };
  expect(chosenOf(optionsOf(SCHEMA), chosen)).toEqual({ header: false });
});
