import { textOf } from "../kinds";
import type { CellDraft } from "../useCellDraft";

const VALID = /^\p{L}[\p{L}\p{N}_]*$/u;

/** The name of the dataset that a cell makes. */
export function NameField({ draft }: { draft: CellDraft }) {
  const name = textOf(draft.parameters, "name");
  return (
    <input
      className="input name-field"
      aria-label="Dataset name"
      spellCheck={false}
      autoComplete="off"
      value={name}
      aria-invalid={!VALID.test(name)}
      title={VALID.test(name) ? undefined : "Letters, digits and underscores, starting with a letter"}
      onChange={(event) => draft.change({ name: event.target.value })}
    />
  );
}
