import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "../app/Button";

interface PagerProps {
  what: "rows" | "columns";
  /** The first one that is shown. */
  first: number;
  /** How many are shown at once. */
  step: number;
  count: number;
  onGo: (first: number) => void;
}

/** Steps through rows or columns; nothing where all of them are shown. */
export function Pager({ what, first, step, count, onGo }: PagerProps) {
  if (count <= step) return null;
  const end = Math.min(first + step, count);
  return (
    <div className="data-table-pager">
      <IconButton label={`Previous ${what}`} disabled={first === 0} onClick={() => onGo(first - step)}>
        <ChevronLeft size={15} />
      </IconButton>
      <span aria-live="polite">
        {(first + 1).toLocaleString("en")}–{end.toLocaleString("en")} of {count.toLocaleString("en")} {what}
      </span>
      <IconButton label={`Next ${what}`} disabled={end >= count} onClick={() => onGo(first + step)}>
        <ChevronRight size={15} />
      </IconButton>
    </div>
  );
}
