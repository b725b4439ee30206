import type { Scope } from "../../editor/scope";
import { textOf } from "../kinds";
import type { CellDraft } from "../useCellDraft";

interface DatasetFieldProps {
  draft: CellDraft;
  scope: Scope;
  /** What to put in besides the name. */
  also?: Record<string, unknown>;
}

/** Which of the datasets above a cell reads. */
export function DatasetField({ draft, scope, also }: DatasetFieldProps) {
  const dataset = textOf(draft.parameters, "dataset");
  const names = [...scope.keys()];
  return (
    <label className="field">
      <span>Dataset</span>
      <select value={dataset} onChange={({ target }) => draft.change({ ...also, dataset: target.value })}>
        {!names.includes(dataset) && <option value={dataset}>{dataset || "Choose one…"}</option>}
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
