import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useSelection } from "./selection";

it("moves the focus when asked, and never when it only follows it", () => {
  const { result } = renderHook(() => useSelection());
  act(() => result.current.select("a", "edit"));
  const first = result.current.selection.request;
  expect(first).toBeGreaterThan(0);
  act(() => result.current.follow("b", "command"));
  expect(result.current.selection).toEqual({ handle: "b", mode: "command", request: 0 });
  act(() => result.current.select("a", "edit"));
  expect(result.current.selection.request).toBeGreaterThan(first);
});
