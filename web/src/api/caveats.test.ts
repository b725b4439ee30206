import { expect, it, vi } from "vitest";
import { collect } from "../testing/collect";
import { setWith } from "../testing/samples";
import { afterEvent, reasonsFor, type Reasons } from "./caveats";
import { ApiError } from "./errors";

const REF = { branch: "b", number: 7 };
const QUESTION = { cell: "c", name: "sales", row: 16, column: "amount" };
const nothing: Reasons = { sets: [], complete: false };

function answerWith(...events: unknown[]): void {
  const body = events.map((event) => `${JSON.stringify(event)}\n`).join("");
  vi.stubGlobal("fetch", vi.fn(() => Promise.resolve(new Response(body))));
}

function ask(): Promise<Reasons[]> {
  return collect(reasonsFor(REF, QUESTION, new AbortController().signal));
}

it("fills candidates in as their members are known, and drops those that don't reach", () => {
  const candidates = [setWith({ id: "a", count: null }), setWith({ id: "b", count: null })];
  const first = afterEvent(nothing, { type: "candidates", sets: candidates });
  const second = afterEvent(first, { type: "set", set: setWith({ id: "b", count: 2 }) });
  const third = afterEvent(second, { type: "set", set: setWith({ id: "a", count: 0 }) });
  expect(first.sets.map(({ count }) => count)).toEqual([null, null]);
  expect(second.sets.map(({ count }) => count)).toEqual([null, 2]);
  expect(third.sets.map(({ id }) => id)).toEqual(["b"]);
});

it("asks about the version that is shown, and tells each state", async () => {
  answerWith({ type: "candidates", sets: [setWith({})] }, { type: "end" });
  expect((await ask()).map(({ complete }) => complete)).toEqual([false, true]);
  expect(fetch).toHaveBeenCalledWith(
    "/api/v1/branches/b/versions/7/caveats",
    expect.objectContaining({ method: "POST", body: JSON.stringify(QUESTION) }),
  );
});

it("fails with the server's words when an error comes in the middle", async () => {
  answerWith({ type: "candidates", sets: [] }, { type: "error", code: "engine_lost", message: "Spark is gone." });
  await expect(ask()).rejects.toEqual(new ApiError(200, "engine_lost", "Spark is gone."));
});

it("does not take an answer for complete that broke off", async () => {
  answerWith({ type: "candidates", sets: [setWith({})] });
  await expect(ask()).rejects.toThrow("broke off");
});
