import { textOf } from "../../kinds";
import type { CellDraft } from "../../useCellDraft";
import { DatabaseFields } from "./DatabaseFields";
import { nameOfPlace } from "./datasetName";
import { FilePicker } from "./FilePicker";
import { PublishedFields } from "./PublishedFields";
import { withSource, type Source, type Suggest } from "./source";

interface SourceFieldsProps {
  source: Source;
  draft: CellDraft;
  suggest: Suggest;
}

/** What has to be said to find the data. */
export function SourceFields({ source, draft, suggest }: SourceFieldsProps) {
  switch (source) {
    case "file":
      return <UploadField draft={draft} suggest={suggest} />;
    case "path":
      return <PlaceField draft={draft} suggest={suggest} name="path" label="Path of the file" hint="~/data/sales.csv" />;
    case "url":
      return (
        <PlaceField
          draft={draft}
          suggest={suggest}
          name="url"
          label="Address of the file"
          hint="https://…, s3://bucket/file, hdfs://… or a Google Sheet"
        />
      );
    case "database":
      return <DatabaseFields draft={draft} suggest={suggest} />;
    case "published":
      return <PublishedFields draft={draft} suggest={suggest} />;
  }
}

function UploadField({ draft, suggest }: { draft: CellDraft; suggest: Suggest }) {
  const { parameters } = draft;
  return (
    <FilePicker
      fileName={textOf(parameters, "file_name")}
      onUploaded={(file, suggested) =>
        draft.change({
          ...withSource({ file: file.artifact, file_name: file.name }),
          ...suggest(suggested),
        })
      }
    />
  );
}

interface PlaceFieldProps {
  draft: CellDraft;
  suggest: Suggest;
  name: "path" | "url";
  label: string;
  hint: string;
}

function PlaceField({ draft, suggest, name, label, hint }: PlaceFieldProps) {
  const { parameters } = draft;
  return (
    <input
      type="text"
      className="input load-place"
      aria-label={label}
      placeholder={hint}
      spellCheck={false}
      autoComplete="off"
      value={textOf(parameters, name)}
      onChange={({ target }) => draft.change(withSource({ [name]: target.value.trim() }))}
      onBlur={({ target }) => draft.change(suggest(nameOfPlace(target.value)))}
    />
  );
}
