import { textOf } from "../kinds";
import type { CellDraft } from "../useCellDraft";
import { NameField } from "./NameField";

const FORMATS = [
  ["auto", "By file name"],
  ["csv", "CSV"],
  ["jsonl", "JSON lines"],
  ["parquet", "Parquet"],
] as const;

const DELIMITERS = [
  [",", "Comma ,"],
  [";", "Semicolon ;"],
  ["\t", "Tab"],
  ["|", "Bar |"],
] as const;

/** The dataset's name and how the file is read. */
export function LoadOptions({ draft }: { draft: CellDraft }) {
  const { parameters, change } = draft;
  const format = textOf(parameters, "format") || "auto";
  const delimiter = textOf(parameters, "delimiter") || ",";
  const isCsv = format === "csv" || (format === "auto" && !isOtherFormat(parameters));
  const known = DELIMITERS.some(([value]) => value === delimiter);
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
      {isCsv && (
        <>
          <label className="field">
            <span>Delimiter</span>
            <select value={delimiter} onChange={(event) => change({ delimiter: event.target.value })}>
              {DELIMITERS.map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
              {!known && <option value={delimiter}>{delimiter}</option>}
            </select>
          </label>
          <label className="load-check">
            <input
              type="checkbox"
              checked={parameters.header !== false}
              onChange={(event) => change({ header: event.target.checked })}
            />
            First line holds the names
          </label>
        </>
      )}
    </div>
  );
}

function isOtherFormat(parameters: CellDraft["parameters"]): boolean {
  const name = (textOf(parameters, "file_name") || textOf(parameters, "path")).toLowerCase();
  return /\.(jsonl|ndjson|json|parquet|pq)(\.gz)?$/.test(name);
}
