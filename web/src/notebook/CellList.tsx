import { Fragment, useCallback, useMemo } from "react";
import type { LiveCell } from "../api/live";
import { scopeBefore, type Scope } from "../editor/scope";
import { Cell } from "./Cell";
import { InsertLine } from "./InsertLine";
import type { Selection } from "./selection";

const NO_DATASETS: Scope = new Map();

interface CellListProps {
  cells: LiveCell[];
  selection: Selection;
  onRun: (handle: string, goOn: boolean) => Promise<void>;
}

export function CellList({ cells, selection, onRun }: CellListProps) {
  const outputs = cells.map((cell) => [cell.handle, ...cell.outputs.map((o) => o.name + o.artifact.id)]).join();
  const scopes = useMemo(
    () => cells.map((cell) => scopeBefore(cells, cell.handle)),
    // Printed output must not make every other cell render again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [outputs],
  );
  const handles = cells.map((cell) => cell.handle).join(" ");
  const numberOf = useCallback((handle: string) => handles.split(" ").indexOf(handle) + 1, [handles]);
  return (
    <div className="cell-list">
      <InsertLine after={null} />
      {cells.map((cell, index) => {
        const selected = cell.handle === selection.handle;
        return (
          <Fragment key={cell.handle}>
            <Cell
              cell={cell}
              number={index + 1}
              count={cells.length}
              scope={scopes[index] ?? NO_DATASETS}
              numberOf={numberOf}
              mode={selected ? selection.mode : null}
              request={selected ? selection.request : 0}
              onRun={onRun}
            />
            <InsertLine after={cell.handle} last={index === cells.length - 1} />
          </Fragment>
        );
      })}
    </div>
  );
}
