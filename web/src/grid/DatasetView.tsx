import { ChevronDown, ChevronUp, Grid3x3, Maximize2, Minimize2, Table as TableIcon, TriangleAlert } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Output, Part } from "../api/types";
import { IconButton } from "../app/Button";
import { Dialog } from "../app/Dialog";
import { doubtText } from "./doubt";
import { LeftOut } from "./LeftOut";
import { usePages } from "./pages";
import { Rows } from "./Rows";
import { sizeText } from "./sizes";
import { useMarkedRows } from "./useMarkedRows";
import "./DatasetView.css";

const TALLEST = 380;

interface DatasetViewProps {
  output: Output;
  /** Why it may not be what the cell would make now; nothing if it is. */
  old: string | null;
  /** Somebody wants to know why a part of it is in doubt. */
  onAsk: (part: Part) => void;
  /** Somebody selected a part of it, or nothing any more. */
  onPoint: (part: Part | null) => void;
  /** What else can be done with it. */
  menu: ReactNode;
}

/** A dataset that a cell made: its name and size, what is in doubt, and its rows as a grid or as a table. */
export default function DatasetView(props: DatasetViewProps) {
  const [large, setLarge] = useState(false);
  const close = () => setLarge(false);
  const askFromLarge = (part: Part) => {
    close();
    props.onAsk(part);
  };
  return (
    <>
      <Dataset {...props} large={false} onResize={() => setLarge(true)} />
      {large && (
        <Dialog title={`Dataset ${props.output.name}`} size="full" onClose={close}>
          <Dataset {...props} large onResize={close} onAsk={askFromLarge} />
        </Dialog>
      )}
    </>
  );
}

interface DatasetProps extends DatasetViewProps {
  large: boolean;
  onResize: () => void;
}

function Dataset({ output, old, large, onResize, onAsk, onPoint, menu }: DatasetProps) {
  const [asTable, setAsTable] = useState(false);
  const { name, artifact } = output;
  const rows = artifact.rows ?? 0;
  const pages = usePages(`${artifact.id}/rows`, rows);
  const marked = useMarkedRows(artifact);
  const point = (part: Part | null) => {
    marked.leave(part?.row ?? null);
    onPoint(part);
  };
  return (
    <section
      onKeyDownCapture={marked.onKeyDownCapture}
      className={`dataset ${large ? "dataset-large" : ""} ${old === null ? "" : "dataset-old"}`}
      role="region"
      aria-label={`Dataset ${name}`}
    >
      <header className="dataset-bar">
        <span className="dataset-name">{name}</span>
        <span className="dataset-size">{sizeText(rows, artifact.columns.length)}</span>
        {old && <span className="outdated">{old}</span>}
        <DoubtBadge output={output} onAsk={onAsk} />
        {marked.hasMarks && (
          <span className="dataset-steps">
            <span className="visually-hidden" role="status">
              {marked.place && `Row ${(marked.place.row + 1).toLocaleString("en")} is in doubt`}
            </span>
            <IconButton label="Previous row in doubt" keys="alt+arrowup" onClick={() => void marked.go(true)}>
              <ChevronUp size={14} />
            </IconButton>
            <IconButton label="Next row in doubt" keys="alt+arrowdown" onClick={() => void marked.go(false)}>
              <ChevronDown size={14} />
            </IconButton>
          </span>
        )}
        <span className="dataset-space" />
        <IconButton label="Caveats" keys="c" onClick={() => onAsk({})}>
          <TriangleAlert size={14} />
        </IconButton>
        <IconButton label={asTable ? "Grid" : "Table"} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? <Grid3x3 size={14} /> : <TableIcon size={14} />}
        </IconButton>
        <IconButton label={large ? "Restore" : "Maximise"} onClick={onResize}>
          {large ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
        </IconButton>
        {menu}
      </header>
      <Rows
        name={name}
        columns={artifact.columns}
        rows={rows}
        pages={pages}
        doubt={artifact.doubt}
        asTable={asTable}
        tallest={large ? null : TALLEST}
        place={marked.place}
        onAsk={onAsk}
        onPoint={point}
      />
      <LeftOut output={output} asTable={asTable} onAsk={onAsk} />
    </section>
  );
}

function DoubtBadge({ output, onAsk }: Pick<DatasetProps, "output" | "onAsk">) {
  const text = doubtText(output.artifact.doubt);
  if (text === null) return null;
  return (
    <button type="button" className="doubt-badge" onClick={() => onAsk({})}>
      {text}
    </button>
  );
}
