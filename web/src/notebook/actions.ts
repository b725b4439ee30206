import type { QueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { LiveCell, LiveNotebook } from "../api/live";
import { keys, storeAnswer } from "../api/queries";
import type { CaveatSet, CellEdit, Notebook, Rerun } from "../api/types";
import { notify } from "../app/toasts";
import { draftKey, parametersOf, readDraft, writeDraft } from "./drafts";
import { EditQueue, type AskBranchName } from "./edits";
import { newHandle } from "./handle";
import { convertedParameters, kindOf, mayFail, newParameters, type Parameters } from "./kinds";
import { withPackage } from "./packages/requirements";
import { ranFor, secondsOf, WORTH_ASKING } from "./work";
import type { AskWork } from "./WorkQuestion";

/** What the person is asked, where an edit needs an answer first. */
export interface Asks {
  branchName: AskBranchName;
  work: AskWork;
}

const ONLY_HEAD_RUNS = "Only the head of a branch runs. Change a cell here to start a branch.";

/** Everything a person can do to the notebook on the page. */
export class NotebookActions {
  /** What the open form of a cell has to put in before the cell is saved, by the cell's handle. */
  readonly completing = new Map<string, () => Promise<void>>();
  private readonly edits: EditQueue;

  constructor(
    private readonly client: QueryClient,
    private readonly branch: string,
    private readonly number: number | undefined,
    private readonly asks: Asks,
    goTo: (path: string) => void,
  ) {
    this.edits = new EditQueue(client, branch, number, asks.branchName, goTo);
  }

  /** A new cell after another one, or at the top. Gives its handle, or nothing if that failed. */
  async insert(
    kind: string,
    after: string | null,
    parameters?: Parameters,
    handle = newHandle(),
  ): Promise<string | undefined> {
    const made = await this.edits.edit(() => {
      const start = parameters ?? newParameters(kindOf(kind), this.edits.shown.cells);
      return { action: "insert", handle, after, kind, parameters: start };
    });
    return made && handle;
  }

  /** Puts something into the form of a cell, for the person to look at before it is saved. */
  fill(handle: string, parameters: Parameters): void {
    const cell = this.edits.cell(handle);
    if (cell) writeDraft(draftKey(this.branch, this.number, handle), cell, { ...cell.parameters, ...parameters });
  }

  /** Makes a version of what was typed into a cell. Gives the notebook that then holds, or nothing on failure. */
  async save(handle: string): Promise<Notebook | undefined> {
    await this.completing.get(handle)?.();
    return this.edits.update(handle, (cell, draft) => {
      const parameters = parametersOf(cell, draft);
      return parameters === cell.parameters ? undefined : { action: "update", handle, parameters };
    });
  }

  /** Brings a cell up to date: saving what was typed makes the server run it, with all that depends on it.
   *  Gives the notebook that then holds, or nothing if the text was refused. */
  async saveAndRun(handle: string, anew = false): Promise<Notebook | undefined> {
    const cell = this.edits.cell(handle);
    const draft = readDraft(draftKey(this.branch, this.number, handle));
    const edited = cell !== undefined && parametersOf(cell, draft) !== cell.parameters;
    const saved = await this.save(handle);
    if (saved?.cells.some((other) => other.handle === handle && other.frozen)) this.tellFrozen(saved, handle, anew);
    else if (saved && (!edited || anew)) await this.run(saved, [handle], anew);
    return saved;
  }

  /** Saves every draft, then runs whatever is not up to date, or with `anew` everything. */
  async runAll(anew = false): Promise<void> {
    let notebook: Notebook | undefined = this.edits.shown;
    for (const cell of this.edits.shown.cells) {
      notebook = await this.save(cell.handle);
      if (!notebook) return;
    }
    await this.run(notebook, null, anew);
  }

  /** Has a Load cell take another edition of what is published, to be compared with the dataset that it shows. One
   *  that takes the newest runs anew. */
  async takeEdition(handle: string, edition: number, shown: string): Promise<void> {
    const takesNewest = !this.edits.cell(handle)?.parameters.edition;
    const saved = await this.edits.update(handle, (cell, draft) => {
      const parameters = { ...parametersOf(cell, draft), previous: shown, ...(takesNewest ? {} : { edition }) };
      return { action: "update", handle, parameters };
    });
    if (saved && takesNewest) await this.run(saved, [handle], true);
  }

  async cancel(handles: string[] | null): Promise<void> {
    await this.edits.guarded(() => api.cancel(this.branch, handles));
  }

  /** Lets cells keep the results they have, whatever changes above them, or run again. */
  async freeze(handles: readonly string[], frozen: boolean): Promise<void> {
    await this.edits.edit(() => {
      const chosen = this.edits.shown.cells.filter((cell) => handles.includes(cell.handle) && cell.kind !== "markdown");
      const changed = chosen.filter((cell) => cell.frozen !== frozen).map((cell) => cell.handle);
      return changed.length > 0 ? { action: "freeze", handles: changed, frozen } : undefined;
    });
  }

  /** Says whether a Python cell may fail; what was typed into it is saved along. */
  async letFail(handle: string, allowed: boolean): Promise<void> {
    await this.edits.update(handle, (cell, draft) => {
      if (cell.kind !== "python" || mayFail(cell) === allowed) return undefined;
      return { action: "update", handle, parameters: { ...parametersOf(cell, draft), may_fail: allowed } };
    });
  }

  /** Names the packages of the notebook anew. Gives why not, if they can't be had. */
  async setPackages(packages: string[]): Promise<unknown> {
    try {
      await this.edits.editOrThrow(() => ({ action: "set_packages", packages }));
      return undefined;
    } catch (refusal) {
      return refusal;
    }
  }

  /** Adds a package; the cells that lack it run again by themselves. */
  async addPackage(requirement: string): Promise<void> {
    await this.edits.edit(() => {
      const packages = withPackage(this.edits.shown.packages.wanted, requirement);
      return { action: "set_packages", packages };
    });
  }

  /** Freezes or thaws a cell and all below it. */
  async freezeFrom(handle: string, frozen: boolean): Promise<void> {
    const handles = this.edits.shown.cells.map((cell) => cell.handle);
    await this.freeze(handles.slice(handles.indexOf(handle)), frozen);
  }

  async thawAll(): Promise<void> {
    await this.freeze(
      this.edits.shown.cells.map((cell) => cell.handle),
      false,
    );
  }

  /** What an edit would make run. */
  preview(edit: CellEdit): Promise<Rerun[]> {
    return api.preview(this.edits.shown.ref, edit);
  }

  /** Gives whether the cell is gone. */
  async remove(handle: string): Promise<boolean> {
    if (!(await this.isWorthIt("Delete", handle, { action: "delete", handle }))) return false;
    let before = this.edits.shown;
    const after = await this.edits.edit(() => {
      before = this.edits.shown;
      return { action: "delete", handle };
    });
    if (after?.ref.branch !== this.branch) return after !== undefined;
    const index = before.cells.findIndex((cell) => cell.handle === handle);
    notify(`Deleted cell ${index + 1}.`, { label: "Undo", run: () => void this.bringBack(before, index, after) });
    return true;
  }

  async move(handle: string, by: -1 | 1): Promise<void> {
    const edit = this.moving(handle, by);
    if (edit && !(await this.isWorthIt("Move", handle, edit))) return;
    await this.edits.edit(() => this.moving(handle, by));
  }

  async changeKind(handle: string, kind: string): Promise<void> {
    await this.edits.update(handle, (cell, draft) => {
      if (cell.kind === kind) return undefined;
      const parameters = convertedParameters(cell, parametersOf(cell, draft), kindOf(kind), this.edits.shown.cells);
      return { action: "update", handle, kind, parameters };
    });
  }

  /** Accepts the caveats of a set that have a message, or all of them: they stay listed, and mark nothing any more.
   *  Gives the notebook that then holds, or nothing on failure. */
  acknowledge({ cell, place }: CaveatSet, message: string | null, note: string): Promise<Notebook | undefined> {
    return this.edits.edit(() => ({ action: "acknowledge", handle: cell, place, message, note }));
  }

  takeBack({ cell, place }: CaveatSet, message: string | null): Promise<Notebook | undefined> {
    return this.edits.edit(() => ({ action: "take_back", handle: cell, place, message }));
  }

  async undo(): Promise<void> {
    await this.edits.walk((head) => api.undo(this.branch, head));
  }

  async redo(): Promise<void> {
    await this.edits.walk((head) => api.redo(this.branch, head));
  }

  private moving(handle: string, by: -1 | 1): CellEdit | undefined {
    const handles = this.edits.shown.cells.map((cell) => cell.handle);
    const target = handles.indexOf(handle) + by;
    if (target < 0 || target >= handles.length) return undefined;
    const after = by === 1 ? handles[target] : handles[target - 1];
    return { action: "move", handle, after: after ?? null };
  }

  /** Whether to make an edit: the person decides if it would cause a lot of work. */
  private async isWorthIt(action: "Delete" | "Move", handle: string, edit: CellEdit): Promise<boolean> {
    if (this.edits.shown.cells.reduce((sum, cell) => sum + ranFor(cell), 0) <= WORTH_ASKING) return true;
    // Who can't be told what it would cause can undo it.
    const reruns = await this.preview(edit).catch(() => []);
    return secondsOf(reruns) <= WORTH_ASKING || this.asks.work({ action, handle, reruns });
  }

  private tellFrozen(notebook: Notebook, handle: string, anew: boolean): void {
    const index = notebook.cells.findIndex((cell) => cell.handle === handle);
    if (notebook.cells[index]?.state === "done" && !anew) return;
    const thaw = { label: "Thaw", run: () => void this.freeze([handle], false) };
    notify(`Cell ${index + 1} is frozen: it keeps its result and does not run.`, thaw);
  }

  private async run(notebook: Notebook, handles: string[] | null, anew: boolean): Promise<void> {
    if (!notebook.is_head) notify(ONLY_HEAD_RUNS);
    else await this.edits.guarded(() => this.runHead(notebook.ref.branch, handles, anew));
  }

  private async runHead(branch: string, handles: string[] | null, anew: boolean): Promise<void> {
    const asked = this.client.getQueryData<LiveNotebook>(keys.notebook(branch));
    storeAnswer(this.client, asked, await api.run(branch, handles, anew));
  }

  private async bringBack(before: LiveNotebook, index: number, after: Notebook): Promise<void> {
    if (this.edits.shown.ref.number === after.ref.number) return this.undo();
    const { handle, kind, parameters } = before.cells[index] as LiveCell;
    if (this.edits.cell(handle)) return;
    const previous = before.cells[index - 1]?.handle;
    const anchor = previous && this.edits.cell(previous) ? previous : null;
    await this.edits.edit(() => ({ action: "insert", handle, after: anchor, kind, parameters }));
  }
}
