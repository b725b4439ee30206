import {
  CompactSelection,
  DataEditor,
  type DataEditorRef,
  type GridCell,
  type GridColumn,
  type GridSelection,
  type Item,
  type Rectangle,
} from "@glideapps/glide-data-grid";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Column, Doubt, Part } from "../api/types";
import { contentOf, LOADING } from "./contents";
import { isColumnMarked } from "./doubt";
import { headerDrawing, rendererList, valueDrawing } from "./drawing";
import { cellText } from "./format";
import { marksIn } from "./marks";
import { PAGE_SIZE, type Pages } from "./pages";
import { useLook } from "./theme";
import type { Place } from "./useMarkedRows";
import { useWidth } from "./useWidth";
import { columnWidth } from "./widths";
import "@glideapps/glide-data-grid/dist/index.css";

const ROW_HEIGHT = 27;
const HEADER_HEIGHT = 44;
const SCROLLBAR = 12;
const NOTHING: GridSelection = { columns: CompactSelection.empty(), rows: CompactSelection.empty() };

export interface RowsProps {
  columns: Column[];
  rows: number;
  pages: Pages;
  doubt: Doubt;
  /** A place to go to. */
  place?: Place | null;
  /** Somebody wants to know why a part is in doubt. */
  onAsk: (part: Part) => void;
}

interface DataGridProps extends RowsProps {
  /** The height at which rows start to scroll; null takes all the room there is. */
  tallest: number | null;
  /** Somebody selected a part, or nothing any more. */
  onPoint?: (part: Part | null) => void;
}

/** Our grid: Glide Data Grid draws it; columns, values, marks and paging are ours. */
export function DataGrid({ columns, rows, pages, doubt, place, tallest, onAsk, onPoint }: DataGridProps) {
  const [widths, setWidths] = useState<Record<number, number>>({});
  const [selection, setSelection] = useState(NOTHING);
  const look = useLook();
  const firstPage = pages.cache.get(0);
  const gridColumns = useMemo<GridColumn[]>(
    () =>
      columns.map((column, index) => ({
        id: String(index),
        title: column.name,
        width: widths[index] ?? columnWidth(column, firstPage?.getChildAt(index)),
      })),
    [columns, widths, firstPage],
  );
  const { cache, arrivals, want } = pages;
  // New arrivals make new marks and a new function, which makes the grid draw again.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const marks = useMemo(() => marksIn(cache, columns.length), [cache, columns, arrivals]);
  const getCellContent = useCallback(
    ([column, row]: Item): GridCell => {
      const vector = cache.get(Math.floor(row / PAGE_SIZE))?.getChildAt(column);
      if (!vector) return LOADING;
      const background = marks.ofValue(row, column) ? look.doubt.soft : null;
      return contentOf(cellText(vector, row % PAGE_SIZE), columns[column]?.type ?? "", background);
    },
    [cache, columns, marks, look],
  );
  const onVisible = useCallback((seen: Rectangle) => want(seen.y, seen.y + seen.height), [want]);
  const { element, width } = useWidth();
  const needed = gridColumns.reduce((sum, column) => sum + ("width" in column ? column.width : 0), markerWidth(rows));
  const height = tallest === null ? "100%" : gridHeight(rows, needed > width, tallest);
  const select = (next: GridSelection) => {
    setSelection(next);
    onPoint?.(selectedPart(next, columns));
  };
  const editor = useRef<DataEditorRef>(null);
  const [gone, setGone] = useState(place);
  if (place && place !== gone) {
    setGone(place);
    setSelection(selectionOf(place));
  }
  useEffect(() => {
    if (!place) return;
    onPoint?.(partAt(place.row, columns[place.column ?? -1]));
    editor.current?.scrollTo(place.column ?? 0, place.row, place.column === null ? "vertical" : "both", 0, 0, {
      vAlign: "center",
    });
    editor.current?.focus();
    // Only a new place is gone to; what else changes meanwhile is not a reason to go there again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [place]);
  const askAt = ([column, row]: Item) => {
    if (column < 0 ? marks.ofRow(row) : marks.ofValue(row, column)) onAsk(partAt(row, columns[column]));
  };
  const askColumn = (name: string | undefined) => {
    if (name !== undefined && isColumnMarked(doubt, name)) onAsk({ column: name });
  };
  return (
    <div ref={element} className="data-grid" style={{ height }}>
      <DataEditor
        ref={editor}
        columns={gridColumns}
        rows={rows}
        getCellContent={getCellContent}
        getCellsForSelection
        gridSelection={selection}
        onGridSelectionChange={select}
        onCellClicked={askAt}
        onHeaderClicked={(column) => askColumn(columns[column]?.name)}
        onVisibleRegionChanged={onVisible}
        onColumnResize={(_, width, index) => setWidths((before) => ({ ...before, [index]: width }))}
        drawHeader={useMemo(() => headerDrawing(columns, doubt, look.doubt), [columns, doubt, look])}
        drawCell={useMemo(() => valueDrawing(marks, look.doubt), [marks, look])}
        renderers={useMemo(() => rendererList(marks, look.doubt), [marks, look])}
        rowMarkers={{ kind: "clickable-number", width: markerWidth(rows) }}
        rowHeight={ROW_HEIGHT}
        headerHeight={HEADER_HEIGHT}
        smoothScrollX
        smoothScrollY
        rangeSelect="multi-rect"
        columnSelect="multi"
        rowSelect="multi"
        // Escape leaves the grid, as it leaves an editor.
        keybindings={{ search: false, clear: false }}
        minColumnWidth={50}
        maxColumnWidth={900}
        maxColumnAutoWidth={500}
        width="100%"
        height="100%"
        theme={look.grid}
      />
    </div>
  );
}

function partAt(row: number, column: Column | undefined): Part {
  return column ? { row, column: column.name } : { row };
}

function selectionOf({ row, column }: Place): GridSelection {
  if (column === null) return { ...NOTHING, rows: CompactSelection.fromSingleSelection(row) };
  const range = { x: column, y: row, width: 1, height: 1 };
  return { ...NOTHING, current: { cell: [column, row], range, rangeStack: [] } };
}

/** What a selection points at: a value, or else a row or a column. */
function selectedPart({ current, rows, columns }: GridSelection, all: Column[]): Part | null {
  if (current) return partAt(current.cell[1], all[current.cell[0]]);
  const row = rows.first();
  if (row !== undefined) return { row };
  const column = all[columns.first() ?? -1];
  return column ? { column: column.name } : null;
}

/** The height that shows all rows, up to a limit: known before the first page arrives, so nothing jumps. */
function gridHeight(rows: number, scrollsSideways: boolean, tallest: number): number {
  return Math.min(HEADER_HEIGHT + rows * ROW_HEIGHT + (scrollsSideways ? SCROLLBAR : 1), tallest);
}

function markerWidth(rows: number): number {
  return Math.max(36, 16 + String(rows).length * 7);
}
