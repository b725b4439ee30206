import { LoaderCircle } from "lucide-react";
import { messageOf } from "../../../api/errors";
import { useSources } from "../../../api/queries";
import type { FilePreview } from "../../../api/types";
import { bytesText, counted } from "../../../grid/sizes";
import { textOf } from "../../kinds";
import type { CellDraft } from "../../useCellDraft";
import { FormatOptions } from "./FormatOptions";
import { PreviewTable } from "./PreviewTable";
import { Problems } from "./Problems";
import type { PreviewState } from "./usePreview";

interface PreviewPanelProps {
  draft: CellDraft;
  preview: PreviewState;
}

/** A look at the file: how it would be read, its first rows, and what is wrong in the part that was looked at. */
export function PreviewPanel({ draft, preview }: PreviewPanelProps) {
  const { data, error, isFetching, isPlaceholderData } = preview;
  const sources = useSources().data;
  return (
    <section className="load-preview" aria-label="Preview" aria-busy={isFetching}>
      {data && data.members.length > 0 && <MemberField draft={draft} members={data.members} />}
      {sources && <FormatOptions draft={draft} preview={error ? undefined : data} sources={sources} />}
      {error ? (
        <p className="load-refusal" role="alert">
          {messageOf(error)}
        </p>
      ) : data?.format ? (
        <div className={isPlaceholderData ? "load-stale" : undefined}>
          <PreviewTable draft={draft} preview={data} types={sources?.types ?? []} />
          <p className="load-looked">{lookedText(data)}</p>
          <Problems preview={data} />
        </div>
      ) : (
        !data && (
          <p className="load-hint">
            <LoaderCircle size={14} className="load-spinner" aria-hidden /> Looking at the file…
          </p>
        )
      )}
    </section>
  );
}

/** "1,000 rows were looked at. Shown: the first 100 rows." */
export function lookedText({ rows, records, is_whole, more_columns, columns, cut_off }: FilePreview): string {
  const shown = [
    rows.length < records && `the first ${counted(rows.length, "row")}`,
    more_columns > 0 && `${columns.length} of ${counted(columns.length + more_columns, "column")}`,
  ].filter(Boolean);
  const parts = [
    is_whole ? `${counted(records, "row")}, all of the file.` : `${counted(records, "row")} ${records === 1 ? "was" : "were"} looked at.`,
    shown.length > 0 && `Shown: ${shown.join(", ")}.`,
    cut_off && `Not all of it can be read: ${cut_off}.`,
  ];
  return parts.filter(Boolean).join(" ");
}

function MemberField({ draft, members }: { draft: CellDraft; members: FilePreview["members"] }) {
  const chosen = textOf(draft.parameters, "member");
  return (
    <label className="field load-member">
      <span>{counted(members.length, "file")} in the archive</span>
      <select
        value={chosen}
        onChange={({ target }) => draft.change({ member: target.value, format: "auto", options: undefined })}
      >
        <option value="">Choose the one to load…</option>
        {members.map(({ name, size }) => (
          <option key={name} value={name}>
            {name} ({bytesText(size)})
          </option>
        ))}
      </select>
    </label>
  );
}
