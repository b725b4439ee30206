import { useEffect, useState, type ReactNode } from "react";
import type { RowsProps } from "./DataGrid";
import { isColumnMarked } from "./doubt";
import { alignmentOf, cellText } from "./format";
import { marksIn } from "./marks";
import { PAGE_SIZE } from "./pages";
import { Pager } from "./Pager";
import "./DataTable.css";

const SHOWN_ROWS = 50;
const SHOWN_COLUMNS = 100;

interface DataTableProps extends RowsProps {
  name: string;
}

/** The same rows as a plain HTML table, for screen readers, for searching in the page, and for who prefers it. */
export function DataTable({ name, columns, rows, pages, doubt, place, onAsk }: DataTableProps) {
  const [first, setFirst] = useState(0);
  const [firstColumn, setFirstColumn] = useState(0);
  const [gone, setGone] = useState(place);
  if (place && place !== gone) {
    setGone(place);
    setFirst(startOf(place.row, SHOWN_ROWS));
    setFirstColumn(startOf(place.column ?? firstColumn, SHOWN_COLUMNS));
  }
  const { want, cache } = pages;
  const end = Math.min(first + SHOWN_ROWS, rows);
  const shown = columns.slice(firstColumn, firstColumn + SHOWN_COLUMNS);
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
              {shown.map(({ name, type }, index) => (
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
                {shown.map((column, place) => {
                  const index = firstColumn + place;
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
      <div className="data-table-pagers">
        <Pager what="rows" first={first} step={SHOWN_ROWS} count={rows} onGo={setFirst} />
        <Pager what="columns" first={firstColumn} step={SHOWN_COLUMNS} count={columns.length} onGo={setFirstColumn} />
      </div>
    </div>
  );
}

/** Where the page begins that something is on. */
function startOf(place: number, step: number): number {
  return place - (place % step);
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
