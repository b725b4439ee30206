import { useState } from "react";
import { Link } from "wouter";
import type { LiveNotebook } from "../api/live";
import type { CaveatSet, Whereabouts } from "../api/types";
import { Button } from "../app/Button";
import { versionPath } from "../app/paths";
import { coversPage } from "../app/Panel";
import { useNotebookContext } from "../notebook/context";
import { kindOf } from "../notebook/kinds";
import { Acknowledgements } from "./Acknowledgements";
import { AcknowledgeForm } from "./AcknowledgeForm";
import { AllMembers, Member } from "./Members";
import type { Subject } from "./useReasons";

const FEW = 3;
const LONG_PLACE = 40;

interface CaveatSetItemProps {
  notebook: LiveNotebook;
  subject: Subject;
  set: CaveatSet;
  onChange: () => void;
}

/** Caveats that one place of one cell raises: a few, or one of them and how many others. */
export function CaveatSetItem({ notebook, subject, set, onChange }: CaveatSetItemProps) {
  const [showsAll, setShowsAll] = useState(false);
  const [accepting, setAccepting] = useState(false);
  const count = set.count ?? 0;
  const settled = set.acknowledged.length > 0;
  const only = count === 1 ? set.examples[0] : undefined;
  const accepted = only || settled || set.elsewhere ? undefined : onChange;
  const done = () => {
    setAccepting(false);
    onChange();
  };
  return (
    <li className="caveat-set">
      {showsAll ? (
        <AllMembers subject={subject} set={set} onAccepted={accepted} />
      ) : (
        <Examples set={set} onAccepted={accepted} />
      )}
      {set.elsewhere ? <Elsewhere set={set} there={set.elsewhere} /> : <Origin notebook={notebook} set={set} />}
      <Acknowledgements set={set} onChange={onChange} />
      {accepting ? (
        <AcknowledgeForm set={set} message={only?.message ?? null} onDone={done} />
      ) : (
        count > 0 && (
          <p className="caveat-buttons">
            {!settled && !set.elsewhere && (
              <Button onClick={() => setAccepting(true)}>
                {only ? "Acknowledge" : `Acknowledge all ${count.toLocaleString("en")}`}
              </Button>
            )}
            {count > FEW && (
              <Button aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
                {showsAll ? "Show one" : "Show all"}
              </Button>
            )}
          </p>
        )
      )}
    </li>
  );
}

interface ExamplesProps {
  set: CaveatSet;
  onAccepted: (() => void) | undefined;
}

function Examples({ set, onAccepted }: ExamplesProps) {
  const { count, examples } = set;
  if (typeof count !== "number") return <span className="skeleton" />;
  const shown = count > FEW ? examples.slice(0, 1) : examples;
  const others = count - shown.length;
  return (
    <>
      <ul className="caveat-members">
        {shown.map((member, index) => (
          <Member key={index} set={set} member={member} onAccepted={count > FEW ? undefined : onAccepted} />
        ))}
      </ul>
      {others > 0 && (
        <p className="caveat-others">
          and {others.toLocaleString("en")} {others === 1 ? "other" : "others"}
        </p>
      )}
    </>
  );
}

/** The cell that raised a set, and the place in its text unless the message says it already. */
function Origin({ notebook: { cells }, set }: { notebook: LiveNotebook; set: CaveatSet }) {
  const { cell: handle, place, message } = set;
  const { select, closePanel } = useNotebookContext();
  const cell = cells.find((candidate) => candidate.handle === handle);
  const goThere = () => {
    if (coversPage()) closePanel();
    select(handle);
  };
  return (
    <div className="caveat-origin">
      raised by{" "}
      {cell ? (
        <button type="button" className="link" onClick={goThere}>
          cell {cells.indexOf(cell) + 1} · {kindOf(cell.kind).title}
        </button>
      ) : (
        "a cell that is not in this version"
      )}
      {place !== message && <Place text={place} />}
    </div>
  );
}

/** Where a set was raised that came with a published dataset: there it can be accepted. */
function Elsewhere({ set: { place, message }, there }: { set: CaveatSet; there: Whereabouts }) {
  const { name, edition, project, project_name, made } = there;
  return (
    <div className="caveat-origin">
      came with {name}, edition {edition}
      {project_name && (
        <>
          , from{" "}
          {project && made ? <Link href={versionPath(project, made)}>{project_name}</Link> : `${project_name}, deleted since`}
        </>
      )}
      {project && <p>To acknowledge it, do so there, publish it anew, and take the new edition.</p>}
      {place !== message && <Place text={place} />}
    </div>
  );
}

function Place({ text }: { text: string }) {
  if (text.length <= LONG_PLACE) return <code>{text}</code>;
  return (
    <details>
      <summary>
        <code>{text}</code>
      </summary>
      <code>{text}</code>
    </details>
  );
}
