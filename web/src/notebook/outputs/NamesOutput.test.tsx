import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { NO_DOUBT, valueWith } from "../../testing/samples";
import { namedOf } from "../names";
import { NamesOutput } from "./NamesOutput";

afterEach(cleanup);

it("marks values that rest on data in doubt, and tells why when asked", () => {
  const onAsk = vi.fn();
  const doubtful = valueWith("mean", { type: "float", text: "2.5" }, { ...NO_DOUBT, coarse: true });
  render(<NamesOutput names={[namedOf(doubtful)]} old={false} label={null} onAsk={onAsk} />);
  fireEvent.click(screen.getByRole("button", { name: "in doubt" }));
  expect(onAsk).toHaveBeenCalledWith("mean");
});

it("shows a few of many values until somebody wants all", () => {
  const names = Array.from({ length: 20 }, (_, n) => namedOf(valueWith(`x${n}`, { type: "int", text: String(n) })));
  render(<NamesOutput names={names} old={false} label={null} onAsk={vi.fn()} />);
  expect(screen.getAllByRole("listitem").length).toBe(8);
  fireEvent.click(screen.getByText("Show all 20 values"));
  expect(screen.getAllByRole("listitem").length).toBe(20);
});

it("tells of classes that a cell changed, not of those that it defined", () => {
  const states = ["@class:Box:3fa9:0", "@class:Lid:77b1:0", "@class:make.<locals>.Part:0c2d:0"];
  const names = [
    namedOf(valueWith("Lid", { type: "type", text: "type Lid" })),
    ...states.map((name) => namedOf(valueWith(name, { type: "trailbook.ClassState", text: "type Box" }))),
  ];
  render(<NamesOutput names={names} old={false} label={null} onAsk={vi.fn()} />);
  expect(screen.getByText("classes Lid · changes class Box")).toBeTruthy();
});
