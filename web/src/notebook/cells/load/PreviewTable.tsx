import { useState } from "react";
import type { FilePreview, Sources } from "../../../api/types";
import { alignmentOf } from "../../../grid/format";
import type { CellDraft } from "../../useCellDraft";
import { ColumnHead } from "./ColumnHead";
import "../../../grid/DataTable.css";

interface PreviewTableProps {
  draft: CellDraft;
  preview: FilePreview;
  types: Sources["types"];
}

interface Place {
  row: number;
  column: number;
}

/** The first rows as they would be loaded. What would be in doubt is marked, and says why. */
export function PreviewTable({ draft, preview, types }: PreviewTableProps) {
  const [asked, setAsked] = useState<Place | null>(null);
  const { columns, rows } = preview;
  const why = asked && whyOf(preview, asked);
  return (
    <div className="data-table load-table">
      <div className="data-table-scroll" tabIndex={0} role="group" aria-label="First rows">
        <table>
          <thead>
            <tr>
              <th scope="col" title="Line or record of the file">
                #
              </th>
              {columns.map((column, index) => (
                <ColumnHead key={`${index} ${column.name}`} column={column} draft={draft} types={types} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, values, marks }, row) => {
              const doubtful = new Map(marks.map(({ column, why }) => [column, why]));
              return (
                <tr key={row}>
                  <th scope="row" className={doubtful.has(0) ? "is-marked" : undefined}>
                    <Value text={String(line)} why={doubtful.get(0)} onAsk={() => setAsked({ row, column: 0 })} />
                  </th>
                  {values.map((value, index) => {
                    const look = `align-${alignmentOf(columns[index]?.type ?? "")} ${value === null ? "is-null" : ""}`;
                    const why = doubtful.get(index + 1);
                    return (
                      <td key={index} className={`${look} ${why ? "is-marked" : ""}`}>
                        <Value
                          text={value ?? "null"}
                          why={why}
                          onAsk={() => setAsked({ row, column: index + 1 })}
                        />
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
        {rows.length === 0 && (
          <p className="load-hint load-empty">
            {preview.is_whole ? "There are no rows in it." : "There is no row in the part that was looked at."}
          </p>
        )}
      </div>
      {why && (
        <p className="load-why" role="status">
          {why}
        </p>
      )}
    </div>
  );
}

function Value({ text, why, onAsk }: { text: string; why: string | undefined; onAsk: () => void }) {
  if (!why) return text;
  return (
    <button type="button" title={why} onClick={onAsk}>
      {text}
      <span className="visually-hidden"> in doubt</span>
    </button>
  );
}

function whyOf({ rows, columns }: FilePreview, { row, column }: Place): string | null {
  const why = rows[row]?.marks.find((mark) => mark.column === column)?.why;
  if (!why) return null;
  return column === 0 ? why : `${columns[column - 1]?.name}: ${why}`;
}
