import { useId, useState } from "react";
import { useSinks } from "../api/queries";
import type { FileFormat, Sinks } from "../api/types";
import type { Scope } from "../editor/scope";
import { DatasetField } from "../notebook/cells/DatasetField";
import { textOf, type Parameters } from "../notebook/kinds";
import type { CellDraft } from "../notebook/useCellDraft";
import { OptionFields } from "./OptionFields";
import { chosenOf, optionsOf } from "./options";
import "./Exporting.css";

interface ExportCellProps {
  draft: CellDraft;
  scope: Scope;
}

/** What an Export cell writes, and where to. */
export function ExportCell({ draft, scope }: ExportCellProps) {
  const sinks = useSinks().data;
  const [toTable, setToTable] = useState(textOf(draft.parameters, "database") !== "");
  const chooseTable = (chosen: boolean) => {
    setToTable(chosen);
    draft.change(chosen ? { target: "", options: {} } : { database: "", table: "", options: {} });
  };
  return (
    <div className="export-cell">
      <div className="export-fields">
        <DatasetField draft={draft} scope={scope} />
        <label className="field">
          <span>To</span>
          <select value={toTable ? "table" : "file"} onChange={({ target }) => chooseTable(target.value === "table")}>
            <option value="file">File or S3</option>
            <option value="table">Database</option>
          </select>
        </label>
        {toTable ? (
          <TableFields draft={draft} databases={sinks?.databases ?? []} />
        ) : (
          <FileFields draft={draft} sinks={sinks} />
        )}
      </div>
      {sinks && <MoreOptions draft={draft} schema={toTable ? sinks.table : formatOf(draft, sinks.formats)?.options} />}
      <div className="export-checks">
        <Check draft={draft} name="replace" initial={false} title="Replace what is there" />
        {!toTable && <Check draft={draft} name="report" initial title="Caveat report beside it" />}
      </div>
    </div>
  );
}

function FileFields({ draft, sinks }: { draft: CellDraft; sinks: Sinks | undefined }) {
  const folder = sinks?.folders[0];
  return (
    <>
      <TextField
        draft={draft}
        name="target"
        title="Path, or s3://bucket/path"
        hint={folder ? `${folder}/${textOf(draft.parameters, "dataset") || "data"}.csv` : "s3://bucket/data.csv"}
      />
      <label className="field">
        <span>Format</span>
        <select
          value={textOf(draft.parameters, "format") || "auto"}
          onChange={({ target }) => draft.change({ format: target.value, options: {} })}
        >
          <option value="auto">by its name</option>
          {sinks?.formats.map(({ format, title }) => (
            <option key={format} value={format}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function TableFields({ draft, databases }: { draft: CellDraft; databases: readonly string[] }) {
  const list = useId();
  return (
    <>
      <TextField
        draft={draft}
        name="database"
        title="Database"
        hint={databases[0] ?? "postgresql://host/name, without a password"}
        list={list}
      />
      <datalist id={list}>
        {databases.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField draft={draft} name="table" title="Table" hint={textOf(draft.parameters, "dataset")} wide={false} />
    </>
  );
}

interface TextFieldProps {
  draft: CellDraft;
  name: string;
  title: string;
  hint: string;
  list?: string;
  wide?: boolean;
}

function TextField({ draft, name, title, hint, list, wide = true }: TextFieldProps) {
  return (
    <label className={wide ? "field export-wide" : "field"}>
      <span>{title}</span>
      <input
        type="text"
        list={list}
        spellCheck={false}
        autoComplete="off"
        placeholder={hint}
        value={textOf(draft.parameters, name)}
        onChange={({ target }) => draft.change({ [name]: target.value })}
      />
    </label>
  );
}

function MoreOptions({ draft, schema }: { draft: CellDraft; schema: Record<string, unknown> | undefined }) {
  if (!schema) return null;
  const options = optionsOf(schema);
  const values = (draft.parameters.options ?? {}) as Parameters;
  const set = Object.keys(chosenOf(options, values)).length;
  return (
    <details className="export-more">
      <summary>Options{set > 0 && ` (${set} set)`}</summary>
      <OptionFields
        options={options}
        values={values}
        onChange={(next) => draft.change({ options: chosenOf(options, next) })}
      />
    </details>
  );
}

interface CheckProps {
  draft: CellDraft;
  name: "replace" | "report";
  initial: boolean;
  title: string;
}

function Check({ draft, name, initial, title }: CheckProps) {
  const value = draft.parameters[name] ?? initial;
  return (
    <label className="export-check">
      <input
        type="checkbox"
        checked={value === true}
        onChange={({ target }) => draft.change({ [name]: target.checked })}
      />
      <span>{title}</span>
    </label>
  );
}

/** The format that is chosen, or that the name of the file tells. */
function formatOf({ parameters }: CellDraft, formats: readonly FileFormat[]): FileFormat | undefined {
  const format = textOf(parameters, "format") || "auto";
  const path = textOf(parameters, "target").toLowerCase();
  return formats.find((one) => (format === "auto" ? path.endsWith(one.extension) : one.format === format));
}
