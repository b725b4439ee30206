import { useSyncExternalStore } from "react";
import type { CellView, VersionRef } from "../api/types";
import { notifyError } from "../app/toasts";
import { kindOf, textOf, type Parameters } from "./kinds";

/** What a person typed into a cell and has not saved: kept in the browser until it is saved or discarded. */
export interface Draft {
  /** The hash of the cell when the typing began. */
  base: string;
  kind: string;
  parameters: Parameters;
}

const PREFIX = "trailbook.draft";
const drafts = new Map<string, Draft | undefined>();
const listeners = new Set<() => void>();
const STORAGE_FULL = "This browser's storage is full. Text that you don't save is gone when this page is closed.";
let toldFull = false;

// Other tabs of this browser keep their drafts in the same place; what one saved, another must not save again.
window.addEventListener("storage", ({ key }) => {
  if (key?.startsWith(`${PREFIX}/`)) {
    drafts.delete(key);
    tell();
  }
});

/** Where drafts of a page are kept: those of the head follow it from version to version. */
export function draftKey(branch: string, number: number | undefined, handle: string): string {
  return `${PREFIX}/${branch}/${number ?? "head"}/${handle}`;
}

export function readDraft(key: string): Draft | undefined {
  if (!drafts.has(key)) {
    const stored = localStorage.getItem(key);
    drafts.set(key, stored === null ? undefined : (JSON.parse(stored) as Draft));
  }
  return drafts.get(key);
}

/** Keeps what was typed, or forgets it when it is the saved text again. */
export function writeDraft(key: string, cell: CellView, parameters: Parameters): void {
  if (isSaved(cell, parameters)) clearDraft(key);
  else put(key, { base: readDraft(key)?.base ?? cell.hash, kind: cell.kind, parameters });
}

/** A cell's parameters as they were typed, or else as they are saved. */
export function parametersOf(cell: CellView, draft: Draft | undefined): Parameters {
  if (!draft) return cell.parameters;
  if (draft.kind === cell.kind) return draft.parameters;
  // An undo, or somebody else, made another kind of the cell since: the text is all that fits, if there is one.
  const from = kindOf(draft.kind).text;
  const to = kindOf(cell.kind).text;
  return from && to ? { ...cell.parameters, [to]: textOf(draft.parameters, from) } : cell.parameters;
}

/** Forgets a draft that was saved. What was typed while it was on its way stays, on top of what was saved. */
export function settleDraft(key: string, saved: Draft | undefined, hash: string): void {
  const draft = readDraft(key);
  if (draft) put(key, draft === saved ? undefined : { ...draft, base: hash });
}

export function clearDraft(key: string): void {
  put(key, undefined);
}

export function useDraft(key: string): Draft | undefined {
  return useSyncExternalStore(subscribe, () => readDraft(key));
}

/** Takes the drafts of a version's page along to the branch that starts there. */
export function moveDrafts(from: VersionRef, toBranch: string, handles: readonly string[]): void {
  for (const handle of handles) {
    const key = draftKey(from.branch, from.number, handle);
    const draft = readDraft(key);
    if (!draft) continue;
    put(draftKey(toBranch, undefined, handle), draft);
    clearDraft(key);
  }
}

function isSaved(cell: CellView, parameters: Parameters): boolean {
  const names = new Set([...Object.keys(cell.parameters), ...Object.keys(parameters)]);
  return [...names].every((name) => JSON.stringify(cell.parameters[name]) === JSON.stringify(parameters[name]));
}

function put(key: string, draft: Draft | undefined): void {
  drafts.set(key, draft);
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
  } catch {
    if (!toldFull) notifyError(STORAGE_FULL);
    toldFull = true;
  }
  tell();
}

function tell(): void {
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
