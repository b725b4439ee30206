import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  insertNewlineAndIndent,
} from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Prec, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import { appearance } from "./appearance";

/** What the page does with keys that leave or run the cell. */
export interface EditorHandlers {
  onChange: (text: string) => void;
  onSave: () => void;
  onRun: (goOn: boolean) => void;
  onEscape: () => void;
}

/** The parts that all editors share. `current` gives the handlers as they are at the time of the event. */
export function editorSetup(label: string, hint: string, current: () => EditorHandlers): Extension {
  return [
    Prec.highest(keymap.of(cellKeys(current))),
    keymap.of([
      { key: "Tab", run: acceptCompletion },
      { key: "Tab", run: indentMore, shift: indentLess },
      { key: "Enter", run: insertNewlineAndIndent },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ icons: false }),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    EditorState.allowMultipleSelections.of(true),
    EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((t) => t.isUserEvent("outside"))) {
        current().onChange(update.state.doc.toString());
      }
    }),
    placeholder(hint),
    label === "Markdown text" ? [] : lintGutter(),
    appearance,
  ];
}

function cellKeys(current: () => EditorHandlers) {
  const key = (name: string, run: () => void) => ({
    key: name,
    run: (view: EditorView) => {
      closeCompletion(view);
      run();
      return true;
    },
  });
  return [
    key("Shift-Enter", () => current().onRun(true)),
    key("Mod-Enter", () => current().onRun(false)),
    key("Mod-s", () => current().onSave()),
  ];
}
