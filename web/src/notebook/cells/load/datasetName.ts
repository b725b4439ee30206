const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** A dataset name made from a file's name: `Sales (2024).csv` is `sales_2024`. */
export function datasetNameOf(fileName: string): string {
  const stem = fileName.replace(/(\.[A-Za-z0-9]{1,8}){1,2}$/, "");
  const name = stem
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  if (!name) return "data";
  return /^\p{L}/u.test(name) && !KEYWORDS.has(name) ? name : `data_${name}`;
}

/** The same for a file by its path or address; nothing where that names no file. */
export function nameOfPlace(place: string): string {
  const file = place.replace(/[?#].*/, "").replace(/.*[/\\]/, "");
  return file && datasetNameOf(file);
}
