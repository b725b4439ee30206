import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useBranches } from "../api/queries";
import type { ProjectSummary } from "../api/types";
import { ConfirmDialog, NameDialog } from "../app/Dialog";
import { Menu, MenuItem, MenuLine } from "../app/Menu";
import { headPath } from "../app/paths";
import { ago, exactly } from "../app/time";
import { useProjectActions } from "./actions";

export function ProjectRow({ project }: { project: ProjectSummary }) {
  const [asking, setAsking] = useState<"rename" | "delete" | null>(null);
  const actions = useProjectActions();
  const close = () => setAsking(null);
  return (
    <li className="project-row">
      <Link href={headPath(project.id, project.branch)} className="project-link">
        <span className="project-name">{project.name}</span>
        <BranchNames project={project.id} />
        <time className="project-time" dateTime={project.modified} title={exactly(project.modified)}>
          {ago(project.modified)}
        </time>
      </Link>
      <Menu
        align="end"
        trigger={
          <button type="button" className="icon-button" aria-label={`Actions for ${project.name}`}>
            <Ellipsis size={16} />
          </button>
        }
      >
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setAsking("rename")}>
          Rename…
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => setAsking("delete")}>
          Delete…
        </MenuItem>
      </Menu>
      {asking === "rename" && (
        <NameDialog
          title="Rename project"
          label="Name"
          initial={project.name}
          action="Rename"
          onSubmit={(name) => actions.rename(project, name)}
          onClose={close}
        />
      )}
      {asking === "delete" && (
        <ConfirmDialog
          title={`Delete “${project.name}”?`}
          description="It leaves the list with all its branches. Nothing is erased: it can be restored."
          action="Delete project"
          onConfirm={() => actions.remove(project)}
          onClose={close}
        />
      )}
    </li>
  );
}

function BranchNames({ project }: { project: string }) {
  const branches = useBranches(project).data ?? [];
  const [first, ...others] = branches;
  if (!first) return <span className="project-branch" />;
  const text = others.length === 0 ? first.name : `${first.name} + ${others.length} more`;
  return (
    <span className="project-branch" title={branches.map((branch) => branch.name).join(", ")}>
      {text}
    </span>
  );
}
