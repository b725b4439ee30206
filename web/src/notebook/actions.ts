import type { QueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import { hasCode, messageOf } from "../api/errors";
import type { LiveCell, LiveNotebook } from "../api/live";
import { keys, storeAnswer, storeHead } from "../api/queries";
import type { CaveatSet, CellEdit, Notebook } from "../api/types";
import { headPath } from "../app/paths";
import { notify, notifyError } from "../app/toasts";
import { draftKey, moveDrafts, parametersOf, readDraft, settleDraft, type Draft } from "./drafts";
import { newHandle } from "./handle";
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
  async insert(
    kind: string,
    after: string | null,
    parameters?: Parameters,
    handle = newHandle(),
  ): Promise<string | undefined> {
    const made = await this.edit(() => {
      const start = parameters ?? newParameters(kindOf(kind), this.shown.cells);
      return { action: "insert", handle, after, kind, parameters: start };
    });
    return made && handle;
  }

  /** Makes a version of what was typed into a cell. Gives the notebook that then holds, or nothing on failure. */
  async save(handle: string): Promise<Notebook | undefined> {
    return this.update(handle, (cell, draft) => {
      const parameters = parametersOf(cell, draft);
      return parameters === cell.parameters ? undefined : { action: "update", handle, parameters };
    });
  }

  /** Brings a cell up to date: saving what was typed makes the server run it, with all that depends on it.
   *  Gives the notebook that then holds, or nothing if the text was refused. */
  async saveAndRun(handle: string, anew = false): Promise<Notebook | undefined> {
    const cell = this.cell(handle);
    const draft = readDraft(draftKey(this.branch, this.number, handle));
    const edited = cell !== undefined && parametersOf(cell, draft) !== cell.parameters;
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
    let before = this.shown;
    const after = await this.edit(() => {
      before = this.shown;
      return { action: "delete", handle };
    });
    if (after?.ref.branch !== this.branch) return;
    const index = before.cells.findIndex((cell) => cell.handle === handle);
    notify(`Deleted cell ${index + 1}.`, { label: "Undo", run: () => void this.bringBack(before, index, after) });
  }

  async move(handle: string, by: -1 | 1): Promise<void> {
    await this.edit(() => {
      const handles = this.shown.cells.map((cell) => cell.handle);
      const target = handles.indexOf(handle) + by;
      if (target < 0 || target >= handles.length) return undefined;
      const after = by === 1 ? handles[target] : handles[target - 1];
      return { action: "move", handle, after: after ?? null };
    });
  }

  async changeKind(handle: string, kind: string): Promise<void> {
    await this.update(handle, (cell, draft) => {
      if (cell.kind === kind) return undefined;
      const parameters = convertedParameters(cell, parametersOf(cell, draft), kindOf(kind), this.shown.cells);
      return { action: "update", handle, kind, parameters };
    });
  }

  /** Accepts the caveats of a set that have a message, or all of them: they stay listed, and mark nothing any more.
   *  Gives the notebook that then holds, or nothing on failure. */
  acknowledge({ cell, place }: CaveatSet, message: string | null, note: string): Promise<Notebook | undefined> {
    return this.edit(() => ({ action: "acknowledge", handle: cell, place, message, note }));
  }

  takeBack({ cell, place }: CaveatSet, message: string | null): Promise<Notebook | undefined> {
    return this.edit(() => ({ action: "take_back", handle: cell, place, message }));
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
    else await this.guarded(() => this.runHead(notebook.ref.branch, handles, anew));
  }

  private async runHead(branch: string, handles: string[] | null, anew: boolean): Promise<void> {
    const asked = this.client.getQueryData<LiveNotebook>(keys.notebook(branch));
    storeAnswer(this.client, asked, await api.run(branch, handles, anew));
  }

  private async bringBack(before: LiveNotebook, index: number, after: Notebook): Promise<void> {
    if (this.shown.ref.number === after.ref.number) return this.undo();
    const { handle, kind, parameters } = before.cells[index] as LiveCell;
    if (this.cell(handle)) return;
    const previous = before.cells[index - 1]?.handle;
    const anchor = previous && this.cell(previous) ? previous : null;
    await this.edit(() => ({ action: "insert", handle, after: anchor, kind, parameters }));
  }

  /** Sends an edit, which is made when its turn has come: it builds on what the edits before it led to. */
  private edit(make: () => CellEdit | undefined): Promise<Notebook | undefined> {
    return this.inTurn(async () => {
      const edit = make();
      return edit && this.send(edit);
    });
  }

  /** Sends a change of a cell's text, made when its turn has come: nothing that was typed is saved twice, or lost. */
  private update(
    handle: string,
    make: (cell: LiveCell, draft: Draft | undefined) => CellEdit | undefined,
  ): Promise<Notebook | undefined> {
    const key = draftKey(this.branch, this.number, handle);
    return this.inTurn(async () => {
      const cell = this.cell(handle);
      const draft = readDraft(key);
      const edit = cell && make(cell, draft);
      if (!edit) return this.shown;
      const saved = await this.send(edit);
      const hash = saved?.cells.find((other) => other.handle === handle)?.hash;
      if (hash) settleDraft(key, draft, hash);
      return saved;
    });
  }

  private send(edit: CellEdit): Promise<Notebook | undefined> {
    return this.number === undefined ? this.editHead(edit) : this.editOnBranch(edit);
  }

  private async editHead(edit: CellEdit): Promise<Notebook> {
    const asked = this.shown;
    const notebook = await api.edit(asked.ref, edit, { at_head: true });
    storeAnswer(this.client, asked, notebook);
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
      from.cells.map((cell) => cell.handle).filter((handle) => !decidesText(edit, handle)),
    );
    storeHead(this.client, notebook);
    void this.client.invalidateQueries({ queryKey: keys.branches(notebook.project.id) });
    this.goTo(headPath(notebook.project.id, notebook.ref.branch));
    return notebook;
  }

  private async walk(step: (head: number) => Promise<Notebook>): Promise<void> {
    await this.inTurn(async () => {
      const asked = this.shown;
      storeAnswer(this.client, asked, await step(asked.ref.number));
    });
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
      if (hasCode(error, "not_allowed")) void this.client.invalidateQueries({ queryKey: keys.status });
      return undefined;
    }
  }
}

/** Whether an edit says itself what becomes of the text that was typed into a cell. */
function decidesText(edit: CellEdit, handle: string): boolean {
  return (edit.action === "update" || edit.action === "delete") && edit.handle === handle;
}
