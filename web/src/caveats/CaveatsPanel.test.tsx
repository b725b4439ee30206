import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CaveatSet, Notebook, Question } from "../api/types";
import { NotebookContext, type NotebookPageContext } from "../notebook/context";
import { cellWith, datasetWith, notebookWith, setWith } from "../testing/samples";
import { CaveatsPanel } from "./CaveatsPanel";

interface Asked {
  path: string;
  signal: AbortSignal;
}

const QUESTION: Question = { cell: "c", name: "sales", row: 0, column: "amount" };
const cell = cellWith({ handle: "c", outputs: [{ name: "sales", artifact: datasetWith({}) }] });
const acknowledge = vi.fn(() => Promise.resolve(notebookWith([])));
const takeBack = vi.fn(() => Promise.resolve());
const select = vi.fn();
let asked: Asked[];
let sets: CaveatSet[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("fetch", (path: string, { signal }: { signal: AbortSignal }) => {
    asked.push({ path, signal });
    if (path.endsWith("/members")) return Promise.resolve(Response.json({ members: [{ message: "x", row: "7" }] }));
    const events = [
      { type: "candidates", sets: sets.map((set) => ({ ...set, count: null, examples: [] })) },
      ...sets.map((set) => ({ type: "set", set })),
      { type: "end" },
    ];
    return Promise.resolve(new Response(events.map((event) => JSON.stringify(event)).join("\n")));
  });
});
afterEach(cleanup);

function show(notebook: Notebook) {
  const client = new QueryClient();
  const actions = { acknowledge, takeBack };
  const context = { actions, select, closePanel: vi.fn() } as unknown as NotebookPageContext;
  const panel = (shown: Notebook) => (
    <QueryClientProvider client={client}>
      <Tooltip.Provider>
        <NotebookContext value={context}>
          <CaveatsPanel notebook={shown} question={QUESTION} onAsk={vi.fn()} onClose={vi.fn()} />
        </NotebookContext>
      </Tooltip.Provider>
    </QueryClientProvider>
  );
  const { rerender, unmount } = render(panel(notebook));
  return { show: (next: Notebook) => rerender(panel(next)), close: unmount };
}

it("lists few caveats, and one of many with the number of the others", async () => {
  const many = setWith({ id: "many", count: 42, examples: [{ message: "division by zero", row: "3" }] });
  sets = [setWith({ id: "one", cell: "c" }), many];
  show(notebookWith([cell]));
  expect(await screen.findByText("'12O' is not an int")).toBeTruthy();
  expect(screen.getByText("and 41 others")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show all" }));
  await waitFor(() => expect(asked.at(-1)?.path).toBe("/api/v1/branches/branch/versions/1/caveats/members"));
  await userEvent.click(screen.getByRole("button", { name: "cell 1 · SQL" }));
  expect(select).toHaveBeenCalledWith("c");
});

it("acknowledges the only caveat of a set by its message, several together", async () => {
  const two = setWith({ id: "two", count: 2, examples: ["a", "b"].map((message) => ({ message, row: null })) });
  sets = [setWith({ id: "one" }), two];
  show(notebookWith([cell]));
  await userEvent.click(await screen.findByRole("button", { name: "Acknowledge" }));
  await userEvent.keyboard("it is 120{Enter}");
  expect(acknowledge).toHaveBeenLastCalledWith(sets[0], "'12O' is not an int", "it is 120");
  await userEvent.click(screen.getByRole("button", { name: "Acknowledge b" }));
  const asksForNote = screen.getByText(/all that say exactly this/);
  expect(screen.getByText("b").closest("li")?.contains(asksForNote)).toBe(true);
  await userEvent.keyboard("{Enter}");
  expect(acknowledge).toHaveBeenLastCalledWith(two, "b", "");
  await userEvent.click(screen.getByRole("button", { name: "Acknowledge all 2" }));
  expect(screen.getByText(/also of rows that are still to come/)).toBeTruthy();
  await userEvent.keyboard("{Enter}");
  expect(acknowledge).toHaveBeenLastCalledWith(two, null, "");
});

it("keeps what was acknowledged listed, with its note, and takes it back", async () => {
  const person = { id: "ada", name: "Ada" };
  const time = "2024-05-01T10:00:00Z";
  sets = [setWith({ acknowledged: [{ message: null, note: "ask Bob", person, time }] })];
  show(notebookWith([cell]));
  expect(await screen.findByText("ask Bob")).toBeTruthy();
  expect(await screen.findByText("Nothing here is in doubt.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(takeBack).toHaveBeenCalledWith(sets[0], null);
});

it("asks anew when the notebook changes, and waits for a cell that runs", async () => {
  sets = [setWith({})];
  const page = show(notebookWith([cell], 1));
  await screen.findByText("'12O' is not an int");
  page.show(notebookWith([{ ...cell, state: "running" }], 2));
  expect(screen.getByText("sales is being made anew.")).toBeTruthy();
  expect(asked).toHaveLength(1);
  page.show(notebookWith([cell], 2));
  await waitFor(() => expect(asked.at(-1)?.path).toBe("/api/v1/branches/branch/versions/2/caveats"));
});

it("gives a question up when it closes", async () => {
  vi.stubGlobal("fetch", (path: string, { signal }: { signal: AbortSignal }) => {
    asked.push({ path, signal });
    return new Promise(() => undefined);
  });
  const page = show(notebookWith([cell]));
  await waitFor(() => expect(asked).toHaveLength(1));
  page.close();
  expect(asked[0]?.signal.aborted).toBe(true);
});

it("says where a caveat came from with a published dataset, and leaves acknowledging to that place", async () => {
  const made = { branch: "b", number: 4 };
  const elsewhere = { name: "rates", edition: 2, project: "p", project_name: "Bank", made };
  sets = [setWith({ id: "far", cell: "c", elsewhere })];
  show(notebookWith([cell]));
  const link = await screen.findByRole("link", { name: "Bank" });
  expect(link.getAttribute("href")).toBe("/projects/p/branches/b/versions/4");
  expect(screen.getByText(/came with rates, edition 2/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Acknowledge/ })).toBeNull();
});
