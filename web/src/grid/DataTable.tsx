import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { IconButton } from "../app/Button";
import type { RowsProps } from "./DataGrid";
import { isColumnMarked } from "./doubt";
import { alignmentOf, cellText } from "./format";
import { marksIn } from "./marks";
import { PAGE_SIZE } from "./pages";
import "./DataTable.css";

const SHOWN = 50;

interface DataTableProps extends RowsProps {
  name: string;
}

/** The same rows as a plain HTML table, for screen readers, for searching in the page, and for who prefers it. */
export function DataTable({ name, columns, rows, pages, doubt, place, onAsk }: DataTableProps) {
  const [first, setFirst] = useState(0);
  const [gone, setGone] = useState(place);
  if (place && place !== gone) {
    setGone(place);
    setFirst(Math.floor(place.row / SHOWN) * SHOWN);
  }
  const { want, cache } = pages;
  const end = Math.min(first + SHOWN, rows);
  useEffect(() => want(first, end), [want, first, end]);
  const marks = marksIn(cache, columns.length);
  const numbers = Array.from({ length: end - first }, (_, index) => first + index);
  return (
    <div className="data-table">
      <div className="data-table-scroll" tabIndex={0} role="group" aria-label={`Rows of ${name}`}>
        <table>
          <caption className="visually-hidden">{`${name}, rows ${first + 1} to ${end} of ${rows}`}</caption>
          <thead>
            <tr>
              <th scope="col">#</th>
              {columns.map(({ name, type }, index) => (
                <th key={index} scope="col" className={lookOf(type, isColumnMarked(doubt, name))}>
                  <Doubtful marked={isColumnMarked(doubt, name)} onAsk={() => onAsk({ column: name })}>
                    {name}
                  </Doubtful>
                  <span className="data-table-type">{type}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {numbers.map((row) => (
              <tr key={row} className={row === gone?.row ? "is-gone-to" : undefined}>
                <th scope="row" className={marks.ofRow(row) ? "is-marked" : undefined}>
                  <Doubtful marked={marks.ofRow(row)} onAsk={() => onAsk({ row })}>
                    {(row + 1).toLocaleString("en")}
                  </Doubtful>
                </th>
                {columns.map((column, index) => {
                  const values = cache.get(Math.floor(row / PAGE_SIZE))?.getChildAt(index);
                  const text = values ? cellText(values, row % PAGE_SIZE) : "";
                  const isMarked = marks.ofValue(row, index);
                  return (
                    <td key={index} className={`${lookOf(column.type, isMarked)} ${text === null ? "is-null" : ""}`}>
                      <Doubtful marked={isMarked} onAsk={() => onAsk({ row, column: column.name })}>
                        {text ?? "null"}
                      </Doubtful>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows > SHOWN && (
        <div className="data-table-pager">
          <IconButton label="Previous rows" disabled={first === 0} onClick={() => setFirst(first - SHOWN)}>
            <ChevronLeft size={15} />
          </IconButton>
          <span aria-live="polite">
            {(first + 1).toLocaleString("en")}–{end.toLocaleString("en")} of {rows.toLocaleString("en")}
          </span>
          <IconButton label="Next rows" disabled={end >= rows} onClick={() => setFirst(first + SHOWN)}>
            <ChevronRight size={15} />
          </IconButton>
        </div>
      )}
    </div>
  );
}

function lookOf(type: string, marked: boolean): string {
  return `align-${alignmentOf(type)} ${marked ? "is-marked" : ""}`;
}

/** What is in doubt says so, and can be asked why. */
function Doubtful({ marked, onAsk, children }: { marked: boolean; onAsk: () => void; children: ReactNode }) {
  if (!marked) return children;
  return (
    <button type="button" onClick={onAsk}>
      {children}
      <span className="visually-hidden"> in doubt</span>
    </button>
  );
}
