const IN_DATASET = /^(.*):(\d+)$/;
/** What a run took in from elsewhere: the records of a file. */
const IN_FILE = /^captured:(.*)$/;
/** Two hexadecimal numbers of up to 64 bits. */
const IDENTITY = /^(?=.{24,33}$)([0-9A-F]{8})[0-9A-F]+-[0-9A-F]+$/;

/** The row that a caveat is about, as people say it: `sales:16` is row 17 of sales; of an identity the beginning. */
export function rowText(row: string): string {
  const [, name, position] = IN_DATASET.exec(row) ?? [];
  if (name !== undefined) {
    const number = (Number(position) + 1).toLocaleString("en");
    const file = IN_FILE.exec(name)?.[1];
    return file === undefined ? `row ${number} of ${name}` : `record ${number} of ${file}`;
  }
  return row.replace(IDENTITY, "row $1…");
}
