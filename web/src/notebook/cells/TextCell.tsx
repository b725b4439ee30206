import type { Ref } from "react";
import type { LiveCell } from "../../api/live";
import { Editor, type EditorHandle } from "../../editor/Editor";
import type { Language } from "../../editor/languages";
import type { Scope } from "../../editor/scope";
import { useNotebookContext } from "../context";
import { textOf } from "../kinds";
import type { CellDraft } from "../useCellDraft";

interface TextCellProps {
  ref: Ref<EditorHandle>;
  cell: LiveCell;
  draft: CellDraft;
  scope: Scope;
  language: Language;
  /** The parameter that holds the text. */
  parameter: string;
  label: string;
  hint: string;
  onRun: (goOn: boolean) => void;
}

/** A cell whose substance is a text: SQL, Python, Markdown. */
export function TextCell({ ref, cell, draft, scope, language, parameter, label, hint, onRun }: TextCellProps) {
  const { actions, select } = useNotebookContext();
  const current = !draft.edited && cell.state === "error";
  return (
    <Editor
      ref={ref}
      text={textOf(draft.parameters, parameter)}
      language={language}
      label={label}
      hint={hint}
      scope={scope}
      error={current ? (cell.run?.error ?? null) : null}
      onChange={(text) => draft.change({ [parameter]: text })}
      onSave={() => void actions.save(cell.handle)}
      onRun={onRun}
      onEscape={() => select(cell.handle, "command")}
    />
  );
}
