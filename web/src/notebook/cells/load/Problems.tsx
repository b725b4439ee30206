import { TriangleAlert } from "lucide-react";
import type { FilePreview } from "../../../api/types";
import { counted } from "../../../grid/sizes";

/** What is wrong with records, or why they are no rows. */
export function Problems({ preview }: { preview: FilePreview }) {
  const { problems, problem_count: count, left_out: left } = preview;
  if (count === 0) return null;
  const parts = [
    count > left && `${counted(count - left, "row")} in doubt`,
    left > 0 && `${counted(left, "line")} taken for no row`,
  ];
  return (
    <details className="load-problems">
      <summary>
        <TriangleAlert size={13} aria-hidden /> {parts.filter(Boolean).join("; ")}
      </summary>
      <ol>
        {problems.map(({ line, what }, index) => (
          <li key={index} value={line}>
            {what}
          </li>
        ))}
      </ol>
      {count > problems.length && <p className="load-hint">… and {count - problems.length} more</p>}
    </details>
  );
}
