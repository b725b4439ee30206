import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { DisplayMessage } from "../../api/types";
import { DisplayOutput } from "./DisplayOutput";

afterEach(cleanup);

function show(message: Partial<DisplayMessage>) {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <DisplayOutput message={{ type: "display", data: {}, artifacts: {}, ...message }} />
    </QueryClientProvider>,
  ).container;
}

it("shows a text that is too long for its message", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("[0, 1, 2]")));
  show({ artifacts: { "text/plain": "a" } });
  expect((await screen.findByText("[0, 1, 2]")).tagName).toBe("PRE");
});

it("gives HTML with scripts no way into the app, and HTML in the app's origin no scripts", () => {
  const served = show({ artifacts: { "text/html": "a" } }).querySelector("iframe");
  expect(served?.getAttribute("sandbox")).toBe("allow-scripts");
  const inline = show({ data: { "text/html": "<b>x</b>" } }).querySelector("iframe");
  expect(inline?.getAttribute("sandbox")).toBe("allow-same-origin");
});

it("shows SVG as an image only", () => {
  const shown = show({ data: { "image/svg+xml": "<svg onload='alert(1)'/>" } });
  expect(shown.querySelector("svg")).toBeNull();
  expect(shown.querySelector("img")?.src).toContain("data:image/svg+xml,");
});
