import { memo, useEffect, useRef } from "react";
import type { LiveCell } from "../api/live";
import type { EditorHandle } from "../editor/Editor";
import type { Scope } from "../editor/scope";
import { CellBar } from "./CellBar";
import { CellContent } from "./CellContent";
import { CellProgress, CellState } from "./CellState";
import { useNotebookContext } from "./context";
import { isBlank, kindOf } from "./kinds";
import { Outputs } from "./outputs/Outputs";
import { RunButton, WorkLine } from "./RunButton";
import type { Mode } from "./selection";
import { useCellDraft } from "./useCellDraft";
import { useForeseenWork } from "./useForeseenWork";
import "./Cell.css";

export interface CellProps {
  cell: LiveCell;
  number: number;
  count: number;
  /** It runs, or will without further ado. */
  active: boolean;
  scope: Scope;
  numberOf: (handle: string) => number;
  /** Set while the cell is selected. */
  mode: Mode | null;
  /** Changes when the focus has to come here; see selection.ts. */
  request: number;
  onRun: (handle: string, goOn: boolean) => Promise<void>;
}

/** One cell: gutter, content, results. */
export const Cell = memo(function Cell(props: CellProps) {
  const { cell, number, count, active, scope, numberOf, mode, request, onRun } = props;
  const { follow, select } = useNotebookContext();
  const element = useRef<HTMLElement>(null);
  const editor = useRef<EditorHandle>(null);
  const draft = useCellDraft(cell);
  const work = useForeseenWork(cell, draft);
  const run = (goOn: boolean) => void onRun(cell.handle, goOn);

  useEffect(() => {
    if (request === 0) return;
    if (mode === "edit") focusContent(element.current, editor.current);
    else element.current?.focus();
    element.current?.scrollIntoView({ block: "nearest" });
    // Only a request moves the focus; a change of mode may come from the focus itself.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [request]);

  return (
    <article
      ref={element}
      id={`cell-${cell.handle}`}
      role="region"
      aria-label={labelOf(cell, number)}
      className={`cell cell-${cell.kind} ${mode ? `cell-selected cell-mode-${mode}` : ""}`}
      tabIndex={0}
      onFocus={({ target }) => follow(cell.handle, target.closest(".cell-card") ? "edit" : "command")}
      onMouseDown={() => mode || follow(cell.handle, "command")}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || event.defaultPrevented) return;
        if (event.nativeEvent.isComposing || !isTextField(event.target)) return;
        event.preventDefault();
        run(false);
      }}
    >
      <div className="cell-gutter">
        <span className="cell-number">{number}</span>
        {cell.kind !== "markdown" && (
          <>
            <RunButton cell={cell} active={active} work={work} numberOf={numberOf} onRun={() => run(false)} />
            <CellState cell={cell} active={active} numberOf={numberOf} />
          </>
        )}
      </div>
      <div className="cell-body">
        <CellBar cell={cell} draft={draft} isFirst={number === 1} isLast={number === count} />
        <CellContent ref={editor} cell={cell} draft={draft} scope={scope} editing={mode === "edit"} onRun={run} />
        <WorkLine work={work} numberOf={numberOf} />
        <CellProgress cell={cell} />
        {!isBlank(cell) && (
          <Outputs
            cell={cell}
            edited={draft.edited}
            onGoToLine={(line) => {
              select(cell.handle, "edit");
              editor.current?.goToLine(line);
            }}
          />
        )}
      </div>
    </article>
  );
});

/** The cell in words: "Cell 3, SQL, frozen, done". */
function labelOf(cell: LiveCell, number: number): string {
  const state = isBlank(cell) ? "empty" : cell.state;
  return [`Cell ${number}`, kindOf(cell.kind).title, ...(cell.frozen ? ["frozen"] : []), state].join(", ");
}

function isTextField(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.type === "text";
}

function focusContent(cell: HTMLElement | null, editor: EditorHandle | null): void {
  const find = (selector: string) => cell?.querySelector<HTMLElement>(selector);
  if (editor) editor.focus();
  else (find(".cell-card input:not([type=file])") ?? find(".cell-card button"))?.focus();
}
