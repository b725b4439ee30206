import { closeCompletion, completionStatus } from "@codemirror/autocomplete";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { closeSearchPanel, searchPanelOpen } from "@codemirror/search";
import { Compartment, EditorState, Transaction } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, type Ref } from "react";
import type { CellError } from "../api/types";
import { languageSupport, type Language } from "./languages";
import { scopeSignature, type Scope } from "./scope";
import { editorSetup, type EditorHandlers } from "./setup";
import "./Editor.css";

export interface EditorHandle {
  focus: () => void;
  /** Puts the cursor into a line (from 1) and shows it. */
  goToLine: (line: number) => void;
}

interface EditorProps extends EditorHandlers {
  ref: Ref<EditorHandle>;
  text: string;
  language: Language;
  label: string;
  hint: string;
  scope: Scope;
  /** Marked at its line. */
  error: CellError | null;
}

/** A CodeMirror editor as a React component. The text outside is the truth; typing reports it back. */
export function Editor({ ref, text, language, label, hint, scope, error, ...handlers }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const current = useRef<EditorHandlers>(handlers);
  const support = useRef(new Compartment());
  const signature = scopeSignature(scope);

  useLayoutEffect(() => {
    current.current = handlers;
  });

  useLayoutEffect(() => {
    const editor = new EditorView({
      parent: host.current as HTMLDivElement,
      state: EditorState.create({
        doc: text,
        extensions: [
          keymap.of([{ key: "Escape", run: (target) => escape(target, () => current.current.onEscape()) }]),
          editorSetup(label, hint, () => current.current),
          support.current.of(languageSupport(language, scope)),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // The editor outlives changes of its text and scope, which the effects below bring in.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [label, hint]);

  useEffect(() => {
    view.current?.dispatch({ effects: support.current.reconfigure(languageSupport(language, scope)) });
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [language, signature]);

  useLayoutEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    const changes = { from: 0, to: editor.state.doc.length, insert: text };
    editor.dispatch({ changes, annotations: Transaction.userEvent.of("outside") });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnostics(editor.state, error)));
  }, [error, text]);

  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    goToLine: (line) => goToLine(view.current, line),
  }));

  return <div className="editor" ref={host} />;
}

/** Escape closes what is open in the editor first, and leaves the editor only then. */
function escape(editor: EditorView, leave: () => void): boolean {
  if (completionStatus(editor.state)) return closeCompletion(editor);
  if (searchPanelOpen(editor.state)) return closeSearchPanel(editor);
  leave();
  return true;
}

function goToLine(editor: EditorView | null, line: number): void {
  if (!editor) return;
  const { from } = editor.state.doc.line(Math.min(Math.max(line, 1), editor.state.doc.lines));
  editor.dispatch({ selection: { anchor: from }, scrollIntoView: true });
  editor.focus();
}

function diagnostics(state: EditorState, error: CellError | null): Diagnostic[] {
  if (!error?.line || error.line > state.doc.lines) return [];
  const line = state.doc.line(error.line);
  const from = Math.min(line.from + Math.max((error.column ?? 1) - 1, 0), line.to);
  return [{ from: error.column ? from : line.from, to: line.to, severity: "error", message: error.message }];
}
