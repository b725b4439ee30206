import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { keys } from "../api/queries";
import type { CellView, Notebook } from "../api/types";
import { cellWith, notebookWith, runWith } from "../testing/samples";
import { NotebookActions, type Asks } from "./actions";
import { clearDraft, draftKey, readDraft, writeDraft } from "./drafts";

interface Sent {
  path: string;
  body: Record<string, unknown>;
}

let sent: Sent[];
let answers: (Response | Promise<Response>)[];

const json = (status: number, body: unknown) => Response.json(body, { status });
const cell = cellWith({ handle: "c", parameters: { query: "SELECT 1", name: "one" } });
const asks: Asks = { branchName: (start) => start("trial"), work: () => Promise.resolve(true) };

function actionsOn(notebook: Notebook, number?: number, answers = asks) {
  const client = new QueryClient();
  const goTo = vi.fn();
  client.setQueryData(keys.notebook("branch", number), notebook);
  return { client, goTo, actions: new NotebookActions(client, "branch", number, answers, goTo) };
}

beforeEach(() => {
  sent = [];
  answers = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const text = await request.text();
    sent.push({ path: new URL(request.url).pathname, body: text ? (JSON.parse(text) as Sent["body"]) : {} });
    return answers.shift() ?? json(500, {});
  });
});

describe("NotebookActions", () => {
  it("sends edits one after the other, each on top of the one before", async () => {
    const { actions } = actionsOn(notebookWith([cell], 1));
    answers = [json(201, notebookWith([cell, cell], 2)), json(201, notebookWith([cell], 3))];
    await Promise.all([actions.insert("sql", null), actions.remove("c")]);
    expect(sent.map((request) => request.path)).toEqual([
      "/api/v1/branches/branch/versions/1/edits",
      "/api/v1/branches/branch/versions/2/edits",
    ]);
  });

  it("keeps what was typed when somebody else was faster", async () => {
    const key = draftKey("branch", undefined, "c");
    writeDraft(key, cell, { query: "SELECT 2", name: "one" });
    const { actions } = actionsOn(notebookWith([cell], 1));
    answers = [json(409, { code: "head_moved", message: "The head is 2.", details: { head: 2 } })];
    await actions.saveAndRun("c");
    expect(sent[0]?.body).toMatchObject({ at_head: true });
    expect(readDraft(key)?.parameters.query).toBe("SELECT 2");
  });

  it("lets a Python cell fail, with what was typed into it, and leaves others alone", async () => {
    const python = cellWith({ handle: "may", kind: "python", parameters: { code: "1 / 0" } });
    writeDraft(draftKey("branch", undefined, "may"), python, { code: "2 / 0" });
    const { actions } = actionsOn(notebookWith([cell, python], 1));
    answers = [json(201, notebookWith([cell, python], 2))];
    await actions.letFail("c", true);
    await actions.letFail("may", true);
    expect(sent.map(({ body }) => body.edit)).toEqual([
      { action: "update", handle: "may", parameters: { code: "2 / 0", may_fail: true } },
    ]);
  });

  it("gives why packages can't be had, and goes on", async () => {
    const { actions } = actionsOn(notebookWith([cell], 1));
    answers = [
      json(422, { code: "bad_packages", message: "No.", details: { output: "uv says no" } }),
      json(201, notebookWith([cell], 2)),
    ];
    expect(await actions.setPackages(["nonsense"])).toMatchObject({ details: { output: "uv says no" } });
    await actions.addPackage("numpy");
    expect(sent[1]?.body.edit).toEqual({ action: "set_packages", packages: ["numpy"] });
  });

  it("makes one version of a text that is run twice in a row", async () => {
    const key = draftKey("branch", undefined, "c");
    writeDraft(key, cell, { query: "SELECT 3", name: "one" });
    const { actions } = actionsOn(notebookWith([cell], 1));
    answers = [json(201, notebookWith([cell], 2))];
    await Promise.all([actions.saveAndRun("c"), actions.saveAndRun("c")]);
    expect(sent.map((request) => request.path)).toEqual(["/api/v1/branches/branch/versions/1/edits"]);
    expect(readDraft(key)).toBeUndefined();
  });

  it("has an open form put in what is missing before its cell is saved", async () => {
    const key = draftKey("branch", undefined, "c");
    const { actions } = actionsOn(notebookWith([cell], 1));
    answers = [json(201, notebookWith([cell], 2))];
    actions.fill("c", { query: "SELECT 2" });
    actions.completing.set("c", async () => {
      await Promise.resolve();
      writeDraft(key, cell, { ...readDraft(key)?.parameters, name: "two" });
    });
    await actions.saveAndRun("c");
    expect(sent[0]?.body.edit).toMatchObject({ parameters: { query: "SELECT 2", name: "two" } });
  });

  it("runs a cell that became another kind, and keeps the text that does not fit there", async () => {
    const key = draftKey("branch", undefined, "c");
    writeDraft(key, cell, { query: "SELECT 8", name: "one" });
    const load = cellWith({ handle: "c", kind: "load", parameters: { name: "one", path: "/x.csv" } });
    const { actions } = actionsOn(notebookWith([load], 1));
    answers = [json(202, notebookWith([load], 1))];
    await actions.saveAndRun("c");
    expect(sent.map((request) => request.path)).toEqual(["/api/v1/branches/branch/run"]);
    expect(readDraft(key)?.parameters.query).toBe("SELECT 8");
    clearDraft(key);
  });

  it("moves a cell twice when asked twice in a row", async () => {
    const [a, b, c] = ["a", "b", "c"].map((handle) => cellWith({ handle })) as [CellView, CellView, CellView];
    const { actions } = actionsOn(notebookWith([a, b, c], 1));
    answers = [json(201, notebookWith([b, a, c], 2)), json(201, notebookWith([b, c, a], 3))];
    await Promise.all([actions.move("a", 1), actions.move("a", 1)]);
    expect(sent.map((request) => (request.body.edit as { after: string }).after)).toEqual(["b", "c"]);
  });

  it("leaves a head alone that moved on while an edit was under way", async () => {
    const { actions, client } = actionsOn(notebookWith([cell], 1));
    let arrive: (answer: Response) => void = () => undefined;
    answers = [new Promise((resolve) => (arrive = resolve))];
    const inserted = actions.insert("sql", null);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    client.setQueryData(keys.notebook("branch"), notebookWith([cell], 3));
    arrive(json(201, notebookWith([cell], 2)));
    await inserted;
    expect(client.getQueryData<Notebook>(keys.notebook("branch"))?.ref.number).toBe(3);
  });

  it("shows what a run leads to even if no event of it comes through", async () => {
    const { actions, client } = actionsOn(notebookWith([cell], 1));
    answers = [json(202, notebookWith([{ ...cell, state: "running" }], 1))];
    await actions.saveAndRun("c");
    expect(client.getQueryData<Notebook>(keys.notebook("branch"))?.cells[0]?.state).toBe("running");
  });

  it("takes the text of a cell that is moved along to the branch that this starts", async () => {
    const other = cellWith({ handle: "d" });
    const { actions } = actionsOn({ ...notebookWith([cell, other], 1), is_head: false }, 1);
    writeDraft(draftKey("branch", 1, "c"), cell, { query: "SELECT 7", name: "one" });
    answers = [json(201, { ...notebookWith([other, cell], 1), ref: { branch: "moved", number: 1 } })];
    await actions.move("c", 1);
    expect(readDraft(draftKey("moved", undefined, "c"))?.parameters.query).toBe("SELECT 7");
  });

  it("asks to sign in when the server no longer knows who this is", async () => {
    const { actions, client } = actionsOn(notebookWith([cell], 1));
    client.setQueryData(keys.status, {});
    answers = [json(401, { code: "not_allowed", message: "Sign in." })];
    await actions.remove("c");
    expect(client.getQueryState(keys.status)?.isInvalidated).toBe(true);
  });

  it("starts a branch when an old version is edited, and goes there", async () => {
    const { actions, goTo } = actionsOn({ ...notebookWith([cell], 1), is_head: false }, 1);
    const started = notebookWith([], 1);
    answers = [json(201, { ...started, ref: { branch: "new", number: 1 } })];
    await actions.remove("c");
    expect(sent[0]?.body).toMatchObject({ branch_name: "trial", edit: { action: "delete", handle: "c" } });
    expect(goTo).toHaveBeenCalledWith("/projects/project/branches/new");
  });

  it("gives new cells names that no other cell uses", async () => {
    const { actions } = actionsOn(notebookWith([cellWith({ parameters: { name: "result" } })], 1));
    answers = [json(201, notebookWith([], 2))];
    await actions.insert("sql", null);
    expect(sent[0]?.body).toMatchObject({ edit: { parameters: { name: "result_2", query: "" } } });
  });

  it("freezes what is not frozen yet of a cell and all below, in one edit, and leaves texts alone", async () => {
    const cells = ["a", "b", "c", "d"].map((handle) =>
      cellWith({ handle, frozen: handle === "c", kind: handle === "d" ? "markdown" : "python" }),
    );
    const { actions } = actionsOn(notebookWith(cells, 1));
    answers = [json(201, notebookWith(cells, 2))];
    await actions.freezeFrom("b", true);
    expect(sent.map(({ body }) => body.edit)).toEqual([{ action: "freeze", handles: ["b"], frozen: true }]);
  });

  it("does not run a frozen cell", async () => {
    const { actions } = actionsOn(notebookWith([{ ...cell, frozen: true, state: "stale" }], 1));
    await actions.saveAndRun("c");
    expect(sent).toEqual([]);
  });

  describe("before an edit that would cause a lot of work", () => {
    const minute = { started: "2024-05-01T10:00:00Z", finished: "2024-05-01T10:01:00Z" };
    const slow = cellWith({ handle: "slow", run: runWith(minute) });
    const work = vi.fn(() => Promise.resolve(false));

    it("asks, and takes no for an answer", async () => {
      const { actions } = actionsOn(notebookWith([cell, slow], 1), undefined, { ...asks, work });
      const reruns = [{ handle: "slow", seconds: 60 }];
      answers = [json(200, reruns)];
      expect(await actions.remove("c")).toBe(false);
      expect(work).toHaveBeenCalledWith({ action: "Delete", handle: "c", reruns });
      expect(sent.map((request) => request.path)).toEqual(["/api/v1/branches/branch/versions/1/preview"]);
    });

    it("does not ask if the slow cells would not run", async () => {
      work.mockClear();
      const { actions } = actionsOn(notebookWith([cell, slow], 1), undefined, { ...asks, work });
      answers = [json(200, []), json(201, notebookWith([slow], 2))];
      expect(await actions.remove("c")).toBe(true);
      expect(work).not.toHaveBeenCalled();
    });
  });
});
