import { tableFromArrays, tableToIPC } from "apache-arrow";
import { renderHook, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PAGE_SIZE, PageCache, usePages } from "./pages";

const page = tableToIPC(tableFromArrays({ x: [1] }), "stream");
let asked: string[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    if (url.includes("/broken/")) return Promise.resolve(Response.json({ code: "x", message: "No." }, { status: 409 }));
    return Promise.resolve(new Response(new Uint8Array(page)));
  });
});

describe("PageCache", () => {
  it("asks anew for a page that was given up", () => {
    const cache = new PageCache("a/rows", 10, vi.fn(), vi.fn());
    cache.want(0, 0);
    cache.close();
    cache.want(0, 0);
    expect(asked).toHaveLength(2);
  });

  it("keeps a bounded number of pages, among them the first", async () => {
    const cache = new PageCache("a/rows", 1_000_000, vi.fn(), vi.fn());
    for (let number = 0; number < 80; number += 2) {
      cache.want(number * PAGE_SIZE, number * PAGE_SIZE);
      await vi.waitFor(() => expect(cache.get(number + 1)).toBeDefined());
    }
    const kept = Array.from({ length: 81 }, (_, number) => cache.get(number)).filter(Boolean);
    expect(kept.length).toBeLessThanOrEqual(60);
    expect(cache.get(0)).toBeDefined();
    expect(cache.get(1)).toBeUndefined();
  });
});

describe("usePages", () => {
  it("does not blame a new dataset for what went wrong with the one before", async () => {
    const { result, rerender } = renderHook(({ source }) => usePages(source, 10), {
      initialProps: { source: "broken/rows" },
    });
    await waitFor(() => expect(result.current.problem).toBe("No."));
    rerender({ source: "whole/rows" });
    expect(result.current.problem).toBeNull();
  });
});
