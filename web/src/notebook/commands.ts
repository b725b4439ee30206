import type { Command } from "../commands/command";
import { toggleTheme } from "../theme/theme";
import type { NotebookActions } from "./actions";
import type { LiveNotebook } from "../api/live";
import type { SelectionControl } from "./selection";

interface CommandSource {
  notebook: LiveNotebook;
  atHead: boolean;
  actions: NotebookActions;
  control: SelectionControl;
  runCell: (handle: string, goOn: boolean) => Promise<void>;
  open: { palette: () => void; help: () => void; history: () => void };
  goTo: (path: string) => void;
}

/** Every command of the notebook page. The palette, the keys and the list of keys all come from here. */
export function notebookCommands(source: CommandSource): Command[] {
  return [...cellCommands(source), ...moveCommands(source), ...notebookWide(source), ...viewCommands(source)];
}

function cellCommands({ notebook, actions, control, runCell }: CommandSource): Command[] {
  const { handle } = control.selection;
  const disabled = handle === null;
  const onCell = (run: (handle: string) => unknown) => () => {
    if (handle !== null) run(handle);
  };
  const insert = async (after: string | null) => {
    const made = await actions.insert(notebook.cells[index]?.kind === "sql" ? "sql" : "python", after);
    if (made) control.select(made);
  };
  const index = notebook.cells.findIndex((cell) => cell.handle === handle);
  const above = notebook.cells[index - 1]?.handle ?? null;
  const below = handle ?? notebook.cells.at(-1)?.handle ?? null;
  const remove = (target: string) => {
    control.select(notebook.cells[index + 1]?.handle ?? above);
    return actions.remove(target);
  };
  const command = (id: string, title: string, keys: string[], run: () => void): Command => ({
    id,
    title,
    section: "Cell",
    keys,
    disabled,
    run,
  });
  const always: typeof command = (...parts) => ({ ...command(...parts), whileTyping: true });
  return [
    always(
      "run-next",
      "Run cell and go to the next",
      ["shift+enter"],
      onCell((h) => runCell(h, true)),
    ),
    always(
      "run",
      "Run cell",
      ["mod+enter"],
      onCell((h) => runCell(h, false)),
    ),
    always(
      "save",
      "Save cell",
      ["mod+s"],
      onCell((h) => actions.save(h)),
    ),
    always(
      "leave",
      "Leave the editor",
      ["escape"],
      onCell((h) => control.select(h)),
    ),
    { ...command("insert-above", "Insert cell above", ["a"], () => void insert(above)), disabled: false },
    { ...command("insert-below", "Insert cell below", ["b"], () => void insert(below)), disabled: false },
    command("delete", "Delete cell", ["d d"], onCell(remove)),
    command(
      "move-up",
      "Move cell up",
      ["alt+arrowup"],
      onCell((h) => actions.move(h, -1)),
    ),
    command(
      "move-down",
      "Move cell down",
      ["alt+arrowdown"],
      onCell((h) => actions.move(h, 1)),
    ),
    command(
      "to-markdown",
      "Change cell to Markdown",
      ["m"],
      onCell((h) => actions.changeKind(h, "markdown")),
    ),
    command(
      "to-python",
      "Change cell to Python",
      ["y"],
      onCell((h) => actions.changeKind(h, "python")),
    ),
    command(
      "to-sql",
      "Change cell to SQL",
      ["s"],
      onCell((h) => actions.changeKind(h, "sql")),
    ),
    command(
      "cancel",
      "Cancel cell",
      ["i i"],
      onCell((h) => actions.cancel([h])),
    ),
    command(
      "run-anew",
      "Run cell anew, ignoring stored results",
      [],
      onCell((h) => actions.saveAndRun(h, true)),
    ),
  ];
}

function moveCommands({ notebook, control }: CommandSource): Command[] {
  const { handle } = control.selection;
  const step = (by: -1 | 1) => () => {
    const index = notebook.cells.findIndex((cell) => cell.handle === handle);
    const target = handle === null ? 0 : Math.min(Math.max(index + by, 0), notebook.cells.length - 1);
    const cell = notebook.cells[target];
    if (cell) control.select(cell.handle);
  };
  const command = (id: string, title: string, keys: string[], run: () => void): Command => ({
    id,
    title,
    section: "Cell",
    keys,
    run,
  });
  return [
    { ...command("edit", "Edit cell", ["enter"], () => control.select(handle, "edit")), disabled: handle === null },
    command("next", "Go to the next cell", ["j", "arrowdown"], step(1)),
    command("previous", "Go to the previous cell", ["k", "arrowup"], step(-1)),
  ];
}

function notebookWide({ notebook, atHead, actions }: CommandSource): Command[] {
  const section = "Notebook";
  return [
    {
      id: "run-all",
      title: "Run all",
      section,
      keys: ["mod+shift+enter"],
      whileTyping: true,
      disabled: !atHead,
      run: () => void actions.runAll(),
    },
    { id: "cancel-all", title: "Cancel everything", section, disabled: !atHead, run: () => void actions.cancel(null) },
    {
      id: "undo",
      title: "Undo",
      section,
      keys: ["z"],
      disabled: !atHead || !notebook.can_undo,
      run: () => void actions.undo(),
    },
    {
      id: "redo",
      title: "Redo",
      section,
      keys: ["shift+z"],
      disabled: !atHead || !notebook.can_redo,
      run: () => void actions.redo(),
    },
  ];
}

function viewCommands({ open, goTo }: CommandSource): Command[] {
  return [
    { id: "palette", title: "Command palette", section: "View", keys: ["mod+k"], whileTyping: true, run: open.palette },
    { id: "help", title: "Keyboard", section: "View", keys: ["?"], run: open.help },
    { id: "history", title: "History", section: "View", keys: ["h"], run: open.history },
    { id: "theme", title: "Switch between light and dark", section: "View", run: toggleTheme },
    { id: "projects", title: "All projects", section: "Go to", run: () => goTo("/") },
  ];
}
