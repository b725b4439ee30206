import { useState } from "react";
import type { LiveNotebook } from "../api/live";
import { coversPage, Panel } from "../app/Panel";
import { bytesText, sizeText } from "../grid/sizes";
import { useNotebookContext } from "./context";
import { variablesAfter, type Sort, type Variable } from "./names";
import { useNumbers } from "./numbers";
import "./VariablesPanel.css";

const SECTIONS: readonly [Sort, string][] = [
  ["dataset", "Datasets"],
  ["value", "Values"],
  ["function", "Functions"],
  ["class", "Classes"],
  ["module", "Modules"],
  ["file", "Files"],
];

const WORTH_NAMING = 1000;

interface VariablesPanelProps {
  notebook: LiveNotebook;
  /** The cell after which the names are looked at; nothing for the end of the notebook. */
  selected: string | null;
  onClose: () => void;
}

/** The names in scope: what each stands for, and which cell made it. */
export function VariablesPanel({ notebook: { cells }, selected, onClose }: VariablesPanelProps) {
  const [sought, setSought] = useState("");
  const numberOf = useNumbers(cells);
  const all = variablesAfter(cells, selected);
  const wanted = sought.trim().toLowerCase();
  const found = all.filter(({ name, type }) => `${name} ${type}`.toLowerCase().includes(wanted));
  const number = selected === null ? 0 : numberOf(selected);
  return (
    <Panel name="Variables" title={number > 0 ? `Variables after cell ${number}` : "Variables"} onClose={onClose}>
      {all.length > 0 && (
        <input
          type="search"
          className="variables-search"
          placeholder="Name or type"
          aria-label="Find a variable"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
      )}
      {found.length === 0 && (
        <p className="variables-empty">
          {all.length > 0
            ? "No variable of that name or type."
            : "No names yet. What cells assign shows up here once they have run."}
        </p>
      )}
      {SECTIONS.map(([sort, title]) => (
        <Section
          key={sort}
          title={title}
          variables={found.filter((variable) => variable.sort === sort)}
          numberOf={numberOf}
          onChoose={() => coversPage() && onClose()}
        />
      ))}
    </Panel>
  );
}

interface SectionProps {
  title: string;
  variables: readonly Variable[];
  numberOf: (handle: string) => number;
  onChoose: () => void;
}

function Section({ title, variables, numberOf, onChoose }: SectionProps) {
  const { select } = useNotebookContext();
  if (variables.length === 0) return null;
  return (
    <section className="variables">
      <h3>{title}</h3>
      <ul>
        {variables.map((variable) => (
          <li key={variable.name}>
            <button
              type="button"
              onClick={() => {
                onChoose();
                select(variable.maker);
              }}
            >
              <span className="variable-name">{variable.name}</span>
              <span className="variable-maker">cell {numberOf(variable.maker)}</span>
              <span className="variable-about">{aboutOf(variable)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function aboutOf({ name, sort, type, text, reason, artifact }: Variable): string {
  if (reason !== null) return `⊘ ${reason}`;
  const doubt = artifact.doubt.coarse ? "◥ in doubt · " : "";
  // How much a small value takes says nothing about it.
  const size = artifact.size >= WORTH_NAMING ? `${bytesText(artifact.size)} · ` : "";
  switch (sort) {
    case "dataset":
      return `${doubt}${sizeText(artifact.rows ?? 0, artifact.columns.length)} · ${bytesText(artifact.size)}`;
    case "value":
      return `${doubt}${type} · ${size}${text}`;
    case "file":
      return bytesText(artifact.size);
    default:
      return text.split(" ").at(-1) === name ? "" : text;
  }
}
