import { X } from "lucide-react";
import { useSources } from "../../api/queries";
import type { Given, Sources } from "../../api/types";
import { IconButton } from "../../app/Button";
import type { Scope } from "../../editor/scope";
import { textOf } from "../kinds";
import type { CellDraft } from "../useCellDraft";
import { DatasetField } from "./DatasetField";
import { ColumnReading } from "./load/ColumnReading";
import { withEntry, withGiven } from "./load/source";
import "./load/LoadCell.css";
import "./TypesCell.css";

interface TypesCellProps {
  draft: CellDraft;
  scope: Scope;
}

/** Whose columns of text are read, and what is settled of them; the rest is found out. */
export function TypesCell({ draft, scope }: TypesCellProps) {
  const types = useSources().data?.types ?? [];
  const dataset = textOf(draft.parameters, "dataset");
  const settled = (draft.parameters.columns ?? {}) as Record<string, Given>;
  const columns = scope.get(dataset);
  const others = columns?.filter(({ name, type }) => type === "string" && !Object.hasOwn(settled, name)) ?? [];
  const settle = (name: string, given: Given | undefined) =>
    draft.change({ columns: withEntry(settled, name, given) });
  return (
    <div className="load">
      <div className="load-fields">
        <DatasetField draft={draft} scope={scope} also={{ columns: {} }} />
        <label className="field">
          <span>Not to be found out</span>
          <select
            value=""
            disabled={others.length === 0}
            onChange={({ target }) => settle(target.value, withGiven(undefined, { type: "string" }))}
          >
            <option value="">Settle a column…</option>
            {others.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      {columns && others.length === 0 && Object.keys(settled).length === 0 && (
        <p className="load-hint">{dataset} has no columns of text.</p>
      )}
      {Object.entries(settled).map(([name, given]) => (
        <SettledColumn
          key={name}
          name={name}
          given={given}
          types={types}
          onChange={(next) => settle(name, next ?? given)}
          onRemove={() => settle(name, undefined)}
        />
      ))}
    </div>
  );
}

interface SettledColumnProps {
  name: string;
  given: Given;
  types: Sources["types"];
  onChange: (given: Given | undefined) => void;
  onRemove: () => void;
}

function SettledColumn({ name, given, types, onChange, onRemove }: SettledColumnProps) {
  const column = { name, type: given.type, is_text: true, formats: [], codes: [], proposed: [], note: "" };
  const isOther = given.type !== "" && !types.some(({ type }) => type === given.type);
  return (
    <div className="types-column" role="group" aria-label={`Column ${name}`}>
      <ColumnReading column={column} given={given} types={types} onChange={onChange}>
        <label className="field">
          <span>Type</span>
          <select
            value={given.type}
            // Ways of writing are those of a type.
            onChange={({ target }) => onChange(withGiven(given, { type: target.value, formats: [] }))}
          >
            {isOther && <option>{given.type}</option>}
            {types.map(({ type }) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
      </ColumnReading>
      <IconButton label={`Find out ${name}`} onClick={onRemove}>
        <X size={14} />
      </IconButton>
    </div>
  );
}
