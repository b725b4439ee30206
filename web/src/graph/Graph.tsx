import { Snowflake } from "lucide-react";
import { useMemo, useState } from "react";
import { isActive, type LiveCell } from "../api/live";
import type { Provenance } from "../api/types";
import { kindOf } from "../notebook/kinds";
import { useNumbers } from "../notebook/numbers";
import { standing } from "../notebook/standing";
import { layoutOf, NODE, type Arrow, type Place } from "./layout";

interface GraphProps {
  cells: readonly LiveCell[];
  provenance: Provenance;
  onChoose: (handle: string) => void;
}

/** Cells as buttons in layers, over the lines of what passes between them. */
export function Graph({ cells, provenance, onChoose }: GraphProps) {
  const [lit, setLit] = useState<string | null>(null);
  const layout = useMemo(
    () =>
      layoutOf(
        provenance.cells.map(({ cell }) => cell),
        provenance.links,
      ),
    [provenance],
  );
  const writes = new Map(provenance.cells.map((node) => [node.cell, node.writes.filter(isShown)]));
  return (
    <div className="graph">
      <div className="graph-sheet" style={{ width: layout.width, height: layout.height }}>
        <svg width={layout.width} height={layout.height} aria-hidden>
          {layout.arrows.map((arrow) => (
            <Line key={`${arrow.from} ${arrow.to}`} arrow={arrow} lit={lit === arrow.from || lit === arrow.to} />
          ))}
        </svg>
        {layout.places.map((place, index) => (
          <Node
            key={place.handle}
            isFirst={index === 0}
            place={place}
            cells={cells}
            writes={writes.get(place.handle) ?? []}
            onLight={setLit}
            onChoose={onChoose}
          />
        ))}
      </div>
    </div>
  );
}

function Line({ arrow, lit }: { arrow: Arrow; lit: boolean }) {
  const { path, label, names, labelAt, observed } = arrow;
  return (
    <g className={lit ? "graph-lit" : undefined}>
      <path className={observed ? "graph-line" : "graph-line graph-forecast"} d={path} />
      <text x={labelAt.x} y={labelAt.y}>
        <title>{names}</title>
        {label}
      </text>
    </g>
  );
}

interface NodeProps {
  isFirst: boolean;
  place: Place;
  cells: readonly LiveCell[];
  writes: readonly string[];
  onLight: (handle: string | null) => void;
  onChoose: (handle: string) => void;
}

function Node({ isFirst, place: { handle, x, y }, cells, writes, onLight, onChoose }: NodeProps) {
  const numberOf = useNumbers(cells);
  const cell = cells.find((candidate) => candidate.handle === handle);
  if (!cell) return null;
  const kind = kindOf(cell.kind);
  const { tone, shape, text } = standing(cell, isActive(cell, cells), numberOf);
  return (
    <button
      type="button"
      autoFocus={isFirst}
      className={`graph-node graph-node-${tone}`}
      style={{ left: x - NODE.width / 2, top: y, width: NODE.width, height: NODE.height }}
      onMouseEnter={() => onLight(handle)}
      onMouseLeave={() => onLight(null)}
      onFocus={() => onLight(handle)}
      onBlur={() => onLight(null)}
      onClick={() => onChoose(handle)}
    >
      <span className="graph-kind">
        <kind.icon size={12} aria-hidden /> Cell {numberOf(handle)}
        {cell.frozen && <Snowflake size={12} className="graph-frozen" aria-label="frozen" />}
      </span>
      <span className={`cell-state cell-state-${tone}`}>
        <span aria-hidden>{shape}</span> {text}
      </span>
      <span className="graph-writes">{writes.length > 0 ? writes.join(", ") : kind.title}</span>
    </button>
  );
}

/** What libraries remember passes between cells too, but says little about them. */
function isShown(name: string): boolean {
  return !name.startsWith("@");
}
