import { useEditions, usePublications } from "../../../api/queries";
import { ago } from "../../../app/time";
import { sizeText } from "../../../grid/sizes";
import { textOf } from "../../kinds";
import type { CellDraft } from "../../useCellDraft";
import { datasetNameOf } from "./datasetName";
import { withSource, type Suggest } from "./source";

/** A dataset that some project published, the newest edition or a certain one. */
export function PublishedFields({ draft, suggest }: { draft: CellDraft; suggest: Suggest }) {
  const { parameters } = draft;
  const chosen = textOf(parameters, "published");
  const edition = typeof parameters.edition === "number" ? parameters.edition : 0;
  const published = usePublications().data;
  const editions = (useEditions(chosen).data ?? []).filter((one) => !one.withdrawn);
  const found = published?.find(({ publication }) => publication.name === chosen);
  if (published?.length === 0 && !chosen) {
    return <p className="load-hint">Nothing is published yet. A dataset’s menu has “Publish…”.</p>;
  }
  return (
    <div className="load-fields">
      <label className="field">
        <span>Published dataset</span>
        <select
          value={chosen}
          onChange={({ target }) =>
            draft.change({
              ...withSource({ published: target.value }),
              ...suggest(datasetNameOf(target.value)),
            })
          }
        >
          <option value="">Choose one…</option>
          {chosen && !found && <option value={chosen}>{chosen}</option>}
          {published?.map(({ publication, project_name }) => (
            <option key={publication.name} value={publication.name}>
              {publication.name} ({project_name})
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>Edition</span>
        <select
          value={edition}
          disabled={!chosen}
          onChange={({ target }) => draft.change({ edition: Number(target.value) })}
        >
          <option value={0}>The newest when it runs</option>
          {edition > 0 && !editions.some((one) => one.edition === edition) && <option value={edition}>{edition}</option>}
          {editions.map((one) => (
            <option key={one.edition} value={one.edition}>
              {one.edition}, {ago(one.time)}
            </option>
          ))}
        </select>
      </label>
      {found && (
        <span className="load-hint">{sizeText(found.artifact.rows ?? 0, found.artifact.columns.length)}</span>
      )}
    </div>
  );
}
