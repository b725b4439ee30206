import { describe, expect, it } from "vitest";
import { cellWith, notebookWith, runWith } from "../testing/samples";
import { applyChange, isActive, isBusy, isNews, mergeAnswer, mergeNotebook, type LiveNotebook } from "./live";
import type { LiveMessage } from "./types";

const running = cellWith({ handle: "a", state: "running", run: runWith({ id: "r1" }) });
const other = cellWith({ handle: "b" });
const notebook = notebookWith([running, other], 4);

describe("applyChange", () => {
  it("joins printed text of the same stream and leaves other cells as they are", () => {
    const say = (text: string) =>
      ({
        type: "message",
        number: 4,
        handle: "a",
        run: "r1",
        message: { type: "text", stream: "stdout", text },
      }) as const;
    const after = applyChange(applyChange(notebook, say("one\n")), say("two\n"));
    expect(after.cells[0]?.run?.messages).toEqual([{ type: "text", stream: "stdout", text: "one\ntwo\n" }]);
    expect(after.cells[1]).toBe(other);
  });

  it("changes what is shown in its place, and takes everything back but notes", () => {
    const display = (text: string, id?: string) =>
      ({ type: "display", data: { "text/plain": text }, artifacts: {}, ...(id ? { id } : {}) }) as const;
    const note = { type: "note", text: "cut" } as const;
    const after = (...said: LiveMessage[]) =>
      said.reduce<LiveNotebook>(
        (shown, message) => applyChange(shown, { type: "message", number: 4, handle: "a", run: "r1", message }),
        notebook,
      ).cells[0]?.run?.messages;
    const update = { type: "update", display: display("2", "x") } as const;
    const before = [display("1", "x"), note, display("other"), display("3", "x")];
    expect(after(...before, update)).toEqual([display("2", "x"), note, display("other"), display("2", "x")]);
    expect(after(note, update)).toEqual([note, display("2", "x")]);
    expect(after(...before, { type: "clear" }, display("4"))).toEqual([note, display("4")]);
  });

  it("takes the messages of a run that began before the last edit, and goes on", () => {
    const message = { type: "text", stream: "stdout", text: "still here" } as const;
    const after = applyChange(notebook, { type: "message", number: 3, handle: "a", run: "r1", message });
    expect(after.cells[0]?.run?.messages).toEqual([message]);
  });

  it("ignores messages of another run, and cells of another version", () => {
    const message = { type: "text", stream: "stdout", text: "late" } as const;
    const before = cellWith({ handle: "b", state: "error" });
    expect(applyChange(notebook, { type: "cell", number: 3, cell: before })).toBe(notebook);
    const unknown = { type: "message", number: 4, handle: "a", run: "r0", message } as const;
    expect(applyChange(notebook, unknown).cells[0]).toBe(running);
    expect(isNews(notebook, unknown)).toBe(true);
    expect(isNews(notebook, { ...unknown, run: "r1" })).toBe(false);
  });

  it("keeps a run's progress until the run is over", () => {
    const progress = { label: "rows", done: 1, total: 2, in_bytes: false };
    const under = applyChange(notebook, { type: "progress", number: 4, handle: "a", run: "r1", progress });
    const still = applyChange(under, { type: "cell", number: 4, cell: running });
    expect(still.cells[0]?.progress).toEqual(progress);
    const done = applyChange(still, { type: "cell", number: 4, cell: { ...running, state: "done" } });
    expect(done.cells[0]?.progress).toBeUndefined();
    expect(isBusy(done)).toBe(false);
  });
});

describe("mergeNotebook", () => {
  it("does not lose output that came in before the view of it", () => {
    const printed = runWith({ id: "r1", messages: [{ type: "text", stream: "stdout", text: "already here" }] });
    const before = notebookWith([{ ...running, run: printed }], 4);
    expect(mergeNotebook(before, notebook).cells[0]?.run?.messages).toEqual(printed.messages);
  });

  it("takes the server's word for a run that is over", () => {
    const done = notebookWith([{ ...running, state: "done" }], 4);
    expect(mergeNotebook(notebook, done).cells[0]).toBe(done.cells[0]);
  });
});

describe("mergeAnswer", () => {
  it("does not go back to a head that has moved on while the request was under way", () => {
    const moved = notebookWith([running], 6);
    expect(mergeAnswer(notebook, moved, notebookWith([running], 5))).toBe(moved);
  });

  it("does not take back what a cell became while the request was under way", () => {
    const shown = applyChange(notebook, { type: "cell", number: 4, cell: { ...running, state: "done" } });
    const answer = notebookWith([running, { ...other, state: "stale" }], 4);
    expect(mergeAnswer(notebook, shown, answer).cells.map((cell) => cell.state)).toEqual(["done", "stale"]);
  });

  it("takes the answer where nothing came in meanwhile", () => {
    const answer = notebookWith([{ ...running, state: "done" }, other], 4);
    expect(mergeAnswer(notebook, notebook, answer).cells[0]?.state).toBe("done");
    expect(mergeAnswer(notebook, notebook, notebookWith([], 5)).ref.number).toBe(5);
  });
});

describe("isActive", () => {
  const cells = [
    cellWith({ handle: "failed", state: "error" }),
    cellWith({ handle: "running", state: "running" }),
    cellWith({ handle: "blocked", state: "waiting", waits_for: "failed" }),
    cellWith({ handle: "behind", state: "waiting", waits_for: "blocked" }),
    cellWith({ handle: "next", state: "waiting", waits_for: "running" }),
    cellWith({ handle: "queued", state: "waiting" }),
  ];

  it("holds for what runs and what will run, not for what waits for a repair", () => {
    const active = cells.filter((cell) => isActive(cell, cells)).map((cell) => cell.handle);
    expect(active).toEqual(["running", "next", "queued"]);
  });
});
