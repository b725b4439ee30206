import { lazy, Suspense, useCallback, useState } from "react";
import type { LiveNotebook } from "../api/live";
import type { Question } from "../api/types";
import { PublishDialog } from "../publishing/PublishDialog";

const ExportDialog = lazy(() => import("../exporting/ExportDialog").then((m) => ({ default: m.ExportDialog })));

/** How a dataset leaves a notebook. */
export type WayOut = "export" | "publish";

interface Leaving {
  how: WayOut;
  dataset: Question;
}

/** Which dataset somebody wants to take out, and how. */
export function useWaysOut() {
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const takeOut = useCallback((how: WayOut, dataset: Question) => setLeaving({ how, dataset }), []);
  const close = useCallback(() => setLeaving(null), []);
  return { leaving, takeOut, close };
}

interface WaysOutProps {
  notebook: LiveNotebook;
  leaving: Leaving | null;
  onClose: () => void;
}

/** The dialog for that, as long as the dataset is there. */
export function WaysOut({ notebook, leaving, onClose }: WaysOutProps) {
  const cell = notebook.cells.find(({ handle }) => handle === leaving?.dataset.cell);
  const output = cell?.outputs.find(({ name }) => name === leaving?.dataset.name);
  if (!leaving || !cell || !output) return null;
  const shared = { version: notebook.ref, cell, output, onClose };
  if (leaving.how === "publish") return <PublishDialog {...shared} />;
  return (
    <Suspense fallback={null}>
      <ExportDialog {...shared} />
    </Suspense>
  );
}
