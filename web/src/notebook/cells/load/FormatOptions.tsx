import type { FilePreview, Sources } from "../../../api/types";
import { textOf } from "../../kinds";
import type { CellDraft } from "../../useCellDraft";
import { FieldTitle, OptionControl } from "./OptionControl";
import { fieldsOf } from "./options";
import { optionsOf, withEntry } from "./source";

interface FormatOptionsProps {
  draft: CellDraft;
  preview: FilePreview | undefined;
  sources: Sources;
}

/** The format and its options, as they were found out or said. */
export function FormatOptions({ draft, preview, sources }: FormatOptionsProps) {
  const said = textOf(draft.parameters, "format") || "auto";
  const given = optionsOf(draft.parameters);
  const titleOf = (name: string) => sources.formats.find((format) => format.name === name)?.title ?? name;
  const format = sources.formats.find(({ name }) => name === (said === "auto" ? preview?.format : said));
  return (
    <div className="load-options">
      <label className="field">
        <FieldTitle title="Format" found={said === "auto" && Boolean(preview?.format)} />
        <select value={said} onChange={({ target }) => draft.change({ format: target.value, options: undefined })}>
          <option value="auto">{said === "auto" && preview?.format ? titleOf(preview.format) : "found out"}</option>
          {sources.formats.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {format &&
        fieldsOf(format).map((field) => (
          <OptionControl
            key={`${format.name} ${field.name}`}
            field={field}
            given={given[field.name]}
            found={preview?.format === format.name ? preview.options[field.name] : undefined}
            onChange={(value) => draft.change({ options: withEntry(given, field.name, value) })}
          />
        ))}
    </div>
  );
}
