import type { Run } from "../api/types";

const FILE = "file:";
const VARIABLE = "variable:";

/** What a run did beyond the notebook, in words. */
export interface Beyond {
  /** Why it may come out otherwise the next time; nothing if only what it read decides. */
  chances: string[];
  files: string[];
  variables: string[];
  written: string[];
  hosts: string[];
  programs: string[];
}

export function beyond({ outside, reads = {} }: Run): Beyond {
  // What was looked for in vain, imports do so all the time, tells nobody anything.
  const names = Object.keys(reads).filter((name) => reads[name] !== null);
  const after = (prefix: string) => names.filter((name) => name.startsWith(prefix)).map((n) => n.slice(prefix.length));
  return {
    chances: chancesOf(outside),
    files: after(FILE).sort(),
    variables: after(VARIABLE).sort(),
    written: outside.files_written,
    hosts: outside.network,
    programs: outside.programs,
  };
}

/** Whether nothing but names of the notebook went into it, and nothing else came out. */
export function staysInside(what: Beyond): boolean {
  return Object.values(what).every((part: string[]) => part.length === 0);
}

function chancesOf(outside: Run["outside"]): string[] {
  const found: [boolean, string][] = [
    [outside.clock, "read the clock"],
    [outside.randomness, "drew random numbers"],
    [outside.network.length > 0, "used the network"],
    [outside.programs.length > 0, "ran other programs"],
    [outside.files_written.length > 0, "changed files elsewhere"],
    [outside.published.length > 0, "took the newest edition"],
    [!outside.complete, "did things with files that could not be seen"],
  ];
  return found.flatMap(([holds, words]) => (holds ? [words] : []));
}

/** "a", "a and b", "a, b and c" */
export function listed(words: readonly string[]): string {
  return words.length <= 1 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}
