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

/** Has the browser keep a file, of the one answer that also says why if there is none. */
export async function download(url: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw errorFrom(answer.status, await answer.json().catch(() => undefined));
  const content = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = content;
  link.download = nameOf(answer.headers.get("Content-Disposition") ?? "");
  link.click();
  // The browser may still be about to read it.
  setTimeout(() => URL.revokeObjectURL(content), 60_000);
}

/** What the server calls the file. */
export function nameOf(disposition: string): string {
  return decodeURIComponent(disposition.split("filename*=UTF-8''")[1] ?? "data");
}
