import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import { NameDialog } from "./Dialog";

afterEach(cleanup);

it("stays open with the server's message when a name is refused", async () => {
  const onClose = vi.fn();
  const refuse = () => Promise.reject(new ApiError(409, "name_taken", "There is already a branch “trial”."));
  render(<NameDialog title="Start a branch" label="Branch name" action="Start" onSubmit={refuse} onClose={onClose} />);
  await userEvent.type(screen.getByLabelText("Branch name"), "trial{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe("There is already a branch “trial”.");
  expect(onClose).not.toHaveBeenCalled();
});

it("submits a name once, however often Enter is pressed", async () => {
  const onSubmit = vi.fn(() => new Promise(() => undefined));
  render(<NameDialog title="New project" label="Project" action="Create" onSubmit={onSubmit} onClose={vi.fn()} />);
  await userEvent.type(screen.getByLabelText("Project"), "Sales{Enter}{Enter}");
  expect(onSubmit).toHaveBeenCalledTimes(1);
});
