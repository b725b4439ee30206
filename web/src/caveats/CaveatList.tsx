import type { Reasons } from "../api/caveats";
import type { LiveNotebook } from "../api/live";
import { counted } from "../grid/sizes";
import { CaveatSetItem } from "./CaveatSetItem";
import type { Subject } from "./useReasons";

interface CaveatListProps {
  notebook: LiveNotebook;
  subject: Subject;
  reasons: Reasons | undefined;
  /** After somebody acknowledged something, or took that back. */
  onChange: () => void;
}

/** The caveat sets that were found so far, those that somebody accepted last. */
export function CaveatList({ reasons, ...shared }: CaveatListProps) {
  if (!reasons) return <Skeleton />;
  const open = reasons.sets.filter((set) => set.acknowledged.length === 0);
  const settled = reasons.sets.filter((set) => set.acknowledged.length > 0);
  return (
    <>
      <p className="visually-hidden" role="status">
        {reasons.complete ? counted(open.length, "reason") : "Looking for reasons"}
      </p>
      {reasons.complete && open.length === 0 && <p className="caveats-note">Nothing here is in doubt.</p>}
      <ul className="caveat-sets">
        {open.map((set) => (
          <CaveatSetItem key={set.id} set={set} {...shared} />
        ))}
      </ul>
      {settled.length > 0 && (
        <>
          <h3>Acknowledged</h3>
          <ul className="caveat-sets caveats-settled">
            {settled.map((set) => (
              <CaveatSetItem key={set.id} set={set} {...shared} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Skeleton() {
  return (
    <p role="status">
      <span className="visually-hidden">Looking for reasons</span>
      <span className="skeleton" />
      <span className="skeleton skeleton-short" />
    </p>
  );
}
