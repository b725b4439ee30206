import { describe, expect, it, vi } from "vitest";
import { cellWith, datasetWith, notebookWith } from "../testing/samples";
import type { NotebookActions } from "./actions";
import { notebookCommands } from "./commands";

type Source = Parameters<typeof notebookCommands>[0];

function commandsWith(parts: Partial<Source>, selected: string) {
  const commands = notebookCommands({
    notebook: notebookWith([cellWith({ handle: "a" })]),
    atHead: true,
    actions: {} as NotebookActions,
    control: { selection: { handle: selected, mode: "command", request: 1 }, select: vi.fn(), follow: vi.fn() },
    runCell: vi.fn(),
    open: { palette: vi.fn(), help: vi.fn(), history: vi.fn(), variables: vi.fn(), packages: vi.fn(), graph: vi.fn() },
    pointed: null,
    panelOpen: false,
    ask: vi.fn(),
    takeOut: vi.fn(),
    closePanel: vi.fn(),
    goTo: vi.fn(),
    ...parts,
  });
  return (id: string) => commands.find((known) => known.id === id);
}

it("does not act on a selected cell that is gone", () => {
  const insert = vi.fn(() => Promise.resolve(undefined));
  const command = commandsWith({ actions: { insert } as unknown as NotebookActions }, "gone");
  expect(command("delete")?.disabled).toBe(true);
  command("insert-below")?.run();
  expect(insert).toHaveBeenCalledWith("python", "a", undefined, expect.any(String));
});

it("selects a new cell before it is there, and comes back if it could not be made", async () => {
  const insert = vi.fn<NotebookActions["insert"]>(() => Promise.resolve(undefined));
  const select = vi.fn();
  const control = { selection: { handle: "a", mode: "command" as const, request: 1 }, select, follow: vi.fn() };
  const command = commandsWith({ actions: { insert } as unknown as NotebookActions, control }, "a");
  command("insert-below")?.run();
  expect(select).toHaveBeenLastCalledWith(insert.mock.calls[0]?.[3]);
  await vi.waitFor(() => expect(select).toHaveBeenLastCalledWith("a"));
});

describe("questions about doubts", () => {
  const outputs = ["first", "second"].map((name) => ({ name, artifact: datasetWith({}) }));
  const notebook = notebookWith([cellWith({ handle: "a", outputs })]);

  it("are about what is selected in a grid, and its dataset", () => {
    const ask = vi.fn();
    const pointed = { cell: "a", name: "second", row: 3, column: "x" };
    const command = commandsWith({ notebook, pointed, ask }, "a");
    command("why")?.run();
    command("caveats")?.run();
    expect(ask.mock.calls).toEqual([[pointed], [{ cell: "a", name: "second" }]]);
  });

  it("are about the selected cell's first dataset when no grid says otherwise", () => {
    const ask = vi.fn();
    const command = commandsWith({ notebook, ask }, "a");
    expect(command("why")?.disabled).toBe(true);
    command("caveats")?.run();
    expect(ask).toHaveBeenCalledWith({ cell: "a", name: "first" });
  });
});
