import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { api } from "../api/client";
import { messageOf } from "../api/errors";
import type { LiveNotebook } from "../api/live";
import { IconButton } from "../app/Button";
import { Dialog } from "../app/Dialog";
import { counted } from "../grid/sizes";
import { Graph } from "./Graph";
import "./Graph.css";

const MEANING =
  "Depth: how many cells must run one after the other. Parallelism: how many could run at once on average.";

interface GraphDialogProps {
  notebook: LiveNotebook;
  onChoose: (handle: string) => void;
  onClose: () => void;
}

/** Which cell reads what another one made; asked anew whenever a cell has run. */
export default function GraphDialog({ notebook, onChoose, onClose }: GraphDialogProps) {
  const { ref, cells } = notebook;
  const runs = cells.map((cell) => `${cell.state} ${cell.run?.id ?? ""}`).join();
  const { data, error } = useQuery({
    queryKey: ["provenance", ref.branch, ref.number, runs],
    queryFn: () => api.provenance(ref),
    placeholderData: (before) => before,
  });
  const choose = (handle: string) => {
    onClose();
    // The dialog gives the focus back as it closes; the cell has to come after that.
    window.setTimeout(() => onChoose(handle));
  };
  return (
    <Dialog title="Graph of cells" size="full" onClose={onClose}>
      <header className="graph-bar">
        <h2>Graph of cells</h2>
        {data && (
          <span className="graph-figures" title={MEANING}>
            {counted(data.cells.length, "cell")} · depth {data.depth} · parallelism {data.parallelism.toFixed(1)}
          </span>
        )}
        <span className="graph-key">
          <svg width="26" height="8" aria-hidden>
            <path className="graph-line" d="M0,4 H26" />
          </svg>
          observed
          <svg width="26" height="8" aria-hidden>
            <path className="graph-line graph-forecast" d="M0,4 H26" />
          </svg>
          expected from the code
        </span>
        <IconButton label="Close" keys="escape" onClick={onClose}>
          <X size={15} />
        </IconButton>
      </header>
      {error && <p className="graph-note">{messageOf(error)}</p>}
      {data?.cells.length === 0 && <p className="graph-note">There is no cell yet that could run.</p>}
      {data && data.cells.length > 0 && <Graph cells={cells} provenance={data} onChoose={choose} />}
    </Dialog>
  );
}
