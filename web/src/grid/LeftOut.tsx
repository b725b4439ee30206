import { useState } from "react";
import type { Doubt, Output, Part } from "../api/types";
import { Button } from "../app/Button";
import { Dialog } from "../app/Dialog";
import { leftOutText } from "./doubt";
import { marksIn, type Marks } from "./marks";
import { usePages } from "./pages";
import { Rows } from "./Rows";

const TALLEST = 300;
/** Left out as a whole: no column of these rows is worse than another. */
const NO_DOUBT: Doubt = { values: {}, rows: 0, phantoms: 0, open: false, coarse: false };
const WHY = "Were what is in doubt different, they could be among the rows.";
const OPEN = "A marked row number stands for any number of rows like it, marked values for any value.";

interface LeftOutProps {
  output: Output;
  asTable: boolean;
  onAsk: (part: Part) => void;
}

/** The line below a dataset's rows about those that are not there, perhaps wrongly. */
export function LeftOut({ output, asTable, onAsk }: LeftOutProps) {
  const [open, setOpen] = useState(false);
  const { doubt } = output.artifact;
  if (doubt.coarse) {
    return (
      <button type="button" className="dataset-left-out" onClick={() => onAsk({})}>
        All of this is in doubt: the code that made it can’t be seen through
      </button>
    );
  }
  const text = leftOutText(doubt);
  if (text === null) return null;
  const askWhy = () => {
    setOpen(false);
    onAsk({ missing: true });
  };
  const show = () => (doubt.phantoms > 0 ? setOpen(true) : askWhy());
  return (
    <>
      <button type="button" className="dataset-left-out" onClick={show}>
        {text}
      </button>
      {open && (
        <Dialog
          title={`Rows left out of ${output.name}`}
          description={doubt.open ? `${WHY} ${OPEN}` : WHY}
          size="wide"
          onClose={() => setOpen(false)}
        >
          <LeftOutRows output={output} asTable={asTable} onAsk={askWhy} />
          <div className="dialog-buttons">
            <Button onClick={() => setOpen(false)}>Close</Button>
            <Button tone="primary" onClick={askWhy}>
              Why are they left out?
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function LeftOutRows({ output: { name, artifact }, asTable, onAsk }: LeftOutProps) {
  const rows = artifact.doubt.phantoms;
  const pages = usePages(`${artifact.id}/phantoms`, rows);
  if (rows === 1 && isBlank(marksIn(pages.cache, artifact.columns.length), artifact.columns.length)) {
    return <p className="caveats-note">Nothing is known of them: not how many they are, nor any value.</p>;
  }
  return (
    <div className="left-out-rows dataset">
      <Rows
        name={`${name}, left out`}
        columns={artifact.columns}
        rows={rows}
        pages={pages}
        doubt={NO_DOUBT}
        asTable={asTable}
        tallest={TALLEST}
        onAsk={onAsk}
      />
    </div>
  );
}

/** Whether the first of these slots stands for any number of rows with any values, as LIMIT leaves one. */
function isBlank(marks: Marks, width: number): boolean {
  return marks.ofRow(0) && Array.from({ length: width }, (_, column) => column).every((c) => marks.ofValue(0, c));
}
