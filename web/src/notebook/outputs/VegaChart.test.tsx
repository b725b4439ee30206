import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import VegaChart from "./VegaChart";

afterEach(cleanup);

const BARS = {
  $schema: "https://vega.github.io/schema/vega-lite/v5.json",
  data: { values: [{ a: "x", b: 2 }] },
  mark: "bar",
  encoding: { x: { field: "a" }, y: { field: "b", type: "quantitative" } },
};

function show(spec: unknown) {
  return render(<VegaChart type="application/vnd.vegalite.v5+json" spec={spec} />).container;
}

it("draws a chart", async () => {
  const shown = show(BARS);
  await vi.waitFor(() => expect(shown.querySelector("svg .mark-rect path")).not.toBeNull());
});

it("fetches nothing, whatever the chart asks for, and says so", async () => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  const options = { loader: { baseURL: "/api/v1/" }, ast: false, actions: true, config: "/api/v1/status" };
  show({ ...BARS, data: { url: "/api/v1/projects" }, usermeta: { embedOptions: options } });
  expect(await screen.findByText(/\/api\/v1\/projects is not loaded/)).toBeDefined();
  expect(fetched).not.toHaveBeenCalled();
});

it("interprets expressions, so that none can get at the page", async () => {
  const escape = "datum.constructor.constructor('document.title = \"taken\"')()";
  const shown = show({ ...BARS, transform: [{ calculate: escape, as: "c" }] });
  await vi.waitFor(() => expect(shown.querySelector("svg, p")).not.toBeNull());
  expect(shown.ownerDocument.title).not.toBe("taken");
});

it("says what is wrong with a chart that can't be drawn", async () => {
  show({ ...BARS, mark: undefined, layer: 3 });
  expect(await screen.findByText(/This chart can’t be drawn/)).toBeDefined();
});
