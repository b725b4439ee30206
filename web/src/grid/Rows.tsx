import type { Part } from "../api/types";
import { DataGrid, type RowsProps } from "./DataGrid";
import { DataTable } from "./DataTable";

interface Props extends RowsProps {
  name: string;
  asTable: boolean;
  /** The height at which rows start to scroll; null takes all the room there is. */
  tallest: number | null;
  onPoint?: (part: Part | null) => void;
}

/** Rows as a grid or as a table, or why they can't be shown. */
export function Rows({ name, asTable, tallest, onPoint, ...shared }: Props) {
  const { problem, retry } = shared.pages;
  if (problem) {
    return (
      <p className="dataset-problem" role="alert">
        {problem}{" "}
        <button type="button" className="link" onClick={retry}>
          Try again
        </button>
      </p>
    );
  }
  return (
    <div className="dataset-body" style={tallest === null ? undefined : { maxHeight: tallest }}>
      {asTable ? (
        <DataTable name={name} {...shared} />
      ) : (
        <DataGrid {...shared} tallest={tallest} {...(onPoint && { onPoint })} />
      )}
    </div>
  );
}
