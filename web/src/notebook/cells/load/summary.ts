import type { SourceFormat } from "../../../api/types";
import { textOf, type Parameters } from "../../kinds";
import { readingText } from "./options";
import { optionsOf, sourceOf } from "./source";

/** Where the data comes from, in short. */
export function placeText(parameters: Parameters): string {
  const source = sourceOf(parameters);
  switch (source) {
    case "file":
      return textOf(parameters, "file_name") || "an uploaded file";
    case "database":
      return `${textOf(parameters, "table") || "a query"} in ${textOf(parameters, "database")}`;
    case "published": {
      const { edition } = parameters;
      const which = typeof edition === "number" && edition > 0 ? `edition ${edition}` : "the newest edition";
      return `${textOf(parameters, "published")}, ${which}`;
    }
    default:
      return textOf(parameters, source);
  }
}

/** How a file is read; nothing for what is no file, or where it is found out. */
export function readText(parameters: Parameters, formats: readonly SourceFormat[]): string {
  const name = textOf(parameters, "format") || "auto";
  if (name === "auto" || ["database", "published"].includes(sourceOf(parameters))) return "";
  const title = formats.find((format) => format.name === name)?.title ?? name;
  const member = textOf(parameters, "member");
  return [member, readingText(title, optionsOf(parameters))].filter(Boolean).join(" · ");
}
