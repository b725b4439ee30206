import { expect, it } from "vitest";
import { bestOf, whyNone } from "./forms";

it.each([
  [["text/plain", "application/vnd.trailbook.changes+json"], "changes"],
  [["text/plain", "application/vnd.vegalite.v6.json"], "vega"],
  [["application/vnd.vegalite.v5+json", "image/png"], "vega"],
  [["application/vnd.vega.v5+json"], "vega"],
  [["text/html", "application/vnd.plotly.v1+json"], "plotly"],
  [["text/html", "text/plain", "image/png"], "image"],
  [["text/latex", "text/plain"], "latex"],
  [["application/json", "text/plain"], "json"],
  [["application/javascript", "text/plain"], "text"],
])("shows the richest of %j", (types, form) => {
  expect(bestOf(types)?.form).toBe(form);
});

it("says why nothing can be shown", () => {
  expect(bestOf(["application/javascript"])).toBeNull();
  expect(whyNone(["application/javascript"])).toContain("application/javascript");
  expect(bestOf(["text/html", "application/vnd.bokehjs_exec.v0+json"])).toBeNull();
  expect(whyNone(["application/vnd.bokehjs_exec.v0+json"])).toContain("Run the cell");
});
