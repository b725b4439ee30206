import { tableFromIPC, type Table } from "apache-arrow";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { API } from "../api/client";
import { errorFrom, messageOf } from "../api/errors";

export const PAGE_SIZE = 200;
const KEPT_PAGES = 60;
/** While somebody drags the scroll bar, only where they stop is fetched. */
const SETTLE = 60;

async function fetchPage(artifact: string, page: number, signal: AbortSignal): Promise<Table> {
  const response = await fetch(`${API}/artifacts/${artifact}/rows?offset=${page * PAGE_SIZE}&limit=${PAGE_SIZE}`, {
    headers: { accept: "application/vnd.apache.arrow.stream" },
    signal,
  });
  if (!response.ok) throw errorFrom(response.status, await response.json().catch(() => undefined));
  return tableFromIPC(new Uint8Array(await response.arrayBuffer()));
}

/** The pages of one dataset: at most some are kept, those out of sight are no longer fetched. */
export class PageCache {
  private readonly pages = new Map<number, Table>();
  private readonly pending = new Map<number, AbortController>();

  constructor(
    private readonly artifact: string,
    private readonly rows: number,
    private readonly onArrival: () => void,
    private readonly onError: (message: string) => void,
  ) {}

  get(page: number): Table | undefined {
    return this.pages.get(page);
  }

  /** Sees to it that rows are there, with the page after them. */
  want(firstRow: number, lastRow: number): void {
    const first = Math.floor(Math.max(firstRow, 0) / PAGE_SIZE);
    const last = Math.floor(Math.min(lastRow + PAGE_SIZE, this.rows - 1) / PAGE_SIZE);
    for (const [page, controller] of this.pending) if (page < first || page > last) controller.abort();
    for (let page = first; page <= last; page++) void this.load(page);
  }

  close(): void {
    for (const controller of this.pending.values()) controller.abort();
  }

  private async load(page: number): Promise<void> {
    if (this.pages.has(page) || this.pending.has(page)) return;
    const controller = new AbortController();
    this.pending.set(page, controller);
    try {
      this.keep(page, await fetchPage(this.artifact, page, controller.signal));
    } catch (error) {
      if (!controller.signal.aborted) this.onError(messageOf(error));
    } finally {
      this.pending.delete(page);
    }
  }

  private keep(page: number, table: Table): void {
    this.pages.set(page, table);
    const [oldest] = this.pages.keys();
    if (this.pages.size > KEPT_PAGES && oldest !== undefined) this.pages.delete(oldest);
    this.onArrival();
  }
}

/** Rows of a dataset as they come in. `arrivals` changes whenever there are new ones to show. */
export function usePages(artifact: string, rows: number) {
  const [arrivals, setArrivals] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const cache = useMemo(
    () => new PageCache(artifact, rows, () => setArrivals((count) => count + 1), setProblem),
    [artifact, rows],
  );
  const timer = useRef<number>(undefined);
  useEffect(() => {
    cache.want(0, 0);
    return () => {
      window.clearTimeout(timer.current);
      cache.close();
    };
  }, [cache]);
  const want = useCallback(
    (firstRow: number, lastRow: number) => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => cache.want(firstRow, lastRow), SETTLE);
    },
    [cache],
  );
  return { cache, arrivals, problem, want };
}

export type Pages = ReturnType<typeof usePages>;
