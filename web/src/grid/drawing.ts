import {
  AllCellRenderers,
  markerCellRenderer,
  type DrawCellCallback,
  type DrawHeaderCallback,
  type Rectangle,
} from "@glideapps/glide-data-grid";
import type { Column, Doubt } from "../api/types";
import { token } from "../theme/theme";
import { isColumnMarked } from "./doubt";
import { alignmentOf } from "./format";
import type { Marks } from "./marks";
import type { DoubtColours } from "./theme";

const CORNER = 8;

/** The sign of doubt, next to its colour: a triangle in the upper right corner. */
function drawCorner(ctx: CanvasRenderingContext2D, { x, y, width }: Rectangle, colour: string): void {
  ctx.save();
  // Nulls are drawn faded; the doubt about them is not.
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(x + width - CORNER, y);
  ctx.lineTo(x + width, y);
  ctx.lineTo(x + width, y + CORNER);
  ctx.fill();
  ctx.restore();
}

/** Draws values, those in doubt with a corner. */
export function valueDrawing(marks: Marks, colours: DoubtColours): DrawCellCallback {
  return ({ ctx, rect, col, row }, drawContent) => {
    drawContent();
    if (marks.ofValue(row, col)) drawCorner(ctx, rect, colours.ink);
  };
}

/** Draws row numbers, those of rows in doubt on its colour and with a corner. */
export function rendererList(marks: Marks, colours: DoubtColours): typeof AllCellRenderers {
  const marker: typeof markerCellRenderer = {
    ...markerCellRenderer,
    draw: (args, cell) => {
      const { ctx, rect, row, highlighted } = args;
      const marked = marks.ofRow(row);
      if (marked && !highlighted) {
        ctx.fillStyle = colours.soft;
        ctx.fillRect(rect.x, rect.y, rect.width, rect.height);
      }
      markerCellRenderer.draw(args, cell);
      if (marked) drawCorner(ctx, rect, colours.ink);
    },
  };
  return AllCellRenderers.map((renderer) =>
    renderer.kind === marker.kind ? (marker as (typeof AllCellRenderers)[number]) : renderer,
  );
}

/** Draws a column's name and below it the type; a corner if values of it are in doubt. */
export function headerDrawing(columns: Column[], doubt: Doubt, colours: DoubtColours): DrawHeaderCallback {
  return ({ ctx, rect, columnIndex, theme }, drawDefault) => {
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
    if (isColumnMarked(doubt, column.name)) drawCorner(ctx, rect, colours.ink);
  };
}
