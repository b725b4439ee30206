import { useState, type SubmitEvent } from "react";
import type { CaveatSet } from "../api/types";
import { Button } from "../app/Button";
import { useNotebookContext } from "../notebook/context";

const WHOLE_SET = "Accepts whatever is said at this place, also of rows that are still to come.";
const SAME_TEXT = "Accepts all that say exactly this at this place, in every row.";

interface AcknowledgeFormProps {
  set: CaveatSet;
  /** The caveats with this message; null: every caveat of the set. */
  message: string | null;
  onDone: () => void;
}

/** Asks for a note, and accepts caveats: they stay listed and mark nothing any more. */
export function AcknowledgeForm({ set, message, onDone }: AcknowledgeFormProps) {
  const { actions } = useNotebookContext();
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    if (await actions.acknowledge(set, message, note.trim())) onDone();
    else setBusy(false);
  };
  return (
    <form
      className="acknowledge-form"
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onDone();
      }}
    >
      <p className="caveats-note">{message === null ? WHOLE_SET : SAME_TEXT}</p>
      <label className="field">
        <span>Note (optional)</span>
        <input autoFocus value={note} maxLength={2000} onChange={(event) => setNote(event.target.value)} />
      </label>
      <p className="caveat-buttons">
        <Button tone="primary" type="submit" disabled={busy}>
          Acknowledge
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </p>
    </form>
  );
}
