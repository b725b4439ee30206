import { useState } from "react";
import { messageOf } from "../api/errors";
import type { LiveCell } from "../api/live";
import { useSinks } from "../api/queries";
import type { FileFormat, Output, VersionRef } from "../api/types";
import { Button } from "../app/Button";
import { Dialog } from "../app/Dialog";
import { doubtText } from "../grid/doubt";
import { sizeText } from "../grid/sizes";
import { useNotebookContext } from "../notebook/context";
import type { Parameters } from "../notebook/kinds";
import { download, exportUrl, reportUrl, type Shown } from "./download";
import { OptionFields } from "./OptionFields";
import { chosenOf, optionsOf } from "./options";
import "./Exporting.css";

const MAKING = "The file is being made, also when this is closed. Your browser keeps it then.";

interface ExportDialogProps {
  version: VersionRef;
  cell: LiveCell;
  output: Output;
  onClose: () => void;
}

/** Takes a dataset out: as a file at once, or by a cell that writes it whenever it changes. */
export function ExportDialog({ version, cell, output: { name, artifact }, onClose }: ExportDialogProps) {
  const { data: sinks, error } = useSinks();
  const shown = { ...version, cell: cell.handle, name, artifact: artifact.id };
  const size = sizeText(artifact.rows ?? 0, artifact.columns.length);
  const age = cell.state === "done" ? "" : " The cell is not up to date: this is what it made before.";
  return (
    <Dialog title={`Export ${name}`} description={`${size}.${age}`} size="wide" onClose={onClose}>
      {error && <p className="field-problem">{messageOf(error)}</p>}
      {sinks && (
        <ExportForm formats={sinks.formats} shown={shown} inDoubt={doubtText(artifact.doubt) !== null} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface ExportFormProps {
  formats: readonly FileFormat[];
  shown: Shown;
  inDoubt: boolean;
  onClose: () => void;
}

function ExportForm({ formats, shown, inDoubt, onClose }: ExportFormProps) {
  const [format, setFormat] = useState(formats[0]?.format ?? "");
  const [values, setValues] = useState<Parameters>({});
  const taking = useTaking();
  const addCell = useAddCell(shown, onClose);
  const found = formats.find((one) => one.format === format);
  const options = optionsOf(found?.options ?? {});
  const chosen = chosenOf(options, values);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!taking.busy) void taking.take(exportUrl(shown, format, chosen));
      }}
    >
      <label className="field">
        <span>Format</span>
        <select autoFocus value={format} onChange={({ target }) => setFormat(target.value)}>
          {formats.map((one) => (
            <option key={one.format} value={one.format}>
              {one.title} ({one.extension})
            </option>
          ))}
        </select>
      </label>
      <OptionFields options={options} values={values} onChange={setValues} />
      {taking.problem ? (
        <p className="field-problem" role="alert">
          {taking.problem}
        </p>
      ) : (
        <p className="export-told" role="status">
          {taking.busy && MAKING}
        </p>
      )}
      <div className="dialog-buttons export-buttons">
        <Button
          title="Writes it to a folder of the server, to S3 or to a database, and again whenever it changes"
          onClick={() => void addCell(format, chosen)}
        >
          Add an Export cell
        </Button>
        <span className="export-space" />
        {inDoubt && (
          <Button disabled={taking.busy} onClick={() => void taking.take(reportUrl(shown))}>
            Caveat report
          </Button>
        )}
        {taking.busy ? (
          <Button onClick={taking.stop}>Stop</Button>
        ) : (
          <Button tone="primary" type="submit">
            Download
          </Button>
        )}
      </div>
    </form>
  );
}

/** A download, one at a time; it goes on when the dialog is closed. */
function useTaking() {
  const [taking, setTaking] = useState<AbortController | null>(null);
  const [problem, setProblem] = useState("");
  const take = async (url: string) => {
    const asking = new AbortController();
    setTaking(asking);
    setProblem("");
    try {
      await download(url, asking.signal);
    } catch (error) {
      if (!asking.signal.aborted) setProblem(messageOf(error));
    } finally {
      setTaking(null);
    }
  };
  return { busy: taking !== null, stop: () => taking?.abort(), problem, take };
}

/** A cell below, with all that is said already; where it is to write is said there. */
function useAddCell({ cell, name }: Shown, onClose: () => void) {
  const { actions, select } = useNotebookContext();
  return async (format: string, options: Parameters) => {
    onClose();
    const made = await actions.insert("export", cell, { dataset: name, format, options });
    if (made) select(made, "edit");
  };
}
