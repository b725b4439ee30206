import { X } from "lucide-react";
import { useState, type SubmitEvent } from "react";
import type { LiveNotebook } from "../../api/live";
import { Button, IconButton } from "../../app/Button";
import { Panel } from "../../app/Panel";
import { useNotebookContext } from "../context";
import { EnvironmentState } from "./EnvironmentState";
import { Refusal } from "./Refusal";
import { lockedVersion, withPackage } from "./requirements";
import "./PackagesPanel.css";

interface PackagesPanelProps {
  notebook: LiveNotebook;
  onClose: () => void;
}

/** The packages that a notebook names: listed, added and taken away. */
export function PackagesPanel({ notebook, onClose }: PackagesPanelProps) {
  const { actions, number } = useNotebookContext();
  const [sought, setSought] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const wanted = notebook.packages.wanted;
  const locked = notebook.packages.locked;

  const change = async (packages: string[]) => {
    setBusy(true);
    const refusal = await actions.setPackages(packages);
    setProblem(refusal ?? null);
    setBusy(false);
    return refusal === undefined;
  };
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!busy && (await change(withPackage(wanted, sought)))) setSought("");
  };
  return (
    <Panel name="Packages" title="Packages" onClose={onClose}>
      <form className="packages-add" onSubmit={(event) => void add(event)}>
        <input
          value={sought}
          placeholder="scikit-learn>=1.5"
          aria-label="Package to add"
          spellCheck={false}
          onChange={(event) => setSought(event.target.value)}
        />
        <Button type="submit" disabled={busy || sought.trim() === ""}>
          Add
        </Button>
      </form>
      {busy && (
        <p className="packages-note" role="status">
          <span className="spinner" aria-hidden /> Looking for versions that fit together…
        </p>
      )}
      {problem !== null && <Refusal problem={problem} />}
      {wanted.length === 0 ? (
        <p className="packages-note">None yet. Python cells use what Trailbook itself was installed with.</p>
      ) : (
        <ul className="packages" aria-label="Named packages">
          {wanted.map((requirement) => (
            <li key={requirement}>
              <span className="package-name">{requirement}</span>
              <span className="package-version">{lockedVersion(requirement, locked)}</span>
              <IconButton
                label={`Remove ${requirement}`}
                disabled={busy}
                onClick={() => void change(wanted.filter((other) => other !== requirement))}
              >
                <X size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {number === undefined && wanted.length > 0 && <EnvironmentState branch={notebook.ref.branch} locked={locked} />}
      {locked.length > wanted.length && (
        <details className="packages-locked">
          <summary>All {locked.length} that they come with</summary>
          <pre>{locked.join("\n")}</pre>
        </details>
      )}
    </Panel>
  );
}
