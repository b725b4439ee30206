import { Eye } from "lucide-react";
import { useEffect, useState, type KeyboardEvent } from "react";
import type { LiveCell } from "../../../api/live";
import { Button } from "../../../app/Button";
import { useNotebookContext } from "../../context";
import { textOf } from "../../kinds";
import type { CellDraft } from "../../useCellDraft";
import { NameField } from "../NameField";
import { nameOfPlace } from "./datasetName";
import { PreviewPanel } from "./PreviewPanel";
import { hasSource, isUnnamed, questionOf, settled, sourceOf, type Source } from "./source";
import { SourceFields } from "./SourceFields";
import { SourceTabs } from "./SourceTabs";
import { usePreview } from "./usePreview";

interface LoadFormProps {
  cell: LiveCell;
  draft: CellDraft;
  /** Closes the form; missing where there is nothing to go back to. */
  onDone: (() => void) | undefined;
}

/** What is to be loaded, and a look at it: what was found out can be corrected before anything is loaded. */
export function LoadForm({ cell, draft, onDone }: LoadFormProps) {
  const { actions } = useNotebookContext();
  const { parameters } = draft;
  const [source, setSource] = useState<Source>(sourceOf(parameters));
  const place = textOf(parameters, source);
  // A path or an address is looked at when it is complete, which only the person knows.
  const [looked, setLooked] = useState(place);
  const isLooked = source === "file" || looked === place;
  const question = sourceOf(parameters) === source && isLooked ? questionOf(parameters) : null;
  const preview = usePreview(question);
  // Of an archive with several files, one has to be chosen.
  const isOne = !preview.data?.members.length || preview.data.format !== "";
  const canLoad = hasSource(parameters) && sourceOf(parameters) === source && isOne;

  const [suggested, setSuggested] = useState("");
  const suggest = (name: string) => {
    if (!name || !isUnnamed(parameters, suggested)) return {};
    setSuggested(name);
    return { name };
  };
  const settle = async () => draft.change(settled(parameters, await preview.now()));
  // Whatever has the cell run, it is loaded as it was shown.
  useEffect(() => {
    if (canLoad && draft.edited) actions.completing.set(cell.handle, settle);
    return () => void actions.completing.delete(cell.handle);
  });
  const load = async () => {
    if (!canLoad) return;
    await settle();
    if (await actions.saveAndRun(cell.handle)) onDone?.();
  };
  const look = () => {
    void preview.again();
    setLooked(place);
    draft.change(suggest(nameOfPlace(place)));
  };
  const onEnter = (event: KeyboardEvent<HTMLElement>) => {
    const isField = event.target instanceof HTMLInputElement && event.target.type !== "file";
    if (event.key !== "Enter" || event.shiftKey || !isField || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (canLoad && !isLooked && (source === "path" || source === "url")) look();
    else void load();
  };
  return (
    <div className="load" onKeyDown={onEnter}>
      <SourceTabs source={source} onChoose={setSource} />
      <div className="load-source">
        <SourceFields source={source} draft={draft} suggest={suggest} />
        {(source === "path" || source === "url") && (
          <Button disabled={!canLoad} onClick={look}>
            <Eye size={14} aria-hidden /> Preview
          </Button>
        )}
      </div>
      {question && <PreviewPanel draft={draft} preview={preview} />}
      {canLoad && !question && (source === "database" || source === "published") && (
        <p className="load-hint">What is in it is shown once it is loaded.</p>
      )}
      <div className="load-actions">
        <label className="load-name">
          <span>Dataset</span>
          <NameField draft={draft} />
        </label>
        <Button tone="primary" disabled={!canLoad} onClick={() => void load()}>
          Load
        </Button>
        {onDone && (
          <Button
            onClick={() => {
              draft.discard();
              onDone();
            }}
          >
            Cancel
          </Button>
        )}
      </div>
    </div>
  );
}
