import { Fragment, useCallback, useMemo } from "react";
import type { LiveCell } from "../api/live";
import { scopeBefore } from "../editor/scope";
import { Cell } from "./Cell";
import { InsertLine } from "./InsertLine";
import type { Selection } from "./selection";

interface CellListProps {
  cells: LiveCell[];
  selection: Selection;
  onRun: (handle: string, goOn: boolean) => Promise<void>;
}

export function CellList({ cells, selection, onRun }: CellListProps) {
  const scopes = useMemo(() => cells.map((cell) => scopeBefore(cells, cell.handle)), [cells]);
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
              scope={scopes[index] ?? new Map()}
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
