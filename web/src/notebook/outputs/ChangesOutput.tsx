import { useState } from "react";
import { counted } from "../../grid/sizes";
import { allColumns, KINDS, linesOf, shownPlaces, type Changes, type Kind, type Line } from "./changes";
import "./ChangesOutput.css";

const SIGNS: Record<Kind, string> = { altered: "≠", added: "+", removed: "−" };

interface ChangesOutputProps {
  changes: Changes;
  /** The same in words. */
  words: string;
}

/** What changed since the last load: in words, and on demand the rows that were altered, added or removed. */
export function ChangesOutput({ changes, words }: ChangesOutputProps) {
  const kinds = KINDS.filter((kind) => changes[kind] > 0);
  const [chosen, setChosen] = useState<Kind | null>(null);
  return (
    <section className="changes" aria-label="What changed">
      <p>{words}</p>
      {kinds.length > 0 && (
        <div className="changes-kinds" role="group" aria-label="Show the rows that were">
          {kinds.map((kind) => (
            <button
              key={kind}
              type="button"
              className={`changes-kind is-${kind}`}
              aria-pressed={kind === chosen}
              onClick={() => setChosen(kind === chosen ? null : kind)}
            >
              <span aria-hidden="true">{SIGNS[kind]}</span> {changes[kind].toLocaleString("en")} {kind}
            </button>
          ))}
        </div>
      )}
      {chosen && <ChangedRows changes={changes} kind={chosen} />}
    </section>
  );
}

function ChangedRows({ changes, kind }: { changes: Changes; kind: Kind }) {
  const lines = linesOf(changes, kind);
  const names = allColumns(changes);
  const shown = shownPlaces(lines, names.length);
  const gone = changes.columns.length;
  return (
    <>
      <div className="changes-scroll" tabIndex={0} role="group" aria-label={`Rows that were ${kind}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">#</th>
              {shown.map((place) => (
                <th key={place} scope="col" className={place >= gone ? "is-gone" : undefined}>
                  {names[place]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <ChangedRow key={line.row} line={line} shown={shown} kind={kind} />
            ))}
          </tbody>
        </table>
      </div>
      {lines.length < changes[kind] && (
        <p className="changes-more">
          The first {lines.length.toLocaleString("en")} of {changes[kind].toLocaleString("en")}.
        </p>
      )}
      {shown.length < names.length && (
        <p className="changes-more">
          Shown: {shown.length} of {counted(names.length, "column")}
          {kind === "altered" && ", those that differ among them"}.
        </p>
      )}
    </>
  );
}

interface ChangedRowProps {
  line: Line;
  /** The places of the columns that are shown. */
  shown: readonly number[];
  kind: Kind;
}

function ChangedRow({ line, shown, kind }: ChangedRowProps) {
  const cells = shown.map((place) => [place, line.cells[place] ?? { value: undefined }] as const);
  return (
    <tr className={`is-${kind}`}>
      <th scope="row">{(line.row + 1).toLocaleString("en")}</th>
      {cells.map(([place, { value, before }]) => (
        <td key={place} className={before === undefined ? undefined : "was-other"}>
          {before !== undefined && (
            <>
              <del>
                <Text value={before} />
              </del>
              <span aria-hidden="true"> → </span>
            </>
          )}
          {value !== undefined && <Text value={value} />}
        </td>
      ))}
    </tr>
  );
}

function Text({ value }: { value: string | null }) {
  return value === null ? <i className="is-null">null</i> : value;
}
