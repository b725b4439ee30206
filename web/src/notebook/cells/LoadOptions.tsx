import { textOf, type Parameters } from "../kinds";
import type { CellDraft } from "../useCellDraft";
import { isCsvName } from "./csv";
import { NameField } from "./NameField";

const FORMATS = [
  ["auto", "Found out"],
  ["csv", "CSV"],
  ["json", "JSON"],
  ["excel", "Excel, ODS"],
  ["parquet", "Parquet"],
  ["orc", "ORC"],
  ["avro", "Avro"],
  ["xml", "XML"],
  ["fixed_width", "Fixed width"],
  ["text", "Text"],
] as const;

const DELIMITERS = [
  ["", "Found out"],
  [",", "Comma ,"],
  [";", "Semicolon ;"],
  ["\t", "Tab"],
  ["|", "Bar |"],
] as const;

/** The dataset's name and how the file is read. */
export function LoadOptions({ draft }: { draft: CellDraft }) {
  const { parameters, change } = draft;
  const format = textOf(parameters, "format") || "auto";
  const fileName = textOf(parameters, "file_name") || textOf(parameters, "path");
  const isCsv = format === "csv" || (format === "auto" && isCsvName(fileName));
  return (
    <div className="load-options">
      <label className="field">
        <span>Dataset</span>
        <NameField draft={draft} />
      </label>
      <label className="field">
        <span>Format</span>
        <select value={format} onChange={(event) => change({ format: event.target.value })}>
          {FORMATS.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {isCsv && <CsvOptions draft={draft} />}
    </div>
  );
}

function CsvOptions({ draft }: { draft: CellDraft }) {
  const options = optionsOf(draft.parameters);
  const delimiter = textOf(options, "delimiter");
  const known = DELIMITERS.some(([value]) => value === delimiter);
  const set = (more: Parameters) => draft.change({ options: withoutEmpty({ ...options, ...more }) });
  return (
    <>
      <label className="field">
        <span>Delimiter</span>
        <select value={delimiter} onChange={(event) => set({ delimiter: event.target.value })}>
          {DELIMITERS.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
          {!known && <option value={delimiter}>{delimiter}</option>}
        </select>
      </label>
      <label className="field">
        <span>First line</span>
        <select
          value={typeof options.header === "boolean" ? String(options.header) : ""}
          onChange={({ target }) => set({ header: target.value === "" ? undefined : target.value === "true" })}
        >
          <option value="true">Holds the names</option>
          <option value="false">Is a row</option>
          <option value="">Found out</option>
        </select>
      </label>
    </>
  );
}

function optionsOf(parameters: Parameters): Parameters {
  const { options } = parameters;
  return typeof options === "object" && options !== null ? (options as Parameters) : {};
}

function withoutEmpty(options: Parameters): Parameters {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== ""));
}
