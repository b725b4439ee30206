import { Fragment, useMemo } from "react";
import { isActive, type LiveCell } from "../api/live";
import { scopeBefore, type Scope } from "../editor/scope";
import { Cell } from "./Cell";
import { InsertLine } from "./InsertLine";
import { useNumbers } from "./numbers";
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
  const numberOf = useNumbers(cells);
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
              active={isActive(cell, cells)}
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
