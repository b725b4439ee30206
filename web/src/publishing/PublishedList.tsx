import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useEditions, usePublications } from "../api/queries";
import type { Publication, PublishedDataset } from "../api/types";
import { versionPath } from "../app/paths";
import { ago, exactly } from "../app/time";
import { sizeText } from "../grid/sizes";
import { usePublishedActions } from "./actions";
import "./Publishing.css";

/** The datasets that projects have published for each other; nothing if there are none. */
export function PublishedList() {
  const published = usePublications().data ?? [];
  if (published.length === 0) return null;
  return (
    <section className="published" aria-labelledby="published-title">
      <h2 id="published-title">Published datasets</h2>
      <ul className="projects-list">
        {published.map((one) => (
          <PublishedRow key={one.publication.name} published={one} />
        ))}
      </ul>
    </section>
  );
}

function PublishedRow({ published: { publication, artifact, project_name } }: { published: PublishedDataset }) {
  const [open, setOpen] = useState(false);
  return (
    <li className="published-row">
      <button type="button" className="published-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} aria-hidden className="published-arrow" />
        <span className="project-name">{publication.name}</span>
        <span className="project-branch">{project_name}</span>
        <span className="project-branch">{sizeText(artifact.rows ?? 0, artifact.columns.length)}</span>
        <span className="project-time" title={exactly(publication.time)}>
          edition {publication.edition}, {ago(publication.time)}
        </span>
      </button>
      {open && <Editions name={publication.name} />}
    </li>
  );
}

function Editions({ name }: { name: string }) {
  const editions = useEditions(name).data ?? [];
  return (
    <ol className="published-editions" reversed>
      {editions.map((one) => (
        <li key={one.edition} value={one.edition}>
          <Edition publication={one} />
        </li>
      ))}
    </ol>
  );
}

function Edition({ publication }: { publication: Publication }) {
  const { project, made, dataset, time, edition, withdrawn } = publication;
  const { withdraw, restore } = usePublishedActions();
  return (
    <>
      <time dateTime={time} title={exactly(time)}>
        {ago(time)}
      </time>
      , <code>{dataset}</code> of <Link href={versionPath(project, made)}>version {made.number}</Link>
      {withdrawn && <span title={exactly(withdrawn)}>, withdrawn {ago(withdrawn)}</span>} ·{" "}
      <button
        type="button"
        className="link"
        aria-label={`${withdrawn ? "Restore" : "Withdraw"} edition ${edition} of ${publication.name}`}
        onClick={() => (withdrawn ? restore : withdraw)(publication)}
      >
        {withdrawn ? "Restore" : "Withdraw"}
      </button>
    </>
  );
}
