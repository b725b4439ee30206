import { useState } from "react";
import { valueOf, wordOf, type OptionField } from "./options";

interface OptionControlProps {
  field: OptionField;
  /** What somebody said; undefined is nothing. */
  given: unknown;
  /** What was found out, or was given. */
  found: unknown;
  onChange: (value: unknown) => void;
}

/** An option of a format: what was found out, to be left so or corrected. */
export function OptionControl({ field, given, found, onChange }: OptionControlProps) {
  return (
    <label className="field" title={field.hint}>
      <FieldTitle title={field.title} found={field.found && given === undefined && found !== undefined} />
      {field.kind === "choice" ? (
        <Choice field={field} given={given} found={found} onChange={onChange} />
      ) : (
        <Written field={field} given={given} found={found} onChange={onChange} />
      )}
    </label>
  );
}

/** What a field is about, and whether its value was found out. */
export function FieldTitle({ title, found }: { title: string; found: boolean }) {
  return (
    <span>
      {title} {found && <small className="load-found">found out</small>}
    </span>
  );
}

const OTHER = "other";

function Choice({ field, given, found, onChange }: OptionControlProps) {
  const [other, setOther] = useState(false);
  if (other) return <Written field={field} given={given} found={found} onChange={onChange} />;
  const isOther = given !== undefined && !field.choices.includes(given);
  return (
    <select
      aria-label={field.title}
      value={given === undefined ? "" : JSON.stringify(given)}
      onChange={({ target }) => {
        if (target.value === OTHER) setOther(true);
        else onChange(target.value === "" ? undefined : JSON.parse(target.value));
      }}
    >
      <option value="">{given === undefined ? wordOf(found) : field.found ? "found out" : wordOf(false)}</option>
      {field.choices
        .filter((choice) => (given === undefined ? choice !== found : field.found || choice !== false))
        .map((choice) => (
          <option key={String(choice)} value={JSON.stringify(choice)}>
            {wordOf(choice)}
          </option>
        ))}
      {isOther && <option value={JSON.stringify(given)}>{wordOf(given)}</option>}
      {field.examples && <option value={OTHER}>other…</option>}
    </select>
  );
}

function Written({ field, given, found, onChange }: OptionControlProps) {
  const [text, setText] = useState(written(given));
  // Otherwise it was said elsewhere, or taken back.
  const isMine = JSON.stringify(valueOf(field, text)) === JSON.stringify(given);
  return (
    <input
      type="text"
      aria-label={field.title}
      spellCheck={false}
      size={Math.max(6, Math.min(24, written(found).length))}
      placeholder={found === undefined || found === null ? "found out" : wordOf(found)}
      value={isMine ? text : written(given)}
      onChange={({ target }) => {
        setText(target.value);
        onChange(valueOf(field, target.value));
      }}
    />
  );
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
