import type { Vector } from "apache-arrow";
import type { Column } from "../api/types";
import { cellText } from "./format";

const NARROWEST = 72;
const WIDEST = 320;
const SAMPLE = 60;
const PADDING = 26;
const PER_CHARACTER = 7.1;

/** A width that fits a column's name and the values that are seen first. */
export function columnWidth(column: Column, values: Vector | null | undefined): number {
  const texts = [column.name, column.type.length > 24 ? "" : column.type];
  for (let row = 0; values && row < Math.min(values.length, SAMPLE); row++) texts.push(cellText(values, row) ?? "");
  const longest = Math.max(...texts.map((text) => text.length));
  return Math.min(Math.max(longest * PER_CHARACTER + PADDING, NARROWEST), WIDEST);
}
