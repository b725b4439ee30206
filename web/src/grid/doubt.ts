import type { Doubt } from "../api/types";
import { counted } from "./sizes";

/** "12 values, 3 rows in doubt"; nothing where nothing is. */
export function doubtText(doubt: Doubt): string | null {
  if (doubt.coarse) return "all in doubt";
  const values = Object.values(doubt.values ?? {}).reduce((sum, count) => sum + count, 0);
  const parts = [values && counted(values, "value"), doubt.rows && counted(doubt.rows, "row")].filter(Boolean);
  if (parts.length > 0) return `${parts.join(", ")} in doubt`;
  if (doubt.phantoms > 0) return `${counted(doubt.phantoms, "row")} left out`;
  return doubt.open ? "rows may be missing" : null;
}

/** Whether any value of a column is in doubt. */
export function isColumnMarked(doubt: Doubt, column: string): boolean {
  return doubt.coarse || Boolean(doubt.values?.[column]);
}

/** What may be missing, for the line below a dataset's rows. */
export function leftOutText({ phantoms, open }: Doubt): string | null {
  if (phantoms === 0) return open ? "Rows may be missing" : null;
  return `${counted(phantoms, "row")} left out in doubt${open ? " and perhaps others" : ""}`;
}
