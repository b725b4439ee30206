import { useCallback, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import { messageOf } from "../api/errors";
import type { LiveNotebook } from "../api/live";
import type { Question } from "../api/types";
import { PageMessage } from "../app/PageMessage";
import { useTitle } from "../app/useTitle";
import { CaveatsPanel } from "../caveats/CaveatsPanel";
import { CommandPalette } from "../commands/CommandPalette";
import { KeyboardHelp } from "../commands/KeyboardHelp";
import { useCommandKeys } from "../commands/useCommandKeys";
import type { NotebookActions } from "./actions";
import { BranchNameDialog, useBranchName } from "./BranchNameDialog";
import { CellList } from "./CellList";
import { notebookCommands } from "./commands";
import { NotebookContext, type NotebookPageContext } from "./context";
import { EmptyNotebook } from "./EmptyNotebook";
import { Header } from "./header/Header";
import { HistoryPanel } from "./HistoryPanel";
import { useSelection, type SelectionControl } from "./selection";
import { useNotebook } from "./useNotebook";
import { useNotebookActions } from "./useNotebookActions";
import { VersionBanner } from "./VersionBanner";
import "./NotebookPage.css";

/** What lies to the right of the cells: the history, the answer to a question, or nothing. */
type SidePanel = "history" | Question | null;

interface NotebookPageProps {
  branch: string;
  number: number | undefined;
}

/** The page of a branch's head or of one version. */
export default function NotebookPage({ branch, number }: NotebookPageProps) {
  const { notebook, error, connected } = useNotebook(branch, number);
  const [panel, setPanel] = useState<SidePanel>(null);
  useTitle(notebook?.project.name);
  // A notebook that could be shown stays, whatever becomes of a later request: somebody may be typing.
  if (error && !notebook) {
    return (
      <PageMessage title="This notebook can’t be shown">
        <p>{messageOf(error)}</p>
        <Link href="/">All projects</Link>
      </PageMessage>
    );
  }
  if (!notebook) return null;
  return (
    <LoadedPage
      // Another branch or version is another page: what was selected there means nothing here.
      key={`${branch}/${number ?? "head"}`}
      notebook={notebook}
      number={number}
      connected={connected}
      panel={panel}
      onPanel={setPanel}
    />
  );
}

interface LoadedPageProps {
  notebook: LiveNotebook;
  number: number | undefined;
  connected: boolean;
  panel: SidePanel;
  onPanel: (panel: SidePanel) => void;
}

function LoadedPage({ notebook, number, connected, panel, onPanel }: LoadedPageProps) {
  const [open, setOpen] = useState<"palette" | "help" | null>(null);
  const [, goTo] = useLocation();
  const branching = useBranchName();
  const actions = useNotebookActions(notebook.ref.branch, number, branching.ask);
  const control = useSelection();
  const runCell = useRunCell(notebook, actions, control);
  const [pointed, point] = useState<Question | null>(null);
  const historyOpen = panel === "history";
  const closePanel = useCallback(() => onPanel(null), [onPanel]);
  const toggleHistory = () => onPanel(historyOpen ? null : "history");
  const commands = notebookCommands({
    notebook,
    atHead: number === undefined,
    actions,
    control,
    runCell,
    open: { palette: () => setOpen("palette"), help: () => setOpen("help"), history: toggleHistory },
    pointed,
    panelOpen: panel !== null,
    ask: onPanel,
    closePanel,
    goTo,
  });
  useCommandKeys(commands);
  const { select, follow } = control;
  const { project, ref } = notebook;
  const context = useMemo<NotebookPageContext>(() => {
    const page = { project: project.id, branch: ref.branch, number };
    return { ...page, actions, select, follow, ask: onPanel, point, closePanel };
  }, [project.id, ref.branch, number, actions, select, follow, onPanel, closePanel]);
  return (
    <NotebookContext value={context}>
      <div className="notebook">
        <Header
          notebook={notebook}
          connected={connected}
          historyOpen={historyOpen}
          onHistory={toggleHistory}
          onPalette={() => setOpen("palette")}
          onHelp={() => setOpen("help")}
        />
        <div className="notebook-body">
          <main className="notebook-main">
            {number !== undefined && <VersionBanner notebook={notebook} />}
            <div className="notebook-column">
              {notebook.cells.length === 0 ? (
                <EmptyNotebook />
              ) : (
                <CellList cells={notebook.cells} selection={control.selection} onRun={runCell} />
              )}
            </div>
          </main>
          {panel === "history" ? (
            <HistoryPanel notebook={notebook} onClose={closePanel} />
          ) : (
            panel && <CaveatsPanel notebook={notebook} question={panel} onAsk={onPanel} onClose={closePanel} />
          )}
        </div>
      </div>
      {open === "palette" && <CommandPalette commands={commands} onClose={() => setOpen(null)} />}
      {open === "help" && <KeyboardHelp commands={commands} onClose={() => setOpen(null)} />}
      {branching.asking && <BranchNameDialog notebook={notebook} asking={branching.asking} />}
    </NotebookContext>
  );
}

/** Saves and runs a cell, and goes on to the next: to a new one after the last. Stable while the cells are. */
function useRunCell(notebook: LiveNotebook, actions: NotebookActions, { select }: SelectionControl) {
  const { branch } = notebook.ref;
  const handles = notebook.cells.map((cell) => cell.handle).join(" ");
  return useCallback(
    async (handle: string, goOn: boolean) => {
      const order = handles.split(" ");
      const next = goOn ? order[order.indexOf(handle) + 1] : handle;
      if (next) select(next);
      const saved = await actions.saveAndRun(handle);
      if (next || !saved?.is_head || saved.ref.branch !== branch) return;
      const made = await actions.insert("python", handle);
      if (made) select(made, "edit");
    },
    [actions, branch, handles, select],
  );
}
