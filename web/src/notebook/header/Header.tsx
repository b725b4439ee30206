import { useQueryClient } from "@tanstack/react-query";
import { History, Keyboard, Play, Redo2, Search, Square, Undo2 } from "lucide-react";
import { api } from "../../api/client";
import { messageOf } from "../../api/errors";
import { isBusy, type LiveNotebook } from "../../api/live";
import { keys } from "../../api/queries";
import { Brand } from "../../app/Brand";
import { Button, Hint, IconButton } from "../../app/Button";
import { EnginePill } from "../../app/EnginePill";
import { InlineName } from "../../app/InlineName";
import { ThemeButton } from "../../app/ThemeButton";
import { notifyError } from "../../app/toasts";
import { useNotebookContext } from "../context";
import { BranchMenu } from "./BranchMenu";
import "./Header.css";

interface HeaderProps {
  notebook: LiveNotebook;
  connected: boolean;
  historyOpen: boolean;
  onHistory: () => void;
  onPalette: () => void;
  onHelp: () => void;
}

export function Header({ notebook, connected, historyOpen, onHistory, onPalette, onHelp }: HeaderProps) {
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
      <IconButton label="Command palette" keys="mod+k" onClick={onPalette}>
        <Search size={15} />
      </IconButton>
      <IconButton label="Keyboard" keys="?" className="header-wide" onClick={onHelp}>
        <Keyboard size={16} />
      </IconButton>
      <ThemeButton />
      <IconButton label="History" keys="h" aria-pressed={historyOpen} onClick={onHistory}>
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

function RunAll({ notebook }: { notebook: LiveNotebook }) {
  const { actions } = useNotebookContext();
  if (isBusy(notebook)) {
    return (
      <Hint label="Cancel everything that runs or waits">
        <Button className="header-run" aria-label="Cancel" onClick={() => void actions.cancel(null)}>
          <Square size={11} fill="currentColor" aria-hidden /> <span>Cancel</span>
        </Button>
      </Hint>
    );
  }
  return (
    <Hint label="Save and run whatever is not up to date" keys="mod+shift+enter">
      <Button tone="primary" className="header-run" aria-label="Run all" onClick={() => void actions.runAll()}>
        <Play size={13} aria-hidden /> <span>Run all</span>
      </Button>
    </Hint>
  );
}
