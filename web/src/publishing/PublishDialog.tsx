import { useQueryClient } from "@tanstack/react-query";
import { useId, useState, type SubmitEvent } from "react";
import { api } from "../api/client";
import { messageOf } from "../api/errors";
import type { LiveCell } from "../api/live";
import { keys, useEditions, usePublications } from "../api/queries";
import type { Output, VersionRef } from "../api/types";
import { Button } from "../app/Button";
import { Dialog } from "../app/Dialog";
import { notify } from "../app/toasts";

const WHAT = "Other projects can then load it under this name, as it is now. What is published anew is the next edition.";

interface PublishDialogProps {
  version: VersionRef;
  cell: LiveCell;
  output: Output;
  onClose: () => void;
}

/** Publishes a dataset under a new name, or as the next edition under one that there is. */
export function PublishDialog({ version, cell, output, onClose }: PublishDialogProps) {
  const client = useQueryClient();
  const list = useId();
  const published = usePublications().data ?? [];
  const [name, setName] = useState(output.name);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const last = useEditions(name.trim()).data?.[0];
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const made = await api.publish({ ...version, name: name.trim(), cell: cell.handle, dataset: output.name });
      await client.invalidateQueries({ queryKey: keys.publications });
      notify(`Published ${output.name} as ${made.name}, edition ${made.edition}.`);
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Publish ${output.name}`} description={WHAT} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span>Name</span>
          <input
            autoFocus
            list={list}
            maxLength={200}
            value={name}
            aria-invalid={problem !== ""}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <datalist id={list}>
          {published.map(({ publication }) => (
            <option key={publication.name} value={publication.name} />
          ))}
        </datalist>
        <p className="dialog-description" role="status">
          {last ? `It becomes edition ${last.edition + 1} of ${last.name}.` : "It becomes edition 1 of a new name."}
        </p>
        {problem && (
          <p className="field-problem" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" disabled={busy || name.trim() === ""}>
            Publish
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
