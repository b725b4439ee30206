import type { QueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import { hasCode, messageOf } from "../api/errors";
import type { LiveCell, LiveNotebook } from "../api/live";
import { keys, storeAnswer, storeHead } from "../api/queries";
import type { CellEdit, Notebook } from "../api/types";
import { headPath } from "../app/paths";
import { notifyError } from "../app/toasts";
import { draftKey, moveDrafts, readDraft, settleDraft, type Draft } from "./drafts";

/** Opens the dialog for a branch name; resolves once the branch exists, or to nothing if it was closed. */
export type AskBranchName = (start: (name: string) => Promise<Notebook>) => Promise<Notebook | undefined>;

const HEAD_MOVED = "Somebody else changed this notebook; your text is kept.";

/** The edits of the notebook on a page, on their way to the server one after the other. */
export class EditQueue {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: QueryClient,
    private readonly branch: string,
    private readonly number: number | undefined,
    private readonly askBranchName: AskBranchName,
    private readonly goTo: (path: string) => void,
  ) {}

  get shown(): LiveNotebook {
    const notebook = this.client.getQueryData<LiveNotebook>(keys.notebook(this.branch, this.number));
    if (!notebook) throw new Error("The notebook is not loaded yet.");
    return notebook;
  }

  cell(handle: string): LiveCell | undefined {
    return this.shown.cells.find((cell) => cell.handle === handle);
  }

  /** Sends an edit, which is made when its turn has come: it builds on what the edits before it led to. */
  edit(make: () => CellEdit | undefined): Promise<Notebook | undefined> {
    return this.inTurn(async () => {
      const edit = make();
      return edit && this.send(edit);
    });
  }

  /** The same for somebody who says what went wrong in a place of their own. */
  editOrThrow(make: () => CellEdit): Promise<Notebook | undefined> {
    const turn = this.last.then(() => this.send(make()));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Sends a change of a cell's text, made when its turn has come: nothing that was typed is saved twice, or lost. */
  update(
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

  async walk(step: (head: number) => Promise<Notebook>): Promise<void> {
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
  async guarded<T>(task: () => Promise<T>): Promise<T | undefined> {
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
