import { useState } from "react";
import type { LiveCell } from "../../../api/live";
import type { CellDraft } from "../../useCellDraft";
import { LoadForm } from "./LoadForm";
import { LoadSummary } from "./LoadSummary";
import { hasSource } from "./source";
import "./LoadCell.css";

interface LoadCellProps {
  cell: LiveCell;
  draft: CellDraft;
}

/** Where a dataset comes from: a form until it is loaded, then a line that says so. */
export function LoadCell({ cell, draft }: LoadCellProps) {
  const [open, setOpen] = useState(false);
  const loaded = !draft.edited && hasSource(draft.parameters) && cell.state !== "error";
  if (loaded && !open) return <LoadSummary cell={cell} draft={draft} onEdit={() => setOpen(true)} />;
  return <LoadForm cell={cell} draft={draft} onDone={loaded || draft.edited ? () => setOpen(false) : undefined} />;
}
