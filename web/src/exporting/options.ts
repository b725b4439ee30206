import type { Parameters } from "../notebook/kinds";

/** An option of a format, as a form has it. */
export interface SinkOption {
  name: string;
  title: string;
  hint: string;
  kind: "choice" | "switch" | "text";
  choices: readonly string[];
  initial: string | boolean;
  /** The most characters of a text. */
  longest: number | undefined;
}

interface Property {
  type?: string;
  enum?: string[];
  default?: string | boolean;
  description?: string;
  maxLength?: number;
}

/** The options that a JSON schema describes, switches last. */
export function optionsOf(schema: Record<string, unknown>): SinkOption[] {
  const properties = (schema.properties ?? {}) as Record<string, Property>;
  const found = Object.entries(properties).map(([name, property]) => optionOf(name, property));
  return [...found.filter(({ kind }) => kind !== "switch"), ...found.filter(({ kind }) => kind === "switch")];
}

function optionOf(name: string, property: Property): SinkOption {
  return {
    name,
    title: titleOf(name),
    hint: (property.description ?? "").replaceAll("`", ""),
    kind: property.enum ? "choice" : property.type === "boolean" ? "switch" : "text",
    choices: property.enum ?? [],
    initial: property.default ?? "",
    longest: property.maxLength,
  };
}

/** What somebody chose, without what holds anyway: a format may get better defaults. */
export function chosenOf(options: readonly SinkOption[], values: Parameters): Parameters {
  const known = new Map(options.map(({ name, initial }) => [name, initial]));
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => known.has(name) && value !== known.get(name)));
}

/** "line_end" is "Line end". */
function titleOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
