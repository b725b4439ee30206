import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import type { Column } from "../api/types";
import { IconButton } from "../app/Button";
import { alignmentOf, cellText } from "./format";
import { PAGE_SIZE, type Pages } from "./pages";
import "./DataTable.css";

const SHOWN = 50;

interface DataTableProps {
  name: string;
  columns: Column[];
  rows: number;
  pages: Pages;
}

/** The same rows as a plain HTML table, for screen readers, for searching in the page, and for who prefers it. */
export function DataTable({ name, columns, rows, pages }: DataTableProps) {
  const [first, setFirst] = useState(0);
  const { want, cache } = pages;
  const end = Math.min(first + SHOWN, rows);
  useEffect(() => want(first, end), [want, first, end]);
  const numbers = Array.from({ length: end - first }, (_, index) => first + index);
  return (
    <div className="data-table">
      <div className="data-table-scroll" tabIndex={0} role="group" aria-label={`Rows of ${name}`}>
        <table>
          <caption className="visually-hidden">{`${name}, rows ${first + 1} to ${end} of ${rows}`}</caption>
          <thead>
            <tr>
              <th scope="col">#</th>
              {columns.map((column, index) => (
                <th key={index} scope="col" className={`align-${alignmentOf(column.type)}`}>
                  {column.name}
                  <span>{column.type}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {numbers.map((row) => (
              <tr key={row}>
                <th scope="row">{(row + 1).toLocaleString("en")}</th>
                {columns.map((column, index) => {
                  const values = cache.get(Math.floor(row / PAGE_SIZE))?.getChildAt(index);
                  return (
                    <Value key={index} text={values ? cellText(values, row % PAGE_SIZE) : ""} type={column.type} />
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

function Value({ text, type }: { text: string | null; type: string }) {
  const className = `align-${alignmentOf(type)}`;
  return text === null ? <td className={`${className} is-null`}>null</td> : <td className={className}>{text}</td>;
}
