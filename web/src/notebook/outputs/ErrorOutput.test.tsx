import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { CellError } from "../../api/types";
import { NotebookContext, type NotebookPageContext } from "../context";
import { ErrorOutput } from "./ErrorOutput";

afterEach(cleanup);

const MISSING: CellError = { code: "python_exception", message: "ModuleNotFoundError", offer: "scikit-learn" };

function show(error: CellError, expected = false) {
  const addPackage = vi.fn(() => Promise.resolve());
  const context = { actions: { addPackage } } as unknown as NotebookPageContext;
  render(
    <NotebookContext value={context}>
      <ErrorOutput error={error} expected={expected} onGoToLine={vi.fn()} />
    </NotebookContext>,
  );
  return addPackage;
}

it("offers the package that a missing module is in", async () => {
  const addPackage = show(MISSING);
  await userEvent.click(screen.getByRole("button", { name: "Add scikit-learn to the packages" }));
  expect(addPackage).toHaveBeenCalledWith("scikit-learn");
});

it("is no alarm where a cell may fail", () => {
  show({ ...MISSING, offer: null }, true);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("note").textContent).toContain("ModuleNotFoundError");
});
