import type { SourceFormat } from "../../../api/types";

/** An option of a format, as a form has it. */
export interface OptionField {
  name: string;
  title: string;
  hint: string;
  kind: "choice" | "text" | "number" | "numbers";
  /** What may be chosen; others can be written where they are only `examples`. */
  choices: readonly unknown[];
  examples: boolean;
  /** Whether it is found out if nothing is said. */
  found: boolean;
}

interface Property {
  type?: string;
  anyOf?: Property[];
  enum?: unknown[];
  default?: unknown;
  description?: string;
  examples?: unknown[];
}

const WORDS: Record<string, string> = {
  ",": "comma ,",
  ";": "semicolon ;",
  "\t": "tab",
  "|": "bar |",
  " ": "blank",
  ":": "colon :",
  '"': 'double "',
  "'": "single '",
  "\\": "backslash \\",
  "#": "hash #",
  "": "none",
  "\u001f": "none",
};

/** The fields of a form for the options of a format, by their JSON schema. */
export function fieldsOf(format: SourceFormat): OptionField[] {
  const properties = (format.options.properties ?? {}) as Record<string, Property>;
  return Object.entries(properties).map(([name, property]) => fieldOf(name, property));
}

function fieldOf(name: string, property: Property): OptionField {
  const of = property.anyOf?.find(({ type }) => type !== "null") ?? property;
  const found = property.default !== false;
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
  const field = { name, title, hint: property.description ?? "", choices: [], examples: false, found };
  if (of.type === "boolean") return { ...field, kind: "choice", choices: [true, false] };
  if (of.enum) return { ...field, kind: "choice", choices: of.enum.filter((one) => one !== "auto") };
  if (of.type === "integer") return { ...field, kind: "number" };
  if (of.type === "array") return { ...field, kind: "numbers" };
  if (property.examples) return { ...field, kind: "choice", choices: property.examples, examples: true };
  return { ...field, kind: "text" };
}

/** A value of an option in words. */
export function wordOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value !== "string") return typeof value === "number" ? String(value) : "none";
  return WORDS[value] ?? value;
}

/** What somebody wrote into a field, as the option has it; nothing if it is empty. */
export function valueOf(field: OptionField, text: string): unknown {
  if (text.trim() === "") return undefined;
  if (field.kind === "number") return /^\d+$/.test(text.trim()) ? Number(text) : text;
  if (field.kind === "numbers") {
    const numbers = text.split(/[,\s]+/).filter(Boolean);
    return numbers.map((number) => (/^\d+$/.test(number) ? Number(number) : number));
  }
  return text;
}

/** "CSV; comma; header": how a file is read, in short. */
export function readingText(title: string, options: Record<string, unknown>): string {
  const parts = [
    typeof options.delimiter === "string" && wordOf(options.delimiter).replace(/ \S$/, ""),
    options.header === true && "header",
    options.header === false && "no header",
    typeof options.sheet === "string" && options.sheet,
    typeof options.records === "string" && options.records !== "." && options.records,
    typeof options.record === "string" && options.record,
    typeof options.encoding === "string" && options.encoding !== "utf-8" && options.encoding,
  ];
  return [title, ...parts.filter(Boolean)].join("; ");
}
