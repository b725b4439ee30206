import { Grid3x3, Maximize2, Minimize2, Table as TableIcon } from "lucide-react";
import { useState } from "react";
import type { Output } from "../api/types";
import { IconButton } from "../app/Button";
import { Dialog } from "../app/Dialog";
import { DataGrid } from "./DataGrid";
import { DataTable } from "./DataTable";
import { usePages } from "./pages";
import { sizeText } from "./sizes";
import "./DatasetView.css";

const TALLEST = 380;

interface DatasetViewProps {
  output: Output;
  outdated: boolean;
}

/** A dataset that a cell made: its name and size, and its rows as a grid or as a table. */
export default function DatasetView({ output, outdated }: DatasetViewProps) {
  const [large, setLarge] = useState(false);
  const close = () => setLarge(false);
  return (
    <>
      <Dataset output={output} outdated={outdated} large={false} onResize={() => setLarge(true)} />
      {large && (
        <Dialog title={`Dataset ${output.name}`} size="full" onClose={close}>
          <Dataset output={output} outdated={outdated} large onResize={close} />
        </Dialog>
      )}
    </>
  );
}

interface DatasetProps extends DatasetViewProps {
  large: boolean;
  onResize: () => void;
}

function Dataset({ output: { name, artifact }, outdated, large, onResize }: DatasetProps) {
  const [asTable, setAsTable] = useState(false);
  const rows = artifact.rows ?? 0;
  const pages = usePages(artifact.id, rows);
  const shared = { columns: artifact.columns, rows, pages };
  return (
    <section
      className={`dataset ${large ? "dataset-large" : ""} ${outdated ? "dataset-old" : ""}`}
      role="region"
      aria-label={`Dataset ${name}`}
    >
      <header className="dataset-bar">
        <span className="dataset-name">{name}</span>
        <span className="dataset-size">{sizeText(rows, artifact.columns.length)}</span>
        {outdated && <span className="outdated">out of date</span>}
        <span className="dataset-space" />
        <IconButton label={asTable ? "Grid" : "Table"} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? <Grid3x3 size={14} /> : <TableIcon size={14} />}
        </IconButton>
        <IconButton label={large ? "Restore" : "Maximise"} onClick={onResize}>
          {large ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
        </IconButton>
      </header>
      {pages.problem ? (
        <p className="dataset-problem" role="alert">
          {pages.problem}{" "}
          <button type="button" className="link" onClick={pages.retry}>
            Try again
          </button>
        </p>
      ) : (
        <div className="dataset-body" style={large ? undefined : { maxHeight: TALLEST }}>
          {asTable ? <DataTable name={name} {...shared} /> : <DataGrid {...shared} tallest={large ? null : TALLEST} />}
        </div>
      )}
    </section>
  );
}
