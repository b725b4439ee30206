import { API } from "./client";
import { ApiError, errorFrom } from "./errors";
import { jsonLines } from "./jsonLines";
import type { CaveatEvent, CaveatMember, CaveatSet, Question, VersionRef } from "./types";

/** What is known so far of why something is in doubt. */
export interface Reasons {
  sets: CaveatSet[];
  complete: boolean;
}

const BROKE_OFF = "The answer broke off before its end.";

/** Why something is in doubt: told again and again, each time with more of it, until it is complete. */
export async function* reasonsFor(ref: VersionRef, question: Question, signal: AbortSignal): AsyncGenerator<Reasons> {
  const response = await post(`${pathOf(ref)}/caveats`, question, signal);
  if (!response.body) throw new Error(BROKE_OFF);
  let reasons: Reasons = { sets: [], complete: false };
  for await (const event of jsonLines<CaveatEvent>(response.body)) {
    reasons = afterEvent(reasons, event);
    yield reasons;
  }
  if (!reasons.complete) throw new Error(BROKE_OFF);
}

/** Reasons after one more event. A set without members does not reach what was asked about: it goes. */
export function afterEvent(reasons: Reasons, event: CaveatEvent): Reasons {
  switch (event.type) {
    case "candidates":
      return { ...reasons, sets: event.sets };
    case "set":
      return { ...reasons, sets: replaced(reasons.sets, event.set) };
    case "end":
      return { ...reasons, complete: true };
    case "error":
      throw new ApiError(200, event.code, event.message);
  }
}

function replaced(sets: CaveatSet[], set: CaveatSet): CaveatSet[] {
  if (set.count === 0) return sets.filter(({ id }) => id !== set.id);
  return sets.map((candidate) => (candidate.id === set.id ? set : candidate));
}

/** A page of the members of one caveat set. */
export async function caveatMembers(
  ref: VersionRef,
  question: Question,
  page: { set: string; offset: number; limit: number },
  signal: AbortSignal,
): Promise<CaveatMember[]> {
  const response = await post(`${pathOf(ref)}/caveats/members`, { ...question, ...page }, signal);
  const { members } = (await response.json()) as { members: CaveatMember[] };
  return members;
}

function pathOf({ branch, number }: VersionRef): string {
  return `${API}/branches/${branch}/versions/${number}`;
}

async function post(path: string, body: unknown, signal: AbortSignal): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!response.ok) throw errorFrom(response.status, await response.json().catch(() => undefined));
  return response;
}
