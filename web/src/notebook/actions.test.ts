import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { keys } from "../api/queries";
import type { Notebook } from "../api/types";
import { cellWith, notebookWith } from "../testing/samples";
import { NotebookActions, type AskBranchName } from "./actions";
import { draftKey, readDraft, writeDraft } from "./drafts";

interface Sent {
  path: string;
  body: Record<string, unknown>;
}

let sent: Sent[];
let answers: Response[];

const json = (status: number, body: unknown) => Response.json(body, { status });
const cell = cellWith({ handle: "c", parameters: { query: "SELECT 1", name: "one" } });
const ask: AskBranchName = (start) => start("trial");

function actionsOn(notebook: Notebook, number?: number) {
  const client = new QueryClient();
  const goTo = vi.fn();
  client.setQueryData(keys.notebook("branch", number), notebook);
  return { client, goTo, actions: new NotebookActions(client, "branch", number, ask, goTo) };
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
});
