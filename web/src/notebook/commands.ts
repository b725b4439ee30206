import { isBusy, type LiveNotebook } from "../api/live";
import type { Question } from "../api/types";
import type { Command } from "../commands/command";
import { toggleTheme } from "../theme/theme";
import type { NotebookActions } from "./actions";
import { newHandle } from "./handle";
import type { SelectionControl } from "./selection";
import type { WayOut } from "./WaysOut";

interface CommandSource {
  notebook: LiveNotebook;
  atHead: boolean;
  actions: NotebookActions;
  control: SelectionControl;
  runCell: (handle: string, goOn: boolean) => Promise<void>;
  open: Record<"palette" | "help" | "history" | "variables" | "packages" | "graph", () => void>;
  /** What is selected in a grid. */
  pointed: Question | null;
  panelOpen: boolean;
  ask: (question: Question) => void;
  takeOut: (how: WayOut, dataset: Question) => void;
  closePanel: () => void;
  goTo: (path: string) => void;
}

/** Every command of the notebook page. The palette, the keys and the list of keys all come from here. */
export function notebookCommands(source: CommandSource): Command[] {
  return [
    // First of those that Escape stands for: what was opened last closes first.
    closePanelCommand(source),
    ...cellCommands(source),
    ...freezeCommands(source),
    ...orderCommands(source),
    ...walkCommands(source),
    ...doubtCommands(source),
    ...datasetCommands(source),
    ...notebookWide(source),
    ...viewCommands(source),
  ];
}

type OnCell = (handle: string) => unknown;

/** Makes commands that act on the selected cell, and can't be used without one. */
function onSelected(selected: string | null) {
  return (id: string, title: string, keys: readonly string[], act: OnCell, whileTyping = false): Command => {
    const run = () => {
      if (selected !== null) act(selected);
    };
    return { id, title, section: "Cell", keys, whileTyping, disabled: selected === null, run };
  };
}

/** The selected cell, unless it is gone: by its menu, by an undo, by somebody else. */
function selectedCell({ notebook, control }: CommandSource): string | null {
  const { handle } = control.selection;
  return notebook.cells.some((cell) => cell.handle === handle) ? handle : null;
}

function cellCommands(source: CommandSource): Command[] {
  const { actions, control, runCell } = source;
  const command = onSelected(selectedCell(source));
  return [
    command("run-next", "Run cell and go to the next", ["shift+enter"], (cell) => runCell(cell, true), true),
    command("run", "Run cell with what it needs", ["mod+enter"], (cell) => runCell(cell, false), true),
    command("run-anew", "Run cell anew, ignoring stored results", [], (cell) => actions.saveAndRun(cell, true)),
    command("save", "Save cell", ["mod+s"], (cell) => actions.save(cell), true),
    command("cancel", "Cancel cell", ["i i"], (cell) => actions.cancel([cell])),
    command("edit", "Edit cell", ["enter"], (cell) => control.select(cell, "edit")),
    command("leave", "Leave the editor", ["escape"], (cell) => control.select(cell), true),
    command("to-markdown", "Change cell to Markdown", ["m"], (cell) => actions.changeKind(cell, "markdown")),
    command("to-python", "Change cell to Python", ["y"], (cell) => actions.changeKind(cell, "python")),
    command("to-sql", "Change cell to SQL", ["s"], (cell) => actions.changeKind(cell, "sql")),
  ];
}

function freezeCommands(source: CommandSource): Command[] {
  const { actions, notebook } = source;
  const handle = selectedCell(source);
  const frozen = notebook.cells.some((cell) => cell.handle === handle && cell.frozen);
  const verb = frozen ? "Thaw" : "Freeze";
  const command = onSelected(handle);
  return [
    command("freeze", `${verb} cell`, ["f"], (cell) => actions.freeze([cell], !frozen)),
    command("freeze-below", `${verb} cell and all below`, ["shift+f"], (cell) => actions.freezeFrom(cell, !frozen)),
  ];
}

function orderCommands(source: CommandSource): Command[] {
  const { cells } = source.notebook;
  const { actions, control } = source;
  const handle = selectedCell(source);
  const command = onSelected(handle);
  const index = cells.findIndex((cell) => cell.handle === handle);
  const above = cells[index - 1]?.handle ?? null;
  const below = cells[index + 1]?.handle ?? null;
  const insert = async (after: string | null) => {
    const made = newHandle();
    // Before it is there: keys pressed meanwhile are not meant for the cell that was selected.
    control.select(made);
    const kind = cells[index]?.kind === "sql" ? "sql" : "python";
    if (!(await actions.insert(kind, after, undefined, made))) control.select(handle);
  };
  const remove = async (cell: string) => {
    control.select(below ?? above);
    if (!(await actions.remove(cell))) control.select(cell);
  };
  const last = handle ?? cells.at(-1)?.handle ?? null;
  return [
    { id: "insert-above", title: "Insert cell above", section: "Cell", keys: ["a"], run: () => void insert(above) },
    { id: "insert-below", title: "Insert cell below", section: "Cell", keys: ["b"], run: () => void insert(last) },
    command("delete", "Delete cell", ["d d"], remove),
    command("move-up", "Move cell up", ["alt+arrowup"], (cell) => actions.move(cell, -1)),
    command("move-down", "Move cell down", ["alt+arrowdown"], (cell) => actions.move(cell, 1)),
  ];
}

function walkCommands({ notebook: { cells }, control }: CommandSource): Command[] {
  const index = cells.findIndex((cell) => cell.handle === control.selection.handle);
  const goTo = (target: number) => () => {
    const cell = cells[Math.min(Math.max(target, 0), cells.length - 1)];
    if (cell) control.select(cell.handle);
  };
  return [
    { id: "next", title: "Go to the next cell", section: "Cell", keys: ["j", "arrowdown"], run: goTo(index + 1) },
    { id: "previous", title: "Go to the previous cell", section: "Cell", keys: ["k", "arrowup"], run: goTo(index - 1) },
  ];
}

function doubtCommands(source: CommandSource): Command[] {
  const { pointed, ask } = source;
  const command = (id: string, title: string, key: string, question: Question | null): Command => {
    const run = () => {
      if (question) ask(question);
    };
    return { id, title, section: "Cell", keys: [key], inData: true, disabled: !question, run };
  };
  return [
    command("why", "Why is the selected value in doubt?", "w", pointed),
    command("caveats", "Caveats of this dataset", "c", selectedDataset(source)),
  ];
}

function datasetCommands(source: CommandSource): Command[] {
  const dataset = selectedDataset(source);
  const command = (how: WayOut, title: string, keys: readonly string[]): Command => {
    const run = () => {
      if (dataset) source.takeOut(how, dataset);
    };
    return { id: how, title, section: "Cell", keys, inData: true, disabled: !dataset, run };
  };
  return [command("export", "Export this dataset…", ["e"]), command("publish", "Publish this dataset…", [])];
}

/** The dataset that is pointed at in the selected cell, or its first. */
function selectedDataset(source: CommandSource): Question | null {
  const { notebook, pointed } = source;
  const handle = selectedCell(source);
  const names = datasetsOf(notebook, handle);
  const name = names.find((made) => handle === pointed?.cell && made === pointed.name) ?? names[0];
  return handle !== null && name !== undefined ? { cell: handle, name } : null;
}

function datasetsOf(notebook: LiveNotebook, handle: string | null): string[] {
  const outputs = notebook.cells.find((cell) => cell.handle === handle)?.outputs ?? [];
  return outputs.filter(({ artifact }) => artifact.kind === "dataset").map(({ name }) => name);
}

function notebookWide(source: CommandSource): Command[] {
  const { notebook, atHead, actions } = source;
  const command = (id: string, title: string, keys: readonly string[], run: () => unknown, usable = true): Command => {
    // What works with Ctrl works while somebody types, too.
    const whileTyping = keys.some((stroke) => stroke.startsWith("mod+"));
    return { id, title, section: "Notebook", keys, whileTyping, disabled: !atHead || !usable, run };
  };
  const anyFrozen = notebook.cells.some((cell) => cell.frozen);
  return [
    command("run-all", "Run all", ["mod+shift+enter"], () => actions.runAll()),
    command("run-all-anew", "Run all anew, ignoring stored results", [], () => actions.runAll(true)),
    command("cancel-all", "Cancel everything", ["mod+."], () => actions.cancel(null), isBusy(notebook)),
    command("thaw-all", "Thaw all frozen cells", [], () => actions.thawAll(), anyFrozen),
    command("undo", "Undo", ["z"], () => actions.undo(), notebook.can_undo),
    command("redo", "Redo", ["shift+z"], () => actions.redo(), notebook.can_redo),
  ];
}

function closePanelCommand({ panelOpen, closePanel }: CommandSource): Command {
  return {
    id: "close-panel",
    title: "Close the panel at the side",
    section: "View",
    keys: ["escape"],
    inData: true,
    disabled: !panelOpen,
    run: closePanel,
  };
}

function viewCommands({ open, goTo }: CommandSource): Command[] {
  return [
    { id: "palette", title: "Command palette", section: "View", keys: ["mod+k"], whileTyping: true, run: open.palette },
    { id: "help", title: "Keyboard", section: "View", keys: ["?"], run: open.help },
    { id: "history", title: "History", section: "View", keys: ["h"], run: open.history },
    { id: "variables", title: "Variables", section: "View", keys: ["v"], run: open.variables },
    { id: "packages", title: "Packages", section: "View", keys: ["p"], run: open.packages },
    { id: "graph", title: "Graph of cells", section: "View", keys: ["g"], run: open.graph },
    { id: "theme", title: "Switch between light and dark", section: "View", run: toggleTheme },
    { id: "projects", title: "All projects", section: "Go to", run: () => goTo("/") },
  ];
}
