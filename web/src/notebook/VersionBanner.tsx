import { GitBranch } from "lucide-react";
import { Link } from "wouter";
import type { Notebook } from "../api/types";
import { headPath } from "../app/paths";
import { ago, exactly } from "../app/time";
import "./VersionBanner.css";

/** Says that the page shows one version for ever, and the way to the live one. */
export function VersionBanner({ notebook }: { notebook: Notebook }) {
  const { ref, branch, time, project } = notebook;
  return (
    <div className="version-banner" role="status">
      <GitBranch size={14} aria-hidden />
      <span>
        You are looking at version {ref.number} of {branch.name} · <time title={exactly(time)}>{ago(time)}</time>.
        Editing starts a branch.
      </span>
      <Link href={headPath(project.id, ref.branch)}>Go to head</Link>
    </div>
  );
}
