import { useState, type ReactNode } from "react";
import type { Given, PreviewColumn, Sources } from "../../../api/types";
import { withGiven } from "./source";

interface ColumnReadingProps {
  column: PreviewColumn;
  given: Given | undefined;
  types: Sources["types"];
  onChange: (given: Given | undefined) => void;
  /** What comes first. */
  children?: ReactNode;
}

/** How the texts of a column are read: the usual way of writing, and what stands for a missing value. */
export function ColumnReading({ column, given, types, onChange, children }: ColumnReadingProps) {
  const plain = column.type.replace(/\(.*/, "");
  const formats = types.find(({ type }) => type === plain)?.formats ?? [];
  const [codes, setCodes] = useState((given?.codes ?? column.codes).join(" "));
  return (
    <>
      <strong>{column.name}</strong>
      {column.note && <p className="load-hint">{column.note}</p>}
      {children}
      {formats.length > 0 && (
        <label className="field">
          <span>Written as</span>
          <select
            value={given?.formats[0] ?? ""}
            onChange={({ target }) =>
              onChange(withGiven(given, { formats: target.value === "" ? [] : [target.value] }))
            }
          >
            <option value="">{column.formats[0] ? `${column.formats[0]} – found out` : "found out"}</option>
            {formats.map((format) => (
              <option key={format} value={format}>
                {format}
              </option>
            ))}
          </select>
        </label>
      )}
      <label className="field">
        <span>Stands for a missing value</span>
        <input
          type="text"
          spellCheck={false}
          placeholder="n/a - …"
          value={codes}
          onChange={({ target }) => {
            setCodes(target.value);
            const said = target.value.split(/\s+/).filter(Boolean);
            onChange(withGiven(given, { codes: said }));
          }}
        />
      </label>
      {column.proposed.length > 0 && (
        <button
          type="button"
          className="link"
          onClick={() => {
            const all = [...new Set([...(given?.codes ?? column.codes), ...column.proposed])];
            setCodes(all.join(" "));
            onChange(withGiven(given, { codes: all }));
          }}
        >
          Take {column.proposed.join(", ")} for missing, too
        </button>
      )}
    </>
  );
}
