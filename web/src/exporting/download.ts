import { API } from "../api/client";
import { errorFrom } from "../api/errors";
import type { Parameters } from "../notebook/kinds";

/** A dataset that a cell of a version shows. */
export interface Shown {
  branch: string;
  number: number;
  cell: string;
  name: string;
  artifact: string;
}

/** Where a dataset is had as a file. By the cell, a workbook gets the reasons for what is in doubt. */
export function exportUrl(shown: Shown, format: string, options: Parameters): string {
  const { branch, number, cell, name } = shown;
  const about = format === "excel" ? { name, branch, number: String(number), cell } : { name };
  const chosen = Object.entries(options).map(([option, value]) => [option, String(value)]);
  const query = new URLSearchParams([...Object.entries(about), ...chosen]);
  return `${API}/artifacts/${shown.artifact}/export/${format}?${query.toString()}`;
}

/** Where the report is had of what is in doubt. */
export function reportUrl({ branch, number, cell, name }: Shown): string {
  const query = new URLSearchParams({ cell, name, format: "markdown" });
  return `${API}/branches/${branch}/versions/${number}/caveats/report?${query.toString()}`;
}

/** Has the browser take a file. If there is none, says why: a page with nothing but an error would take the app's place. */
export async function download(url: string): Promise<void> {
  const asking = new AbortController();
  const answer = await fetch(url, { signal: asking.signal });
  if (!answer.ok) throw errorFrom(answer.status, await answer.json().catch(() => undefined));
  asking.abort();
  location.assign(url);
}
