import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { afterEach, expect, it } from "vitest";
import { cellWith, runWith } from "../testing/samples";
import { OutsideMark } from "./OutsideMark";

afterEach(cleanup);

function show(run: Parameters<typeof runWith>[0]) {
  const finished = "2024-05-01T10:00:01Z";
  render(
    <Tooltip.Provider>
      <OutsideMark cell={cellWith({ run: runWith({ finished, ...run }) })} />
    </Tooltip.Provider>,
  );
}

it("says at the cell that its result may differ, and on what it rests when the key is pressed there", async () => {
  show({ outside: { ...runWith({}).outside, randomness: true, files_written: ["/tmp/out.csv"] } });
  await userEvent.tab();
  const words = "May differ if run again: the cell drew random numbers and changed files elsewhere.";
  expect(document.activeElement?.getAttribute("aria-label")).toBe(words);
  await userEvent.keyboard("{Enter}");
  expect(screen.getByText("/tmp/out.csv").tagName).toBe("LI");
});

it("is silent about runs that stay inside", () => {
  show({ reads: { x: "a" } });
  expect(screen.queryByRole("button")).toBeNull();
});
