import { beforeEach, describe, expect, it } from "vitest";
import { cellWith } from "../testing/samples";
import { clearDraft, draftKey, moveDrafts, readDraft, writeDraft } from "./drafts";

const cell = cellWith({ handle: "c", hash: "h1", parameters: { query: "SELECT 1", name: "one" } });
const key = draftKey("b", undefined, "c");

beforeEach(() => clearDraft(key));

describe("drafts", () => {
  it("are in the browser's storage, with the hash that they started from", () => {
    writeDraft(key, cell, { query: "SELECT 2", name: "one" });
    writeDraft(key, { ...cell, hash: "h2" }, { query: "SELECT 3", name: "one" });
    const stored = JSON.parse(localStorage.getItem(key) ?? "") as unknown;
    expect(stored).toEqual({ base: "h1", parameters: { query: "SELECT 3", name: "one" } });
  });

  it("vanish when the saved text is typed again", () => {
    writeDraft(key, cell, { query: "SELECT 2", name: "one" });
    writeDraft(key, cell, { query: "SELECT 1", name: "one" });
    expect(readDraft(key)).toBeUndefined();
    expect(localStorage.getItem(key)).toBeNull();
  });

  it("of a version go along to the branch that starts there", () => {
    const old = draftKey("b", 3, "c");
    writeDraft(old, cell, { query: "SELECT 4", name: "one" });
    moveDrafts({ branch: "b", number: 3 }, "new", ["c", "absent"]);
    expect(readDraft(old)).toBeUndefined();
    expect(readDraft(draftKey("new", undefined, "c"))?.parameters.query).toBe("SELECT 4");
  });
});
