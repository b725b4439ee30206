import { useId, useState } from "react";
import { useSources } from "../../../api/queries";
import { textOf } from "../../kinds";
import type { CellDraft } from "../../useCellDraft";
import { datasetNameOf } from "./datasetName";
import { withSource, type Suggest } from "./source";

/** A table of a database, or a query that the database answers. */
export function DatabaseFields({ draft, suggest }: { draft: CellDraft; suggest: Suggest }) {
  const { parameters } = draft;
  const list = useId();
  const databases = useSources().data?.databases ?? [];
  const [byQuery, setByQuery] = useState(textOf(parameters, "query") !== "");
  const said = {
    database: textOf(parameters, "database"),
    table: textOf(parameters, "table"),
    query: textOf(parameters, "query"),
  };
  const say = (changes: Partial<typeof said>) => draft.change(withSource({ ...said, ...changes }));
  return (
    <div className="load-fields">
      <label className="field">
        <span>Database</span>
        <input
          type="text"
          list={list}
          spellCheck={false}
          placeholder={databases[0] ?? "postgresql://host/name, without a password"}
          value={said.database}
          onChange={({ target }) => say({ database: target.value.trim() })}
        />
        <datalist id={list}>
          {databases.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label className="field load-narrow">
        <span>What</span>
        <select
          value={byQuery ? "query" : "table"}
          onChange={({ target }) => {
            setByQuery(target.value === "query");
            say({ table: "", query: "" });
          }}
        >
          <option value="table">A table</option>
          <option value="query">A query</option>
        </select>
      </label>
      {byQuery ? (
        <label className="field load-wide">
          <span>Query</span>
          <textarea
            rows={3}
            spellCheck={false}
            placeholder="SELECT … in the database's own SQL"
            value={said.query}
            onChange={({ target }) => say({ query: target.value })}
          />
        </label>
      ) : (
        <label className="field">
          <span>Table</span>
          <input
            type="text"
            spellCheck={false}
            placeholder="orders, or schema.orders"
            value={said.table}
            onChange={({ target }) => say({ table: target.value.trim() })}
            onBlur={() => said.table && draft.change(suggest(datasetNameOf(said.table.replace(/.*\./, ""))))}
          />
        </label>
      )}
    </div>
  );
}
