import { TriangleAlert } from "lucide-react";
import { useWritten } from "../api/queries";

const WORDS = {
  changed: "has been changed since. To write it again, let the cell replace it, and run it anew.",
  gone: "is gone. Run the cell anew to write it again.",
} as const;

/** Says which of the files that a run exported are no longer what it wrote; nothing if all are. */
export function WrittenFiles({ run }: { run: string }) {
  const files = useWritten(run).data ?? [];
  return files.map(({ path, state }) =>
    state === "same" ? null : (
      <p key={path} className="output-note export-altered">
        <TriangleAlert size={13} aria-hidden /> {path} {WORDS[state]}
      </p>
    ),
  );
}
