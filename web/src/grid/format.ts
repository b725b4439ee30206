import { DataType, type Vector } from "apache-arrow";

export type Alignment = "left" | "right";

/** Whether values of a Spark type line up at their last digit. */
export function alignmentOf(type: string): Alignment {
  return /^(tinyint|smallint|int|bigint|float|double|decimal)\b/.test(type) ? "right" : "left";
}

/** Whether values of a Spark type are made of digits. */
export function isFigure(type: string): boolean {
  return alignmentOf(type) === "right" || /^(date|timestamp)/.test(type);
}

/** The value of a column's row as text; null is a value of its own. */
export function cellText(column: Vector, row: number): string | null {
  const value: unknown = column.get(row);
  return value === null || value === undefined ? null : textOf(value, column.type as DataType);
}

function textOf(value: unknown, type: DataType): string {
  if (DataType.isDecimal(type)) return decimalText(value as Uint32Array, type.scale);
  if (DataType.isDate(type)) return timestampText(Number(value)).replace(/ .*/, "");
  if (DataType.isTimestamp(type)) return timestampText(Number(value));
  if (DataType.isBinary(type)) return hexText(value as Uint8Array);
  if (DataType.isFloat(type)) return numberText(value as number);
  if (DataType.isList(type) || DataType.isStruct(type) || DataType.isMap(type)) {
    return JSON.stringify(plain(value, type));
  }
  return String(value);
}

function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return `${value}.0`;
  return String(value).replace("Infinity", "inf");
}

/** A decimal comes as four little-endian 32-bit words in two's complement. */
export function decimalText(words: Uint32Array, scale: number): string {
  const bits = words.length * 32;
  const unsigned = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const digits = BigInt.asIntN(bits, unsigned);
  if (scale <= 0) return digits.toString();
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  return `${digits < 0n ? "-" : ""}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/** Arrow gives milliseconds with a fraction that holds the microseconds. */
export function timestampText(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const date = new Date(whole);
  if (Number.isNaN(date.getTime())) return String(milliseconds);
  const [day, time] = date.toISOString().slice(0, -1).split("T") as [string, string];
  const micros = Math.round((milliseconds - whole) * 1000);
  const fraction = (time.slice(9) + String(micros).padStart(3, "0")).replace(/0+$/, "");
  return `${day} ${time.slice(0, 8)}${fraction && "."}${fraction}`;
}

function hexText(bytes: Uint8Array): string {
  return `0x${Array.from(bytes.subarray(0, 64), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Nested values as JSON would have them, their leaves formatted like those of columns. */
function plain(value: unknown, type: DataType): unknown {
  if (value === null || value === undefined) return null;
  if (DataType.isList(type))
    return Array.from(value as Iterable<unknown>, (item) => plain(item, type.valueType as DataType));
  if (DataType.isStruct(type)) {
    const row = value as Record<string, unknown>;
    return Object.fromEntries(type.children.map(({ name, type: of }) => [name, plain(row[name], of as DataType)]));
  }
  if (DataType.isMap(type)) {
    const entries = [...(value as Iterable<[unknown, unknown]>)];
    return Object.fromEntries(entries.map(([key, item]) => [String(key), plain(item, type.valueType as DataType)]));
  }
  return DataType.isFloat(type) || DataType.isBool(type) || typeof value === "number" ? value : textOf(value, type);
}
