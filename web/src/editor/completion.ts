import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import type { Column } from "../api/types";
import type { Scope } from "./scope";

const WORD = /[\p{L}_][\p{L}\p{N}_]*/u;
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

const TB: readonly Completion[] = [
  { label: "dataset", type: "method", detail: "(name)", info: "A dataset as pandas, Polars, Arrow or Spark." },
  { label: "datasets", type: "method", detail: "()", info: "The names of the datasets above." },
  { label: "save", type: "method", detail: "(name, data)", info: "Writes a dataset." },
  { label: "show", type: "method", detail: "(object)", info: "Shows an object under the cell." },
  { label: "progress", type: "method", detail: "(done, total)", info: "Says how far the cell is." },
];

/** Columns of the datasets in scope, those of the ones that the query names first. */
export function sqlColumns(scope: Scope): CompletionSource {
  return (context) => {
    const word = context.matchBefore(WORD);
    if (!word || context.matchBefore(/\.[\p{L}\p{N}_]*/u)) return null;
    const query = context.state.doc.toString();
    const options = [...scope].flatMap(([dataset, columns]) =>
      columns.map((column) => ({
        ...columnCompletion(column, dataset),
        apply: PLAIN_NAME.test(column.name) ? column.name : `\`${column.name.replaceAll("`", "``")}\``,
        boost: query.includes(dataset) ? 2 : 0,
      })),
    );
    return { from: word.from, options, validFor: WORD };
  };
}

/** Dataset names, columns after `name.` and inside `name["`, and what `tb` can do. */
export function pythonNames(scope: Scope): CompletionSource {
  return (context) => {
    const keys = columnAccess(context, scope);
    if (keys) return keys;
    return context.matchBefore(/\.[\p{L}\p{N}_]*/u) ? member(context, scope) : datasetName(context, scope);
  };
}

function columnAccess(context: CompletionContext, scope: Scope): CompletionResult | null {
  const before = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*\[\[?(?:["'][^"']*["'],\s*)*["'][^"'\]]*/u);
  const columns = before && scope.get(before.text.slice(0, before.text.indexOf("[")));
  if (!columns) return null;
  const from = before.from + Math.max(before.text.lastIndexOf('"'), before.text.lastIndexOf("'")) + 1;
  return { from, options: columns.map((column) => columnCompletion(column)), validFor: /^[^"'\]]*$/ };
}

function member(context: CompletionContext, scope: Scope): CompletionResult | null {
  const before = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*\.[\p{L}\p{N}_]*/u);
  if (!before) return null;
  const [owner = "", typed = ""] = before.text.split(".");
  const from = context.pos - typed.length;
  if (owner === "tb") return { from, options: TB, validFor: WORD };
  const columns = scope.get(owner)?.filter((column) => PLAIN_NAME.test(column.name));
  return columns ? { from, options: columns.map((column) => columnCompletion(column)), validFor: WORD } : null;
}

function datasetName(context: CompletionContext, scope: Scope): CompletionResult | null {
  const word = context.matchBefore(WORD);
  if (!word) return null;
  const options: Completion[] = [...scope.keys()].map((label) => ({
    label,
    type: "class",
    detail: "dataset",
    boost: 3,
  }));
  return { from: word.from, options: [...options, { label: "tb", type: "namespace" }], validFor: WORD };
}

function columnCompletion(column: Column, dataset?: string): Completion {
  return { label: column.name, type: "property", detail: dataset ? `${dataset} · ${column.type}` : column.type };
}
