import type { CellView, DisplayMessage, Event, LiveMessage, Message, Notebook, Progress } from "./types";

/** A cell as the page shows it: with how far its run is, which is not stored anywhere. */
export interface LiveCell extends CellView {
  progress?: Progress | undefined;
}

export interface LiveNotebook extends Omit<Notebook, "cells"> {
  cells: LiveCell[];
}

/** Whether a cell runs, or will without further ado. One that waits for a cell that failed waits for its repair. */
export function isActive(cell: CellView, cells: readonly CellView[]): boolean {
  if (cell.state !== "waiting") return cell.state === "running";
  const other = cells.find((candidate) => candidate.handle === cell.waits_for);
  return other ? isActive(other, cells) || other.state === "done" : !cell.waits_for;
}

/** Whether a cell shows the result of an older text or older inputs, and is frozen so that it does. */
export function isKept(cell: CellView): boolean {
  return cell.frozen && cell.state === "stale" && cell.run?.state === "done";
}

export function isBusy(notebook: LiveNotebook | undefined): boolean {
  return notebook?.cells.some((cell) => isActive(cell, notebook.cells)) ?? false;
}

export type CellChange = Extract<Event, { type: "cell" | "message" | "progress" }>;

/** The notebook after a change to one of its cells. What a run says counts wherever the run is shown: it may go on
 *  through versions that leave its cell as it is. */
export function applyChange(notebook: LiveNotebook, change: CellChange): LiveNotebook {
  switch (change.type) {
    case "cell":
      if (notebook.ref.number !== change.number) return notebook;
      return withCell(notebook, change.cell.handle, (cell) => replaced(cell, change.cell));
    case "message":
      return withCell(notebook, change.handle, (cell) => said(cell, change.run, change.message));
    case "progress":
      return withCell(notebook, change.handle, (cell) =>
        cell.run?.id === change.run ? { ...cell, progress: change.progress } : cell,
      );
  }
}

/** Whether a change is about a run that the notebook has not heard of: an event before it must have got lost. */
export function isNews(notebook: LiveNotebook, change: CellChange): boolean {
  if (change.type === "cell" || change.number !== notebook.ref.number) return false;
  return notebook.cells.some((cell) => cell.handle === change.handle && cell.run?.id !== change.run);
}

function withCell(notebook: LiveNotebook, handle: string, change: (cell: LiveCell) => LiveCell): LiveNotebook {
  return { ...notebook, cells: notebook.cells.map((cell) => (cell.handle === handle ? change(cell) : cell)) };
}

/** A notebook that the server sent, with what is known beyond it about the runs that go on. */
export function mergeNotebook(before: LiveNotebook | undefined, after: Notebook): LiveNotebook {
  const shown = new Map(before?.cells.map((cell) => [cell.handle, cell]));
  return { ...after, cells: after.cells.map((cell) => replaced(shown.get(cell.handle), cell)) };
}

/** The answer to a request, with what the WebSocket told while the request was under way: that is as new, or newer. */
export function mergeAnswer(
  asked: LiveNotebook | undefined,
  shown: LiveNotebook | undefined,
  answer: Notebook,
): LiveNotebook {
  if (shown && shown.ref.number !== asked?.ref.number) return shown;
  const merged = mergeNotebook(shown, answer);
  if (shown?.ref.number !== answer.ref.number) return merged;
  const before = new Map(asked?.cells.map((cell) => [cell.handle, cell]));
  const now = new Map(shown.cells.map((cell) => [cell.handle, cell]));
  return {
    ...merged,
    cells: merged.cells.map((cell) => {
      const known = now.get(cell.handle);
      return known && known !== before.get(cell.handle) ? known : cell;
    }),
  };
}

/** A running cell's output may have come in faster than the view of it. */
function replaced(before: LiveCell | undefined, after: CellView): LiveCell {
  if (after.state !== "running" || !after.run || before?.run?.id !== after.run.id) return after;
  const messages =
    lengthOf(before.run.messages) > lengthOf(after.run.messages) ? before.run.messages : after.run.messages;
  return { ...after, run: { ...after.run, messages }, progress: before.progress };
}

function lengthOf(messages: Message[]): number {
  return messages.reduce((sum, message) => sum + (message.type === "display" ? 1 : message.text.length), 0);
}

function said(cell: LiveCell, run: string, message: LiveMessage): LiveCell {
  if (cell.run?.id !== run) return cell;
  return { ...cell, run: { ...cell.run, messages: heard(cell.run.messages, message) } };
}

/** What is there to be seen after one more was said. Text that follows text of the same stream joins it, so that ten
 *  thousand prints stay one message. */
function heard(messages: Message[], message: LiveMessage): Message[] {
  switch (message.type) {
    case "clear":
      return messages.filter(({ type }) => type === "note");
    case "update":
      return updated(messages, message.display);
    case "text": {
      const last = messages.at(-1);
      if (last?.type !== "text" || last.stream !== message.stream) return [...messages, message];
      return [...messages.slice(0, -1), { ...last, text: last.text + message.text }];
    }
    default:
      return [...messages, message];
  }
}

function updated(messages: Message[], display: DisplayMessage): Message[] {
  const shows = (message: Message) => message.type === "display" && message.id === display.id;
  if (!messages.some(shows)) return [...messages, display];
  return messages.map((message) => (shows(message) ? display : message));
}
