import { useQueryClient } from "@tanstack/react-query";
import { History, Keyboard, Package, Redo2, Search, Undo2, Variable, Workflow } from "lucide-react";
import { api } from "../../api/client";
import { messageOf } from "../../api/errors";
import type { LiveNotebook } from "../../api/live";
import { keys } from "../../api/queries";
import { Brand } from "../../app/Brand";
import { IconButton } from "../../app/Button";
import { EnginePill } from "../../app/EnginePill";
import { InlineName } from "../../app/InlineName";
import { ThemeButton } from "../../app/ThemeButton";
import { notifyError } from "../../app/toasts";
import { useNotebookContext } from "../context";
import { BranchMenu } from "./BranchMenu";
import { ExportMenu } from "./ExportMenu";
import { RunAll } from "./RunAll";
import "./Header.css";

interface HeaderProps {
  notebook: LiveNotebook;
  connected: boolean;
  /** The panel that is open, by name. */
  panel: string | null;
  open: Record<"palette" | "help" | "history" | "variables" | "packages" | "graph", () => void>;
}

export function Header({ notebook, connected, panel, open }: HeaderProps) {
  const { actions, number } = useNotebookContext();
  const atHead = number === undefined;
  return (
    <header className="header">
      <Brand compact />
      <ProjectName notebook={notebook} />
      <span className="header-slash" aria-hidden>
        /
      </span>
      <BranchMenu notebook={notebook} />
      <span className="header-version" title={notebook.description}>
        v{notebook.ref.number}
      </span>
      <IconButton label="Undo" keys="z" disabled={!atHead || !notebook.can_undo} onClick={() => void actions.undo()}>
        <Undo2 size={15} />
      </IconButton>
      <IconButton
        label="Redo"
        keys="shift+z"
        disabled={!atHead || !notebook.can_redo}
        onClick={() => void actions.redo()}
      >
        <Redo2 size={15} />
      </IconButton>
      <span className="header-space" />
      {!connected && (
        <span className="header-reconnecting" role="status">
          Reconnecting…
        </span>
      )}
      <EnginePill />
      <IconButton label="Command palette" keys="mod+k" onClick={open.palette}>
        <Search size={15} />
      </IconButton>
      <IconButton label="Keyboard" keys="?" className="header-wide" onClick={open.help}>
        <Keyboard size={16} />
      </IconButton>
      <ThemeButton />
      <ExportMenu project={notebook.project.id} version={notebook.ref} />
      <IconButton label="Graph of cells" keys="g" className="header-wide" onClick={open.graph}>
        <Workflow size={15} />
      </IconButton>
      <IconButton label="Variables" keys="v" aria-pressed={panel === "variables"} onClick={open.variables}>
        <Variable size={16} />
      </IconButton>
      <IconButton label="Packages" keys="p" aria-pressed={panel === "packages"} onClick={open.packages}>
        <Package size={15} />
      </IconButton>
      <IconButton label="History" keys="h" aria-pressed={panel === "history"} onClick={open.history}>
        <History size={15} />
      </IconButton>
      {atHead && <RunAll notebook={notebook} />}
    </header>
  );
}

function ProjectName({ notebook }: { notebook: LiveNotebook }) {
  const client = useQueryClient();
  const { project } = notebook;
  const rename = async (name: string) => {
    try {
      await api.renameProject(project.id, name);
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.projects }),
        client.invalidateQueries({ queryKey: ["notebook"] }),
      ]);
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <h1 className="header-title">
      <InlineName label="project" name={project.name} onRename={(name) => void rename(name)} />
    </h1>
  );
}
