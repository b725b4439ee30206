import { tableFromIPC, type Table } from "apache-arrow";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { API } from "../api/client";
import { errorFrom, messageOf } from "../api/errors";

export const PAGE_SIZE = 200;
const KEPT_PAGES = 60;
/** While somebody drags the scroll bar, only where they stop is fetched. */
const SETTLE = 60;

async function fetchPage(source: string, page: number, signal: AbortSignal): Promise<Table> {
  const response = await fetch(`${API}/artifacts/${source}?offset=${page * PAGE_SIZE}&limit=${PAGE_SIZE}`, {
    headers: { accept: "application/vnd.apache.arrow.stream" },
    signal,
  });
  if (!response.ok) throw errorFrom(response.status, await response.json().catch(() => undefined));
  return tableFromIPC(new Uint8Array(await response.arrayBuffer()));
}

/** The pages of one dataset's rows, or of those left out: some are kept, those out of sight are no longer fetched. */
export class PageCache {
  private readonly pages = new Map<number, Table>();
  private readonly pending = new Map<number, AbortController>();

  constructor(
    private readonly source: string,
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
    this.abort((page) => page < first || page > last);
    for (let page = first; page <= last; page++) void this.load(page);
  }

  close(): void {
    this.abort(() => true);
  }

  private abort(isUnwanted: (page: number) => boolean): void {
    for (const [page, controller] of this.pending) {
      if (!isUnwanted(page)) continue;
      controller.abort();
      this.pending.delete(page);
    }
  }

  private async load(page: number): Promise<void> {
    if (this.pages.has(page) || this.pending.has(page)) return;
    const controller = new AbortController();
    this.pending.set(page, controller);
    try {
      this.keep(page, await fetchPage(this.source, page, controller.signal));
    } catch (error) {
      if (!controller.signal.aborted) this.onError(messageOf(error));
    } finally {
      // It may have been given up and asked for anew meanwhile.
      if (this.pending.get(page) === controller) this.pending.delete(page);
    }
  }

  private keep(page: number, table: Table): void {
    this.pages.set(page, table);
    // The first page stays: the widths of the columns come from it.
    const oldest = [...this.pages.keys()].find((kept) => kept !== 0);
    if (this.pages.size > KEPT_PAGES && oldest !== undefined) this.pages.delete(oldest);
    this.onArrival();
  }
}

/** Rows as they come in, of `<artifact>/rows` or `<artifact>/phantoms`. `arrivals` changes when there are new ones. */
export function usePages(source: string, rows: number) {
  const [arrivals, setArrivals] = useState(0);
  const [failure, setFailure] = useState<{ source: string; message: string } | null>(null);
  const cache = useMemo(() => {
    const onError = (message: string) => setFailure({ source, message });
    return new PageCache(source, rows, () => setArrivals((count) => count + 1), onError);
  }, [source, rows]);
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
  // A dataset made anew has nothing to do with what went wrong with the one before.
  const problem = failure?.source === source ? failure.message : null;
  const retry = useCallback(() => setFailure(null), []);
  return { cache, arrivals, problem, retry, want };
}

export type Pages = ReturnType<typeof usePages>;
