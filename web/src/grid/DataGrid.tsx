import {
  DataEditor,
  GridCellKind,
  type DrawHeaderCallback,
  type GridCell,
  type GridColumn,
  type Item,
  type Rectangle,
} from "@glideapps/glide-data-grid";
import { useCallback, useMemo, useState } from "react";
import type { Column } from "../api/types";
import { token } from "../theme/theme";
import { alignmentOf, cellText, isFigure } from "./format";
import { PAGE_SIZE, type Pages } from "./pages";
import { useGridTheme } from "./theme";
import { useWidth } from "./useWidth";
import { columnWidth } from "./widths";
import "@glideapps/glide-data-grid/dist/index.css";

const ROW_HEIGHT = 27;
const HEADER_HEIGHT = 44;
const SCROLLBAR = 12;

interface DataGridProps {
  columns: Column[];
  rows: number;
  pages: Pages;
  /** The height at which rows start to scroll; null takes all the room there is. */
  tallest: number | null;
}

/** Our grid: Glide Data Grid draws it; columns, values and paging are ours. */
export function DataGrid({ columns, rows, pages, tallest }: DataGridProps) {
  const [widths, setWidths] = useState<Record<number, number>>({});
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
  const getCellContent = useCallback(
    ([column, row]: Item): GridCell => {
      const vector = cache.get(Math.floor(row / PAGE_SIZE))?.getChildAt(column);
      if (!vector) return LOADING;
      return contentOf(cellText(vector, row % PAGE_SIZE), columns[column]?.type ?? "");
    },
    // New arrivals make a new function, which makes the grid draw again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [cache, columns, arrivals],
  );
  const onVisible = useCallback((seen: Rectangle) => want(seen.y, seen.y + seen.height), [want]);
  const { element, width } = useWidth();
  const needed = gridColumns.reduce((sum, column) => sum + ("width" in column ? column.width : 0), markerWidth(rows));
  const height = tallest === null ? "100%" : gridHeight(rows, needed > width, tallest);
  return (
    <div ref={element} className="data-grid" style={{ height }}>
      <DataEditor
        columns={gridColumns}
        rows={rows}
        getCellContent={getCellContent}
        getCellsForSelection
        onVisibleRegionChanged={onVisible}
        onColumnResize={(_, width, index) => setWidths((before) => ({ ...before, [index]: width }))}
        drawHeader={useHeaderDrawing(columns)}
        rowMarkers={{ kind: "number", width: markerWidth(rows) }}
        rowHeight={ROW_HEIGHT}
        headerHeight={HEADER_HEIGHT}
        smoothScrollX
        smoothScrollY
        rangeSelect="multi-rect"
        columnSelect="multi"
        rowSelect="multi"
        keybindings={{ search: false }}
        minColumnWidth={50}
        maxColumnWidth={900}
        maxColumnAutoWidth={500}
        width="100%"
        height="100%"
        theme={useGridTheme()}
      />
    </div>
  );
}

/** The height that shows all rows, up to a limit: known before the first page arrives, so nothing jumps. */
function gridHeight(rows: number, scrollsSideways: boolean, tallest: number): number {
  return Math.min(HEADER_HEIGHT + rows * ROW_HEIGHT + (scrollsSideways ? SCROLLBAR : 1), tallest);
}

const LOADING: GridCell = {
  kind: GridCellKind.Loading,
  allowOverlay: false,
  skeletonWidth: 60,
  skeletonWidthVariability: 30,
};

const NULL_LOOK = { style: "faded", themeOverride: { baseFontStyle: "italic 12px" } } as const;
// A canvas has no tabular figures; in the code font, digits stand below digits.
const FIGURE_LOOK = { themeOverride: { fontFamily: token("font-code"), baseFontStyle: "12px" } } as const;

function contentOf(text: string | null, type: string): GridCell {
  const shown = text ?? "null";
  return {
    kind: GridCellKind.Text,
    data: text ?? "",
    displayData: shown.length > 300 ? `${shown.slice(0, 300)}…` : shown,
    copyData: text ?? "",
    readonly: true,
    allowOverlay: text !== null,
    contentAlign: alignmentOf(type),
    ...(text === null ? NULL_LOOK : isFigure(type) ? FIGURE_LOOK : {}),
  };
}

/** The name, and below it the type. */
function useHeaderDrawing(columns: Column[]): DrawHeaderCallback {
  return useCallback(
    ({ ctx, rect, columnIndex, theme }, drawDefault) => {
      const column = columns[columnIndex];
      if (!column) {
        drawDefault();
        return;
      }
      const right = alignmentOf(column.type) === "right";
      const x = right ? rect.x + rect.width - 10 : rect.x + 10;
      ctx.save();
      ctx.beginPath();
      ctx.rect(rect.x + 4, rect.y, rect.width - 8, rect.height);
      ctx.clip();
      ctx.textAlign = right ? "right" : "left";
      ctx.textBaseline = "middle";
      ctx.font = `600 12px ${theme.fontFamily}`;
      ctx.fillStyle = theme.textHeader;
      ctx.fillText(column.name, x, rect.y + 15);
      ctx.font = `11px ${theme.fontFamily}`;
      ctx.fillStyle = token("ink-faint");
      ctx.fillText(column.type, x, rect.y + 31);
      ctx.restore();
    },
    [columns],
  );
}

function markerWidth(rows: number): number {
  return Math.max(36, 16 + String(rows).length * 7);
}
