import { beforeEach, describe, expect, it, vi } from "vitest";
import { cellWith } from "../testing/samples";
import { clearDraft, draftKey, moveDrafts, parametersOf, readDraft, settleDraft, writeDraft } from "./drafts";

const cell = cellWith({ handle: "c", hash: "h1", parameters: { query: "SELECT 1", name: "one" } });
const key = draftKey("b", undefined, "c");

beforeEach(() => clearDraft(key));

describe("drafts", () => {
  it("are in the browser's storage, with the hash that they started from", () => {
    writeDraft(key, cell, { query: "SELECT 2", name: "one" });
    writeDraft(key, { ...cell, hash: "h2" }, { query: "SELECT 3", name: "one" });
    const stored = JSON.parse(localStorage.getItem(key) ?? "") as unknown;
    expect(stored).toEqual({ base: "h1", kind: "sql", parameters: { query: "SELECT 3", name: "one" } });
  });

  it("vanish when the saved text is typed again", () => {
    writeDraft(key, cell, { query: "SELECT 2", name: "one" });
    writeDraft(key, cell, { query: "SELECT 1", name: "one" });
    expect(readDraft(key)).toBeUndefined();
    expect(localStorage.getItem(key)).toBeNull();
  });

  it("that another tab saved are forgotten here, too", () => {
    writeDraft(key, cell, { query: "SELECT 2", name: "one" });
    localStorage.removeItem(key);
    window.dispatchEvent(new StorageEvent("storage", { key }));
    expect(readDraft(key)).toBeUndefined();
  });

  it("keep what was typed while they were saved, on top of what was saved", () => {
    writeDraft(key, cell, { query: "SELECT 2", name: "one" });
    const saved = readDraft(key);
    writeDraft(key, cell, { query: "SELECT 23", name: "one" });
    settleDraft(key, saved, "h2");
    expect(readDraft(key)).toEqual({ base: "h2", kind: "sql", parameters: { query: "SELECT 23", name: "one" } });
    settleDraft(key, readDraft(key), "h3");
    expect(readDraft(key)).toBeUndefined();
  });

  it("show their text in a cell that has become another kind", () => {
    writeDraft(key, cell, { query: "SELECT 2", name: "one" });
    const python = cellWith({ handle: "c", kind: "python", parameters: { code: "" } });
    expect(parametersOf(python, readDraft(key))).toEqual({ code: "SELECT 2" });
  });

  it("live on in the page when the browser's storage is full", () => {
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    writeDraft(key, cell, { query: "SELECT 5", name: "one" });
    full.mockRestore();
    expect(readDraft(key)?.parameters.query).toBe("SELECT 5");
  });

  it("of a version go along to the branch that starts there", () => {
    const old = draftKey("b", 3, "c");
    writeDraft(old, cell, { query: "SELECT 4", name: "one" });
    moveDrafts({ branch: "b", number: 3 }, "new", ["c", "absent"]);
    expect(readDraft(old)).toBeUndefined();
    expect(readDraft(draftKey("new", undefined, "c"))?.parameters.query).toBe("SELECT 4");
  });
});
