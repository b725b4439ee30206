import type { LiveCell } from "../api/live";
import { usePublications } from "../api/queries";
import { Hint } from "../app/Button";
import { useNotebookContext } from "../notebook/context";
import { takenBy, type Taken } from "./edition";
import "./Publishing.css";

/** Says which edition a cell has taken of a published dataset, and offers a newer one as soon as there is one. */
export function EditionMark({ cell }: { cell: LiveCell }) {
  const taken = takenBy(cell.run ?? null);
  return taken && <Edition cell={cell} taken={taken} />;
}

function Edition({ cell, taken }: { cell: LiveCell; taken: Taken }) {
  const { actions, number } = useNotebookContext();
  const published = usePublications().data;
  const newest = published?.find(({ publication }) => publication.name === taken.name)?.publication.edition ?? 0;
  if (newest <= taken.edition || number !== undefined) return <span className="cell-mark">edition {taken.edition}</span>;
  return (
    <Hint label={`The cell has edition ${taken.edition} of ${taken.name}. Click to take edition ${newest}.`}>
      <button
        type="button"
        className="cell-mark edition-newer"
        onClick={() => void actions.takeEdition(cell.handle, newest, cell.outputs[0]?.artifact.id ?? "")}
      >
        <span aria-hidden>↑</span> edition {newest} is out, this is {taken.edition}: take it
      </button>
    </Hint>
  );
}
