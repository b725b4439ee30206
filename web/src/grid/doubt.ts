import type { Doubt } from "../api/types";
import { counted } from "./sizes";

/** "12 values, 3 rows in doubt"; nothing where nothing is. */
export function doubtText(doubt: Doubt): string | null {
  if (doubt.coarse) return "all in doubt";
  const values = Object.values(doubt.values ?? {}).reduce((sum, count) => sum + count, 0);
  const parts = [values && counted(values, "value"), doubt.rows && counted(doubt.rows, "row")].filter(Boolean);
  if (parts.length > 0) return `${parts.join(", ")} in doubt`;
  if (isOnlyOpen(doubt)) return "rows may be missing";
  return doubt.phantoms > 0 ? `${counted(doubt.phantoms, "row")} left out` : null;
}

/** Whether any value of a column is in doubt. */
export function isColumnMarked(doubt: Doubt, column: string): boolean {
  return doubt.coarse || Boolean(doubt.values?.[column]);
}

/** What may be missing, for the line below a dataset's rows. */
export function leftOutText(doubt: Doubt): string | null {
  const { phantoms, open } = doubt;
  if (isOnlyOpen(doubt)) return "Rows may be missing";
  if (phantoms === 0) return null;
  return `${counted(phantoms, "row")} left out in doubt${open ? " and perhaps others" : ""}`;
}

/** Whether all that may be missing is one slot that stands for any number of rows: that is no number to tell. */
function isOnlyOpen({ phantoms, open }: Doubt): boolean {
  return open && phantoms <= 1;
}
