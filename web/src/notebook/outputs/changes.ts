/** A row as it is, or if it was removed, as it was; of an altered one those values that were others. */
export interface RowChange {
  row: number;
  values: (string | null)[];
  before: Record<string, string | null>;
}

/** What a reload changed, as the server tells it. */
export interface Changes {
  columns: string[];
  columns_before: string[];
  added: number;
  removed: number;
  altered: number;
  added_rows: RowChange[];
  removed_rows: RowChange[];
  altered_rows: RowChange[];
}

export const KINDS = ["altered", "added", "removed"] as const;
export type Kind = (typeof KINDS)[number];
const MOST_COLUMNS = 100;

/** A row that changed, over the columns of both loads; `before` is what stood there, if that was something else. */
export interface Line {
  row: number;
  cells: { value: string | null | undefined; before?: string | null }[];
}

/** The report that a value holds; any cell may show whatever it likes under that type. */
export function changesIn(value: unknown): Changes | null {
  const found = value as Changes;
  const isReport =
    typeof value === "object" &&
    value !== null &&
    [found.columns, found.columns_before].every(isListOfTexts) &&
    KINDS.every((kind) => typeof found[kind] === "number" && rowsAreSound(found[`${kind}_rows`]));
  return isReport ? found : null;
}

/** The columns of both loads: those that are there, then those that are gone. */
export function allColumns({ columns, columns_before }: Changes): string[] {
  return [...new Set([...columns, ...columns_before])];
}

/** The places of the columns to show: of very many, those in which a row differs, and then the first ones. */
export function shownPlaces(lines: readonly Line[], count: number): number[] {
  const all = Array.from({ length: count }, (_, place) => place);
  if (count <= MOST_COLUMNS) return all;
  const altered = all.filter((place) => lines.some(({ cells }) => cells[place]?.before !== undefined));
  return [...new Set([...altered, ...all])].slice(0, MOST_COLUMNS).sort((one, other) => one - other);
}

export function linesOf(changes: Changes, kind: Kind): Line[] {
  const own = kind === "removed" ? changes.columns_before : changes.columns;
  const placeOf = new Map(own.map((name, place) => [name, place]));
  const places = allColumns(changes).map((name) => [name, placeOf.get(name)] as const);
  return changes[`${kind}_rows`].map(({ row, values, before }) => ({
    row,
    cells: places.map(([name, place]) => ({
      value: place === undefined ? undefined : values[place],
      ...(Object.hasOwn(before, name) && { before: before[name] }),
    })),
  }));
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isText(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function rowsAreSound(rows: unknown): boolean {
  return Array.isArray(rows) && rows.every(isRow);
}

function isRow(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { row, values, before } = value as Record<string, unknown>;
  return (
    typeof row === "number" &&
    Array.isArray(values) &&
    values.every(isText) &&
    typeof before === "object" &&
    before !== null &&
    Object.values(before).every(isText)
  );
}
