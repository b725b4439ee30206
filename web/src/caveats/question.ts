import type { Question } from "../api/types";

/** What is asked about, as a title: "amount in row 17 of sales". Rows are counted from 1, as the grid does. */
export function titleOf({ name, row, column, missing }: Question): string {
  if (missing) return `Rows left out of ${name}`;
  if (row !== undefined && column !== undefined) return `${column} in row ${numbered(row)} of ${name}`;
  if (row !== undefined) return `Row ${numbered(row)} of ${name}`;
  return column === undefined ? `Caveats of ${name}` : `${column} of ${name}`;
}

/** Whether a question is about a whole dataset. */
export function asksAboutAll({ row, column, missing }: Question): boolean {
  return row === undefined && column === undefined && !missing;
}

function numbered(row: number): string {
  return (row + 1).toLocaleString("en");
}
