import { useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { LiveCell } from "../api/live";
import { keys, useEditions, usePublications } from "../api/queries";
import type { Output, VersionRef } from "../api/types";
import { NameDialog } from "../app/Dialog";
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
  const published = usePublications().data ?? [];
  const publish = async (name: string) => {
    const made = await api.publish({ ...version, name, cell: cell.handle, dataset: output.name });
    await client.invalidateQueries({ queryKey: keys.publications });
    notify(`Published ${output.name} as ${made.name}, edition ${made.edition}.`);
  };
  return (
    <NameDialog
      title={`Publish ${output.name}`}
      description={WHAT}
      label="Name"
      initial={output.name}
      known={published.map(({ publication }) => publication.name)}
      action="Publish"
      tell={(name) => <NextEdition name={name} />}
      onSubmit={publish}
      onClose={onClose}
    />
  );
}

function NextEdition({ name }: { name: string }) {
  const last = useEditions(name).data?.[0];
  return (
    <p className="dialog-description" role="status">
      {last ? `It becomes edition ${last.edition + 1} of ${last.name}.` : "It becomes edition 1 of a new name."}
    </p>
  );
}
