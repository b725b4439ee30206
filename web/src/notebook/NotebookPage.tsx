import { lazy, Suspense, useCallback, useMemo, useState } from "react";
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
import { useNumbers } from "./numbers";
import { PackagesPanel } from "./packages/PackagesPanel";
import { useSelection, type SelectionControl } from "./selection";
import { useNotebook } from "./useNotebook";
import { useNotebookActions } from "./useNotebookActions";
import { VariablesPanel } from "./VariablesPanel";
import { VersionBanner } from "./VersionBanner";
import { useWaysOut, WaysOut } from "./WaysOut";
import { useWorkQuestion, WorkQuestion } from "./WorkQuestion";
import "./NotebookPage.css";

const GraphDialog = lazy(() => import("../graph/GraphDialog"));

/** What lies to the right of the cells: a list, the answer to a question, or nothing. */
type SidePanel = "history" | "variables" | "packages" | Question | null;

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
  const [open, setOpen] = useState<"palette" | "help" | "graph" | null>(null);
  const [, goTo] = useLocation();
  const branching = useBranchName();
  const working = useWorkQuestion();
  const asks = { branchName: branching.ask, work: working.ask };
  const actions = useNotebookActions(notebook.ref.branch, number, asks);
  const control = useSelection();
  const runCell = useRunCell(notebook, actions, control);
  const [pointed, point] = useState<Question | null>(null);
  const numberOf = useNumbers(notebook.cells);
  const { leaving, takeOut, close: stay } = useWaysOut();
  const closePanel = useCallback(() => onPanel(null), [onPanel]);
  const close = () => setOpen(null);
  const toggle = (list: "history" | "variables" | "packages") => () => onPanel(panel === list ? null : list);
  const openers = {
    palette: () => setOpen("palette"),
    help: () => setOpen("help"),
    graph: () => setOpen("graph"),
    history: toggle("history"),
    variables: toggle("variables"),
    packages: toggle("packages"),
  };
  const commands = notebookCommands({
    notebook,
    atHead: number === undefined,
    actions,
    control,
    runCell,
    open: openers,
    pointed,
    panelOpen: panel !== null,
    ask: onPanel,
    takeOut,
    closePanel,
    goTo,
  });
  useCommandKeys(commands);
  const { select, follow } = control;
  const { project, ref } = notebook;
  const context = useMemo<NotebookPageContext>(() => {
    const page = { project: project.id, branch: ref.branch, number };
    return { ...page, actions, select, follow, ask: onPanel, point, closePanel, takeOut };
  }, [project.id, ref.branch, number, actions, select, follow, onPanel, closePanel, takeOut]);
  return (
    <NotebookContext value={context}>
      <div className="notebook">
        <Header
          notebook={notebook}
          connected={connected}
          panel={typeof panel === "string" ? panel : null}
          open={openers}
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
          <Side notebook={notebook} panel={panel} selected={control.selection.handle} onPanel={onPanel} />
        </div>
      </div>
      {open === "palette" && <CommandPalette commands={commands} onClose={close} />}
      {open === "help" && <KeyboardHelp commands={commands} onClose={close} />}
      {open === "graph" && (
        <Suspense fallback={null}>
          <GraphDialog notebook={notebook} onChoose={select} onClose={close} />
        </Suspense>
      )}
      <WaysOut notebook={notebook} leaving={leaving} onClose={stay} />
      {working.asking && <WorkQuestion asking={working.asking} numberOf={numberOf} />}
      {branching.asking && <BranchNameDialog notebook={notebook} asking={branching.asking} />}
    </NotebookContext>
  );
}

interface SideProps {
  notebook: LiveNotebook;
  panel: SidePanel;
  selected: string | null;
  onPanel: (panel: SidePanel) => void;
}

function Side({ notebook, panel, selected, onPanel }: SideProps) {
  const close = () => onPanel(null);
  if (panel === null) return null;
  if (panel === "history") return <HistoryPanel notebook={notebook} onClose={close} />;
  if (panel === "packages") return <PackagesPanel notebook={notebook} onClose={close} />;
  if (panel === "variables") return <VariablesPanel notebook={notebook} selected={selected} onClose={close} />;
  return <CaveatsPanel notebook={notebook} question={panel} onAsk={onPanel} onClose={close} />;
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
