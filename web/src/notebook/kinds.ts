import { Binary, Code, Database, FileInput, FileOutput, Type, type LucideIcon } from "lucide-react";
import type { CellView } from "../api/types";

export type Parameters = CellView["parameters"];

export interface Kind {
  kind: string;
  title: string;
  /** Said where a cell is inserted. */
  purpose: string;
  icon: LucideIcon;
  /** The parameter that holds the cell's text, if it has one. */
  text?: string;
  /** The name that its dataset gets until the user gives a better one. */
  datasetName?: string;
  defaults: Parameters;
  /** It can't be the first cell of a notebook. */
  needsData?: boolean;
}

export const KINDS: readonly Kind[] = [
  {
    kind: "load",
    title: "Load",
    purpose: "A file becomes a dataset: CSV, JSON, Excel, Parquet and others",
    icon: FileInput,
    datasetName: "data",
    defaults: { format: "auto" },
  },
  {
    kind: "sql",
    title: "SQL",
    purpose: "A query over the datasets above",
    icon: Database,
    text: "query",
    datasetName: "result",
    defaults: { query: "" },
  },
  {
    kind: "python",
    title: "Python",
    purpose: "Code that reads and writes datasets by name",
    icon: Code,
    text: "code",
    defaults: { code: "" },
  },
  {
    kind: "types",
    title: "Types",
    purpose: "Columns of text become numbers, dates and truth values",
    icon: Binary,
    datasetName: "typed",
    defaults: { dataset: "" },
    needsData: true,
  },
  {
    kind: "export",
    title: "Export",
    purpose: "A dataset becomes a file, or a table of a database",
    icon: FileOutput,
    defaults: { format: "auto" },
    needsData: true,
  },
  {
    kind: "markdown",
    title: "Markdown",
    purpose: "Text between the steps",
    icon: Type,
    text: "text",
    defaults: { text: "" },
  },
];

export function kindOf(kind: string): Kind {
  return KINDS.find((known) => known.kind === kind) ?? { kind, title: kind, purpose: "", icon: Code, defaults: {} };
}

/** Whether a cell has nothing in it yet that could run. */
export function isBlank(cell: CellView): boolean {
  const { text } = kindOf(cell.kind);
  if (text) return textOf(cell.parameters, text).trim() === "";
  const lacks = (name: string) => !textOf(cell.parameters, name);
  if (cell.kind === "export") return lacks("dataset") || (lacks("target") && lacks("database"));
  if (cell.kind === "types") return lacks("dataset");
  return cell.kind === "load" && SOURCES.every(lacks);
}

/** The parameters of a Load cell of which one says where the data is. */
export const SOURCES = ["file", "path", "url", "database", "published"] as const;

/** Whether a cell is meant to fail: what it made until then stands. */
export function mayFail(cell: CellView): boolean {
  return cell.parameters.may_fail === true;
}

/** A parameter that is text, or nothing. */
export function textOf(parameters: Parameters, name: string): string {
  const value = parameters[name];
  return typeof value === "string" ? value : "";
}

/** Parameters for a new cell, with a dataset name that no other cell uses. */
export function newParameters(kind: Kind, cells: readonly CellView[]): Parameters {
  return kind.datasetName ? { ...kind.defaults, name: freeName(kind.datasetName, cells) } : { ...kind.defaults };
}

/** The parameters of a cell that becomes another kind: its text goes along. */
export function convertedParameters(
  cell: CellView,
  parameters: Parameters,
  to: Kind,
  cells: readonly CellView[],
): Parameters {
  const from = kindOf(cell.kind);
  const next = newParameters(to, cells);
  if (to.datasetName && from.datasetName && parameters.name) next.name = parameters.name;
  if (to.text && from.text) next[to.text] = textOf(parameters, from.text);
  return next;
}

function freeName(name: string, cells: readonly CellView[]): string {
  const taken = new Set(cells.flatMap((cell) => [textOf(cell.parameters, "name"), ...cell.outputs.map((o) => o.name)]));
  let candidate = name;
  for (let number = 2; taken.has(candidate); number++) candidate = `${name}_${number}`;
  return candidate;
}
