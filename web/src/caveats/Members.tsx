import { useState } from "react";
import { messageOf } from "../api/errors";
import type { CaveatMember, CaveatSet } from "../api/types";
import { Button } from "../app/Button";
import { AcknowledgeForm } from "./AcknowledgeForm";
import { rowText } from "./rowText";
import { useMembers, type Subject } from "./useReasons";

interface MemberProps {
  set: CaveatSet;
  member: CaveatMember;
  /** Missing where a member can't be acknowledged by itself. */
  onAccepted: (() => void) | undefined;
}

/** One caveat: what it says, and the row that it is about. */
export function Member({ set, member: { message, row }, onAccepted }: MemberProps) {
  const [accepting, setAccepting] = useState(false);
  const done = () => {
    setAccepting(false);
    onAccepted?.();
  };
  return (
    <li>
      <span className="caveat-message">{message}</span>
      <span className="caveat-row">
        <span title={row ?? undefined}>{row && rowText(row)}</span>
        {onAccepted && !accepting && (
          <button
            type="button"
            className="link"
            aria-label={`Acknowledge ${message}`}
            onClick={() => setAccepting(true)}
          >
            Acknowledge
          </button>
        )}
      </span>
      {accepting && <AcknowledgeForm set={set} message={message} onDone={done} />}
    </li>
  );
}

interface AllMembersProps {
  subject: Subject;
  set: CaveatSet;
  onAccepted: (() => void) | undefined;
}

/** Every member of a set, page by page. */
export function AllMembers({ subject, set, onAccepted }: AllMembersProps) {
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
          <Member key={index} set={set} member={member} onAccepted={onAccepted} />
        ))}
      </ul>
      {isFetching && <span className="skeleton" />}
      {hasNextPage && !isFetching && (
        <p className="caveat-buttons">
          <Button onClick={() => void fetchNextPage()}>More</Button>
        </p>
      )}
    </>
  );
}
