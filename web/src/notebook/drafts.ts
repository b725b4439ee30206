import { useSyncExternalStore } from "react";
import type { CellView, VersionRef } from "../api/types";
import type { Parameters } from "./kinds";

/** What a person typed into a cell and has not saved: kept in the browser until it is saved or discarded. */
export interface Draft {
  /** The hash of the cell when the typing began. */
  base: string;
  parameters: Parameters;
}

const PREFIX = "trailbook.draft";
const drafts = new Map<string, Draft | undefined>();
const listeners = new Set<() => void>();

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
  else put(key, { base: readDraft(key)?.base ?? cell.hash, parameters });
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
  return [...names].every((name) => cell.parameters[name] === parameters[name]);
}

function put(key: string, draft: Draft | undefined): void {
  drafts.set(key, draft);
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
  } catch {
    // The browser's storage is full: the text still lives as long as the page.
  }
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
