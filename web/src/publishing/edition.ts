import type { Run } from "../api/types";

const PUBLISHED = /^published:(.*):(\d+)$/s;

/** What a run took of what is published. */
export interface Taken {
  name: string;
  edition: number;
}

/** The edition that a run read; nothing if it read none. */
export function takenBy(run: Run | null): Taken | null {
  for (const read of Object.keys(run?.reads ?? {})) {
    const [, name, edition] = PUBLISHED.exec(read) ?? [];
    if (name !== undefined) return { name, edition: Number(edition) };
  }
  return null;
}
