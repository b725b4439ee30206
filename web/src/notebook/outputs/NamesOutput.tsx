import { Ban } from "lucide-react";
import { useState } from "react";
import { API } from "../../api/client";
import { bytesText } from "../../grid/sizes";
import type { Named, Sort } from "../names";
import "./NamesOutput.css";

const FEW = 8;
const QUIET = [
  ["module", "imports"],
  ["function", "functions"],
  ["class", "classes"],
] as const;
const STATES: Record<string, string> = {
  "@random": "the random state",
  "@numpy.random": "NumPy’s random state",
  "@pandas": "pandas’ options",
  "@matplotlib": "matplotlib’s settings",
  "@environ": "environment variables",
  "@path": "where modules are found",
  "@decimal": "the precision of decimals",
  "@locale": "the locale",
  "@warnings": "which warnings are shown",
};

interface NamesOutputProps {
  names: readonly Named[];
  /** They are those of an earlier run, and why, if nothing above has said so. */
  old: boolean;
  label: string | null;
  /** Somebody wants to know why a value is in doubt. */
  onAsk: (name: string) => void;
}

/** The names that a cell left besides datasets: values in a line each, files, and in one faint line all else. */
export function NamesOutput({ names, old, label, onAsk }: NamesOutputProps) {
  const of = (sort: Sort) => names.filter((named) => named.sort === sort && named.reason === null);
  const listed = [...names.filter(({ reason }) => reason !== null), ...of("value")];
  const [all, setAll] = useState(false);
  const shown = all ? listed : listed.slice(0, FEW);
  return (
    <div className={old ? "names names-old" : "names"} role="group" aria-label="Names">
      {label && <span className="outdated">{label}</span>}
      {shown.length > 0 && (
        <ul className="names-values">
          {shown.map((named) => (
            <ValueLine key={named.name} named={named} onAsk={onAsk} />
          ))}
        </ul>
      )}
      {listed.length > FEW && (
        <button type="button" className="link names-more" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${listed.length} values`}
        </button>
      )}
      {of("file").map((named) => (
        <FileLine key={named.name} named={named} />
      ))}
      <QuietLine of={of} />
    </div>
  );
}

function ValueLine({ named, onAsk }: { named: Named; onAsk: (name: string) => void }) {
  const { name, type, text, reason, artifact } = named;
  return (
    <li className={reason === null ? undefined : "names-unavailable"}>
      <span className="names-name" title={name}>
        {classOf(name) ?? name}
      </span>
      <span className="names-type" title={type}>
        {type}
      </span>
      {reason === null ? (
        <span className="names-text" title={text}>
          {artifact.doubt.coarse && (
            <button type="button" className="names-doubt" onClick={() => onAsk(name)}>
              in doubt
            </button>
          )}
          {text}
        </span>
      ) : (
        <span className="names-reason">
          <Ban size={12} aria-label="not kept for other cells:" /> {reason}
        </span>
      )}
    </li>
  );
}

function FileLine({ named: { name, artifact } }: { named: Named }) {
  return (
    <p className="names-file">
      <a href={`${API}/artifacts/${artifact.id}/content`} download={name.split("/").at(-1)}>
        {name}
      </a>{" "}
      {bytesText(artifact.size)}
    </p>
  );
}

/** The class whose attributes a state is. */
function classOf(state: string): string | null {
  return /^@class:([^:]+)/.exec(state)?.[1] ?? null;
}

function QuietLine({ of }: { of: (sort: Sort) => Named[] }) {
  const parts = QUIET.filter(([sort]) => of(sort).length > 0).map(
    ([sort, title]) =>
      `${title} ${of(sort)
        .map(({ name }) => name)
        .join(", ")}`,
  );
  const defined = new Set(of("class").map(({ name }) => name));
  const states = of("state").flatMap(({ name }) => {
    const changed = classOf(name);
    if (changed === null) return [STATES[name] ?? name.slice(1)];
    return defined.has(changed.split(".")[0] ?? "") || changed.includes("<locals>") ? [] : [`class ${changed}`];
  });
  if (states.length > 0) parts.push(`changes ${states.join(", ")}`);
  return parts.length > 0 ? <p className="names-quiet">{parts.join(" · ")}</p> : null;
}
