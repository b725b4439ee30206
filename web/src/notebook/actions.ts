import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import { hasCode, messageOf } from "../api/errors";
import type { LiveCell, LiveNotebook } from "../api/live";
import { keys, storeAnswer, storeHead } from "../api/queries";
import type { CellEdit, Notebook } from "../api/types";
import { headPath } from "../app/paths";
import { notify, notifyError } from "../app/toasts";
import { clearDraft, draftKey, moveDrafts, readDraft } from "./drafts";
import { convertedParameters, kindOf, newParameters, type Parameters } from "./kinds";

/** Opens the dialog for a branch name; resolves once the branch exists, or to nothing if it was closed. */
export type AskBranchName = (start: (name: string) => Promise<Notebook>) => Promise<Notebook | undefined>;

const ONLY_HEAD_RUNS = "Only the head of a branch runs. Change a cell here to start a branch.";
const HEAD_MOVED = "Somebody else changed this notebook; your text is kept.";

/** Everything a person can do to the notebook on the page. Edits are sent one after the other. */
export class NotebookActions {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: QueryClient,
    private readonly branch: string,
    private readonly number: number | undefined,
    private readonly askBranchName: AskBranchName,
    private readonly goTo: (path: string) => void,
  ) {}

  /** A new cell after another one, or at the top. Gives its handle, or nothing if that failed. */
  async insert(kind: string, after: string | null, parameters?: Parameters): Promise<string | undefined> {
    const handle = newHandle();
    const start = parameters ?? newParameters(kindOf(kind), this.shown.cells);
    return (await this.edit({ action: "insert", handle, after, kind, parameters: start })) && handle;
  }

  /** Makes a version of what was typed into a cell. Gives the notebook that then holds, or nothing on failure. */
  async save(handle: string): Promise<Notebook | undefined> {
    const key = draftKey(this.branch, this.number, handle);
    const draft = readDraft(key);
    if (!draft) return this.shown;
    const saved = await this.edit({ action: "update", handle, parameters: draft.parameters });
    if (saved && readDraft(key) === draft) clearDraft(key);
    return saved;
  }

  /** Brings a cell up to date: saving what was typed makes the server run it, with all that depends on it.
   *  Gives the notebook that then holds, or nothing if the text was refused. */
  async saveAndRun(handle: string, anew = false): Promise<Notebook | undefined> {
    const edited = readDraft(draftKey(this.branch, this.number, handle)) !== undefined;
    const saved = await this.save(handle);
    if (saved && (!edited || anew)) await this.run(saved, [handle], anew);
    return saved;
  }

  /** Saves every draft, then runs whatever is not up to date. */
  async runAll(): Promise<void> {
    let notebook: Notebook | undefined = this.shown;
    for (const cell of this.shown.cells) {
      notebook = await this.save(cell.handle);
      if (!notebook) return;
    }
    await this.run(notebook, null, false);
  }

  async cancel(handles: string[] | null): Promise<void> {
    await this.guarded(() => api.cancel(this.branch, handles));
  }

  async remove(handle: string): Promise<void> {
    const before = this.shown;
    const after = await this.edit({ action: "delete", handle });
    if (after?.ref.branch !== this.branch) return;
    const index = before.cells.findIndex((cell) => cell.handle === handle);
    notify(`Deleted cell ${index + 1}.`, { label: "Undo", run: () => void this.bringBack(before, index, after) });
  }

  async move(handle: string, by: -1 | 1): Promise<void> {
    const handles = this.shown.cells.map((cell) => cell.handle);
    const index = handles.indexOf(handle);
    const target = index + by;
    if (target < 0 || target >= handles.length) return;
    const after = by === 1 ? handles[target] : handles[target - 1];
    await this.edit({ action: "move", handle, after: after ?? null });
  }

  async changeKind(handle: string, kind: string): Promise<void> {
    const cell = this.cell(handle);
    if (!cell || cell.kind === kind) return;
    const key = draftKey(this.branch, this.number, handle);
    const current = readDraft(key)?.parameters ?? cell.parameters;
    const parameters = convertedParameters(cell, current, kindOf(kind), this.shown.cells);
    if (await this.edit({ action: "update", handle, kind, parameters })) clearDraft(key);
  }

  async undo(): Promise<void> {
    await this.walk((head) => api.undo(this.branch, head));
  }

  async redo(): Promise<void> {
    await this.walk((head) => api.redo(this.branch, head));
  }

  private get shown(): LiveNotebook {
    const notebook = this.client.getQueryData<LiveNotebook>(keys.notebook(this.branch, this.number));
    if (!notebook) throw new Error("The notebook is not loaded yet.");
    return notebook;
  }

  private cell(handle: string): LiveCell | undefined {
    return this.shown.cells.find((cell) => cell.handle === handle);
  }

  private async run(notebook: Notebook, handles: string[] | null, anew: boolean): Promise<void> {
    if (!notebook.is_head) notify(ONLY_HEAD_RUNS);
    else await this.guarded(async () => storeAnswer(this.client, await api.run(notebook.ref.branch, handles, anew)));
  }

  private async bringBack(before: LiveNotebook, index: number, after: Notebook): Promise<void> {
    if (this.shown.ref.number === after.ref.number) return this.undo();
    const { handle, kind, parameters } = before.cells[index] as LiveCell;
    if (this.cell(handle)) return;
    const previous = before.cells[index - 1]?.handle;
    const anchor = previous && this.cell(previous) ? previous : null;
    await this.edit({ action: "insert", handle, after: anchor, kind, parameters });
  }

  private edit(edit: CellEdit): Promise<Notebook | undefined> {
    return this.inTurn(() => (this.number === undefined ? this.editHead(edit) : this.editOnBranch(edit)));
  }

  private async editHead(edit: CellEdit): Promise<Notebook> {
    const notebook = await api.edit(this.shown.ref, edit, { at_head: true });
    storeAnswer(this.client, notebook);
    return notebook;
  }

  private async editOnBranch(edit: CellEdit): Promise<Notebook | undefined> {
    const from = this.shown;
    const notebook = await this.askBranchName((name) =>
      api.edit(from.ref, edit, { at_head: false, branch_name: name }),
    );
    if (!notebook) return undefined;
    moveDrafts(
      from.ref,
      notebook.ref.branch,
      from.cells.map((cell) => cell.handle).filter((h) => !isOf(edit, h)),
    );
    storeHead(this.client, notebook);
    void this.client.invalidateQueries({ queryKey: keys.branches(notebook.project.id) });
    this.goTo(headPath(notebook.project.id, notebook.ref.branch));
    return notebook;
  }

  private async walk(step: (head: number) => Promise<Notebook>): Promise<void> {
    await this.inTurn(async () => storeAnswer(this.client, await step(this.shown.ref.number)));
  }

  private inTurn<T>(task: () => Promise<T>): Promise<T | undefined> {
    const turn = this.last.then(() => this.guarded(task));
    this.last = turn;
    return turn;
  }

  /** The task's result, or nothing after telling the person why not. */
  private async guarded<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      const moved = hasCode(error, "head_moved");
      notifyError(moved ? HEAD_MOVED : messageOf(error));
      if (moved) await this.client.invalidateQueries({ queryKey: keys.notebook(this.branch) });
      return undefined;
    }
  }
}

export function useNotebookActions(
  branch: string,
  number: number | undefined,
  askBranchName: AskBranchName,
): NotebookActions {
  const client = useQueryClient();
  const [, goTo] = useLocation();
  return useMemo(
    () => new NotebookActions(client, branch, number, askBranchName, goTo),
    [client, branch, number, askBranchName, goTo],
  );
}

function isOf(edit: CellEdit, handle: string): boolean {
  return "handle" in edit && edit.handle === handle;
}

function newHandle(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
