import type { FilePreview, FileQuestion, Given } from "../../../api/types";
import { SOURCES, textOf, type Parameters } from "../../kinds";

/** The parameters with a name for the dataset, or none if somebody has given it one. */
export type Suggest = (name: string) => Parameters;

/** Where the data of a Load cell comes from, by the parameter that says so. */
export type Source = (typeof SOURCES)[number];

const OF_SOURCE = [...SOURCES, "file_name", "table", "query", "edition", "member", "previous"];
/** The name that a new cell gives its dataset, if it is not the first of the notebook with a number. */
const DEFAULT_NAME = /^data(_\d+)?$/;

export function sourceOf(parameters: Parameters): Source {
  return SOURCES.find((source) => textOf(parameters, source)) ?? "file";
}

/** Whether the parameters say where the data is. */
export function hasSource(parameters: Parameters): boolean {
  const source = sourceOf(parameters);
  if (source === "database") return Boolean(textOf(parameters, "table") || textOf(parameters, "query").trim());
  return textOf(parameters, source) !== "";
}

/** Parameters with data from elsewhere. What was said of the one before need not fit the new one. */
export function withSource(given: Parameters): Parameters {
  const nothing = Object.fromEntries(OF_SOURCE.map((name) => [name, undefined]));
  return { ...nothing, format: "auto", options: undefined, types: undefined, key: undefined, ...given };
}

/** Whether nobody has given the dataset a name: it is the first one of all cells, or the one that was suggested last. */
export function isUnnamed(parameters: Parameters, suggested: string): boolean {
  const name = textOf(parameters, "name");
  return DEFAULT_NAME.test(name) || name === suggested;
}

/** What is asked about a file before it is loaded; nothing where there is no file, or only a table. */
export function questionOf(parameters: Parameters): FileQuestion | null {
  const source = sourceOf(parameters);
  if (!hasSource(parameters) || source === "database" || source === "published") return null;
  return {
    file: textOf(parameters, "file"),
    file_name: textOf(parameters, "file_name"),
    path: textOf(parameters, "path"),
    url: textOf(parameters, "url"),
    format: textOf(parameters, "format") || "auto",
    member: textOf(parameters, "member"),
    options: optionsOf(parameters),
    types: typesOf(parameters),
  };
}

/** The parameters with all that the preview found out in place, so that nothing is left to guess. */
export function settled(parameters: Parameters, preview: FilePreview | undefined): Parameters {
  if (!preview?.format) return {};
  const names = new Set(preview.columns.map(({ name }) => name));
  const known = Object.entries(typesOf(parameters)).filter(([name]) => names.has(name) || preview.more_columns);
  const key = keyOf(parameters).filter((name) => names.has(name) || preview.more_columns);
  return {
    format: preview.format,
    options: preview.options,
    types: Object.fromEntries(known),
    ...(key.length > 0 || parameters.key ? { key } : {}),
  };
}

export function optionsOf(parameters: Parameters): Parameters {
  return recordOf(parameters.options);
}

export function typesOf(parameters: Parameters): Record<string, Given> {
  return recordOf(parameters.types) as Record<string, Given>;
}

/** The columns that name a row. */
export function keyOf(parameters: Parameters): string[] {
  return Array.isArray(parameters.key) ? (parameters.key as string[]) : [];
}

/** A record with one entry set, or left out if there is nothing to say. */
export function withEntry<T>(record: Record<string, T>, name: string, value: T | undefined): Record<string, T> {
  const others = Object.fromEntries(Object.entries(record).filter(([known]) => known !== name));
  return value === undefined ? others : { ...others, [name]: value };
}

/** What is said of a column, or nothing if that is nothing. */
export function withGiven(given: Given | undefined, changes: Partial<Given>): Given | undefined {
  const next = {
    type: changes.type ?? given?.type ?? "",
    formats: changes.formats ?? given?.formats ?? [],
    codes: changes.codes ?? given?.codes ?? null,
  };
  return next.type || next.formats.length > 0 || next.codes ? next : undefined;
}

function recordOf(value: unknown): Parameters {
  return typeof value === "object" && value !== null ? (value as Parameters) : {};
}
