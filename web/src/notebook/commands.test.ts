import { expect, it, vi } from "vitest";
import { cellWith, notebookWith } from "../testing/samples";
import type { NotebookActions } from "./actions";
import { notebookCommands } from "./commands";

it("does not act on a selected cell that is gone", () => {
  const insert = vi.fn(() => Promise.resolve(undefined));
  const commands = notebookCommands({
    notebook: notebookWith([cellWith({ handle: "a" })]),
    atHead: true,
    actions: { insert } as unknown as NotebookActions,
    control: { selection: { handle: "gone", mode: "command", request: 1 }, select: vi.fn(), follow: vi.fn() },
    runCell: vi.fn(),
    open: { palette: vi.fn(), help: vi.fn(), history: vi.fn() },
    goTo: vi.fn(),
  });
  const command = (id: string) => commands.find((known) => known.id === id);
  expect(command("delete")?.disabled).toBe(true);
  command("insert-below")?.run();
  expect(insert).toHaveBeenCalledWith("python", "a");
});
