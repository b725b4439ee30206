import { messageOf } from "../api/errors";
import type { CaveatMember, CaveatSet } from "../api/types";
import { Button } from "../app/Button";
import { rowText } from "./rowText";
import { useMembers, type Subject } from "./useReasons";

interface MemberProps {
  member: CaveatMember;
  /** Missing where a member can't be acknowledged by itself. */
  onAccept: ((message: string) => void) | undefined;
}

/** One caveat: what it says, and the row that it is about. */
export function Member({ member: { message, row }, onAccept }: MemberProps) {
  return (
    <li>
      <span className="caveat-message">{message}</span>
      <span className="caveat-row">
        <span title={row ?? undefined}>{row && rowText(row)}</span>
        {onAccept && (
          <button
            type="button"
            className="link"
            aria-label={`Acknowledge ${message}`}
            onClick={() => onAccept(message)}
          >
            Acknowledge
          </button>
        )}
      </span>
    </li>
  );
}

interface AllMembersProps {
  subject: Subject;
  set: CaveatSet;
  onAccept: ((message: string) => void) | undefined;
}

/** Every member of a set, page by page. */
export function AllMembers({ subject, set, onAccept }: AllMembersProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useMembers(subject, set.id);
  if (error) {
    return (
      <p className="caveats-problem" role="alert">
        {messageOf(error)}{" "}
        <button type="button" className="link" onClick={() => void refetch()}>
          Try again
        </button>
      </p>
    );
  }
  return (
    <>
      <ul className="caveat-members">
        {data?.pages.flat().map((member, index) => (
          <Member key={index} member={member} onAccept={onAccept} />
        ))}
      </ul>
      {isFetching && <span className="skeleton" />}
      {hasNextPage && !isFetching && <Button onClick={() => void fetchNextPage()}>More</Button>}
    </>
  );
}
