import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { LiveCell } from "../api/live";
import { CellProgress } from "./CellState";

const running = (progress: LiveCell["progress"]) => ({ state: "running", progress }) as LiveCell;

it.each([
  [{ label: "Fetching", done: 458_227_712, total: null, in_bytes: true }, "Fetching 458 MB"],
  [{ label: "Copying", done: 1_500_000, total: 3_000_000, in_bytes: true }, "Copying 1.5 MB / 3.0 MB"],
  [{ label: "Rows written", done: 131_072, total: 3_000_000, in_bytes: false }, "Rows written 131,072 / 3,000,000"],
])("tells how far a cell is as people do", (progress, words) => {
  render(<CellProgress cell={running(progress)} />);
  expect(screen.getByText(words)).toBeDefined();
});
