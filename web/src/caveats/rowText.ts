const IN_DATASET = /^(.*):(\d+)$/;
/** Two hexadecimal numbers of up to 64 bits. */
const IDENTITY = /^(?=.{24,33}$)([0-9A-F]{8})[0-9A-F]+-[0-9A-F]+$/;

/** The row that a caveat is about, as people say it: `sales:16` is row 17 of sales; of an identity the beginning. */
export function rowText(row: string): string {
  const [, name, position] = IN_DATASET.exec(row) ?? [];
  if (name !== undefined) return `row ${(Number(position) + 1).toLocaleString("en")} of ${name}`;
  return row.replace(IDENTITY, "row $1…");
}
