import type { Parameters } from "../kinds";

const PACKED = /\.(gz|bz2|zst|zip)$/;

/** Whether a file of that name is a table of text, as far as that can be told. */
export function isCsvName(fileName: string): boolean {
  const name = fileName.toLowerCase().replace(PACKED, "");
  return /\.(csv|tsv|tab|psv)$/.test(name) || !/\.[a-z]+$/.test(name);
}

/** How a file is read that was just chosen: most tables have their names on top, and the form says so. */
export function optionsFor(fileName: string): Parameters {
  return isCsvName(fileName) ? { header: true } : {};
}
