import type { CellView, Event, Message, Notebook, Progress } from "../api/types";

/** A cell as the page shows it: with how far its run is, which is not stored anywhere. */
export interface LiveCell extends CellView {
  progress?: Progress | undefined;
}

export interface LiveNotebook extends Omit<Notebook, "cells"> {
  cells: LiveCell[];
}

export type CellChange = Extract<Event, { type: "cell" | "message" | "progress" }>;

/** The notebook after a change to one of its cells. A change of another version leaves it as it is. */
export function applyChange(notebook: LiveNotebook, change: CellChange): LiveNotebook {
  switch (change.type) {
    case "cell":
      return withCell(notebook, change.number, change.cell.handle, (cell) => replaced(cell, change.cell));
    case "message":
      return withCell(notebook, change.number, change.handle, (cell) => said(cell, change.run, change.message));
    case "progress":
      return withCell(notebook, change.number, change.handle, (cell) =>
        cell.run?.id === change.run ? { ...cell, progress: change.progress } : cell,
      );
  }
}

function withCell(
  notebook: LiveNotebook,
  number: number,
  handle: string,
  change: (cell: LiveCell) => LiveCell,
): LiveNotebook {
  if (notebook.ref.number !== number) return notebook;
  return { ...notebook, cells: notebook.cells.map((cell) => (cell.handle === handle ? change(cell) : cell)) };
}

function replaced(before: LiveCell, after: CellView): LiveCell {
  const sameRun = after.state === "running" && before.run?.id === after.run?.id;
  return sameRun ? { ...after, progress: before.progress } : after;
}

function said(cell: LiveCell, run: string, message: Message): LiveCell {
  if (cell.run?.id !== run) return cell;
  return { ...cell, run: { ...cell.run, messages: appended(cell.run.messages, message) } };
}

/** Text that follows text of the same stream joins it, so that ten thousand prints stay one message. */
function appended(messages: Message[], message: Message): Message[] {
  const last = messages.at(-1);
  if (last?.type === "text" && message.type === "text" && last.stream === message.stream) {
    return [...messages.slice(0, -1), { ...last, text: last.text + message.text }];
  }
  return [...messages, message];
}
