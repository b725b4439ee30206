import { KeyRound, Settings2 } from "lucide-react";
import { Popover } from "radix-ui";
import { IconButton } from "../../../app/Button";
import type { PreviewColumn, Sources } from "../../../api/types";
import { alignmentOf } from "../../../grid/format";
import type { CellDraft } from "../../useCellDraft";
import { ColumnReading } from "./ColumnReading";
import { keyOf, typesOf, withEntry, withGiven } from "./source";

interface ColumnHeadProps {
  column: PreviewColumn;
  draft: CellDraft;
  types: Sources["types"];
}

/** The name of a column, its type, which can be corrected, and whether it names rows. */
export function ColumnHead({ column, draft, types }: ColumnHeadProps) {
  const { name, type } = column;
  const known = typesOf(draft.parameters);
  const given = known[name];
  const key = keyOf(draft.parameters);
  const isKey = key.includes(name);
  return (
    <th scope="col" className={`align-${alignmentOf(type)}`}>
      <span className="load-head">
        <span className="load-head-name" title={name}>
          {name}
        </span>
        <IconButton
          label={`${name} names a row`}
          hint={isKey ? "Names a row: a reload finds rows again by it" : "Use it to find rows again on a reload"}
          className="load-key"
          aria-pressed={isKey}
          onClick={() => draft.change({ key: isKey ? key.filter((one) => one !== name) : [...key, name] })}
        >
          <KeyRound size={12} />
        </IconButton>
      </span>
      {column.is_text ? (
        <span className="load-head">
          <select
            className="load-type"
            aria-label={`Type of ${name}`}
            title={column.note}
            value={given?.type ?? ""}
            onChange={({ target }) => {
              // Ways of writing are those of a type.
              const said = withGiven(given, { type: target.value, formats: [] });
              draft.change({ types: withEntry(known, name, said) });
            }}
          >
            <option value="">{given?.type ? "found out" : type}</option>
            {given?.type && !types.some((one) => one.type === given.type) && (
              <option value={given.type}>{given.type}</option>
            )}
            {types.map((one) => (
              <option key={one.type} value={one.type}>
                {one.type}
              </option>
            ))}
          </select>
          <Popover.Root>
            <Popover.Trigger asChild>
              <button type="button" className="icon-button load-key" aria-label={`How ${name} is read`}>
                <Settings2 size={12} />
              </button>
            </Popover.Trigger>
            <Popover.Portal>
              <Popover.Content
                className="load-popover"
                align="start"
                sideOffset={4}
                collisionPadding={8}
                onKeyDown={(event) => event.stopPropagation()}
              >
                <ColumnReading
                  column={column}
                  given={given}
                  types={types}
                  onChange={(said) => draft.change({ types: withEntry(known, name, said) })}
                />
              </Popover.Content>
            </Popover.Portal>
          </Popover.Root>
        </span>
      ) : (
        <span className="data-table-type">{type}</span>
      )}
    </th>
  );
}
