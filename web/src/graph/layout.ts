import type { CellLink } from "../api/types";
import { layersOf, stopsOf, type Pair } from "./layers";

export const NODE = { width: 190, height: 52 };
const GAP = { x: 28, y: 56 };
/** The room of a line that passes between the nodes of a layer. */
const LANE = 28;
const MARGIN = 24;
const LONGEST_LABEL = 26;

interface Point {
  x: number;
  y: number;
}

/** Where a cell is: the middle of its upper edge. */
export interface Place extends Point {
  handle: string;
}

/** All that one cell reads of another, as one line. */
export interface Arrow {
  from: string;
  to: string;
  path: string;
  label: string;
  names: string;
  labelAt: Point;
  observed: boolean;
}

export interface Layout {
  places: Place[];
  arrows: Arrow[];
  width: number;
  height: number;
}

/** Cells in layers: each below all that it reads from, those in a layer beside each other can run at once. */
export function layoutOf(handles: readonly string[], links: readonly CellLink[]): Layout {
  const pairs = pairsOf(links);
  const layers = layersOf(handles, pairs);
  const isCell = new Set(handles);
  const breadth = (stop: string) => (isCell.has(stop) ? NODE.width : LANE);
  const widths = layers.map((layer) => layer.reduce((sum, stop) => sum + breadth(stop) + GAP.x, -GAP.x));
  const width = Math.max(NODE.width, ...widths) + 2 * MARGIN;
  const at = new Map<string, Point>();
  layers.forEach((layer, row) => {
    let left = (width - (widths[row] ?? 0)) / 2;
    for (const stop of layer) {
      at.set(stop, { x: left + breadth(stop) / 2, y: MARGIN + row * (NODE.height + GAP.y) });
      left += breadth(stop) + GAP.x;
    }
  });
  const places = handles.map((handle) => ({ handle, ...pointOf(at, handle) }));
  const arrows = pairs.map((pair) => arrowOf(pair, stopsOf(pair, layers).map((stop) => pointOf(at, stop))));
  return { places, arrows, width, height: layers.length * (NODE.height + GAP.y) - GAP.y + 2 * MARGIN };
}

function pointOf(at: ReadonlyMap<string, Point>, stop: string): Point {
  return at.get(stop) ?? { x: 0, y: 0 };
}

function pairsOf(links: readonly CellLink[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const { writer, reader, name, observed } of links) {
    const key = `${writer} ${reader}`;
    const known = pairs.get(key);
    const names = [...(known?.names ?? []), name === "*" ? "anything" : name];
    pairs.set(key, { writer, reader, names, observed: observed && (known?.observed ?? true) });
  }
  return [...pairs.values()];
}

/** A line from stop to stop: a curve between two layers, straight through those where it does not end. */
function arrowOf({ writer, reader, names, observed }: Pair, stops: readonly Point[]): Arrow {
  const curves = stops.slice(1).map((to, index) => {
    const from = stops[index] ?? to;
    const [y1, y2] = [from.y + NODE.height, to.y];
    const middle = (y1 + y2) / 2;
    return { start: { x: from.x, y: y1 }, middle: { x: (from.x + to.x) / 2, y: middle }, end: { x: to.x, y: y2 } };
  });
  const steps = curves.map(({ start, middle, end }) => {
    return `L${start.x},${start.y} C${start.x},${middle.y} ${end.x},${middle.y} ${end.x},${end.y}`;
  });
  const text = names.join(", ");
  return {
    from: writer,
    to: reader,
    path: steps.join(" ").replace("L", "M"),
    label: text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text,
    names: text,
    labelAt: curves[0]?.middle ?? { x: 0, y: 0 },
    observed,
  };
}
