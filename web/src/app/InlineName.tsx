import { useState } from "react";
import "./InlineName.css";

interface InlineNameProps {
  label: string;
  name: string;
  onRename: (name: string) => void;
}

/** A name that turns into a field when it is clicked; Enter keeps, Escape drops the change. */
export function InlineName({ label, name, onRename }: InlineNameProps) {
  const [text, setText] = useState<string | null>(null);
  const finish = (keep: boolean) => {
    const next = text?.trim();
    if (keep && next && next !== name) onRename(next);
    setText(null);
  };
  if (text === null) {
    return (
      <button type="button" className="inline-name" title={`Rename ${label}`} onClick={() => setText(name)}>
        {name}
      </button>
    );
  }
  return (
    <input
      className="inline-name inline-name-field"
      aria-label={`Name of the ${label}`}
      autoFocus
      value={text}
      maxLength={200}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") finish(true);
        if (event.key === "Escape") finish(false);
      }}
    />
  );
}
