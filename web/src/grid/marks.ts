import { PAGE_SIZE, type PageCache } from "./pages";

/** How many bits of a word are used. */
const BITS = 62;

/** What of the rows that are there is in doubt. */
export interface Marks {
  ofRow: (row: number) => boolean;
  ofValue: (row: number, column: number) => boolean;
}

/** The marks that come with a dataset's pages, as words of bits in columns after the `width` columns of data. */
export function marksIn(cache: Pick<PageCache, "get">, width: number): Marks {
  const isSet = (row: number, bit: number) => {
    const words = cache.get(Math.floor(row / PAGE_SIZE))?.getChildAt(width + Math.floor(bit / BITS));
    // Few columns fit into narrower words, which come as numbers.
    const word = words?.get(row % PAGE_SIZE) as bigint | number | null | undefined;
    return ((BigInt(word ?? 0) >> BigInt(bit % BITS)) & 1n) === 1n;
  };
  return { ofRow: (row) => isSet(row, 0), ofValue: (row, column) => isSet(row, column + 1) };
}
