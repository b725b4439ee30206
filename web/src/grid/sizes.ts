/** "1,000,000 rows · 9 columns" */
export function sizeText(rows: number, columns: number): string {
  return `${counted(rows, "row")} · ${counted(columns, "column")}`;
}

/** "1 row", "1,000 rows" */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** A file's size as people say it. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ["kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = "";
  for (const next of units) {
    if (size < 1000) break;
    size /= 1000;
    unit = next;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
