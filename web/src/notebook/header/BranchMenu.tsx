import { useQueryClient } from "@tanstack/react-query";
import { Check, ChevronDown, GitBranch, GitBranchPlus, Pencil } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client";
import type { LiveNotebook } from "../../api/live";
import { keys, useBranches } from "../../api/queries";
import { NameDialog } from "../../app/Dialog";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../../app/Menu";
import { headPath } from "../../app/paths";

/** Shows the branch; switches to another, starts one here, renames this one. */
export function BranchMenu({ notebook }: { notebook: LiveNotebook }) {
  const { branch, project, ref } = notebook;
  const [asking, setAsking] = useState<"create" | "rename" | null>(null);
  const [, goTo] = useLocation();
  const branches = useBranches(project.id).data ?? [branch];
  return (
    <>
      <Menu
        trigger={
          <button type="button" className="branch-button" aria-label={`Branch ${branch.name}`} title="Branches">
            <GitBranch size={14} aria-hidden />
            <span>{branch.name}</span>
            <ChevronDown size={13} aria-hidden />
          </button>
        }
      >
        <MenuLabel>Branches</MenuLabel>
        {branches.map((other) => (
          <MenuItem
            key={other.id}
            icon={<Check size={14} style={{ visibility: other.id === branch.id ? "visible" : "hidden" }} />}
            onSelect={() => goTo(headPath(project.id, other.id))}
          >
            {other.name} <span className="menu-side">v{other.head}</span>
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem icon={<GitBranchPlus size={14} />} onSelect={() => setAsking("create")}>
          New branch from version {ref.number}…
        </MenuItem>
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setAsking("rename")}>
          Rename {branch.name}…
        </MenuItem>
      </Menu>
      {asking && <BranchDialog notebook={notebook} create={asking === "create"} onClose={() => setAsking(null)} />}
    </>
  );
}

interface BranchDialogProps {
  notebook: LiveNotebook;
  create: boolean;
  onClose: () => void;
}

function BranchDialog({ notebook, create, onClose }: BranchDialogProps) {
  const { branch, project, ref } = notebook;
  const client = useQueryClient();
  const [, goTo] = useLocation();
  const submit = async (name: string) => {
    const result = create ? await api.createBranch(project.id, name, ref) : await api.renameBranch(branch.id, name);
    void client.invalidateQueries({ queryKey: keys.branches(project.id) });
    void client.invalidateQueries({ queryKey: ["notebook", branch.id] });
    if (create) goTo(headPath(project.id, result.id));
  };
  return (
    <NameDialog
      title={create ? `New branch from version ${ref.number}` : `Rename ${branch.name}`}
      description={create ? `It starts with the cells of version ${ref.number} of ${branch.name}.` : undefined}
      label="Branch name"
      initial={create ? "" : branch.name}
      action={create ? "Create branch" : "Rename"}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
