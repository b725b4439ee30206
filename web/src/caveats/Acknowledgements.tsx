import type { CaveatSet } from "../api/types";
import { ago, exactly } from "../app/time";
import { useNotebookContext } from "../notebook/context";

/** Who accepted caveats of a set, when and why; each can be taken back. */
export function Acknowledgements({ set, onChange }: { set: CaveatSet; onChange: () => void }) {
  const { actions } = useNotebookContext();
  const takeBack = async (message: string | null) => {
    await actions.takeBack(set, message);
    onChange();
  };
  const { count, acknowledged } = set;
  if (acknowledged.length === 0) return null;
  const isObvious = count === 1 && acknowledged.length === 1;
  return (
    <ul className="acknowledgements">
      {acknowledged.map(({ message, note, person, time }) => (
        <li key={message}>
          <p>
            <span aria-hidden>✓ </span>
            {message !== null && !isObvious && <>{message}: </>}
            acknowledged by {person.name} · <time title={exactly(time)}>{ago(time)}</time>
          </p>
          {note && <p className="acknowledgement-note">{note}</p>}
          {!set.elsewhere && (
            <button type="button" className="link" onClick={() => void takeBack(message)}>
              Take back
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
