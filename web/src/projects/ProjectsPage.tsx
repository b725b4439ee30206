import { Plus } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { messageOf } from "../api/errors";
import { useProjects, useStatus } from "../api/queries";
import { Brand } from "../app/Brand";
import { Button } from "../app/Button";
import { NameDialog } from "../app/Dialog";
import { EnginePill } from "../app/EnginePill";
import { PageMessage } from "../app/PageMessage";
import { headPath } from "../app/paths";
import { ThemeButton } from "../app/ThemeButton";
import { useTitle } from "../app/useTitle";
import { useProjectActions } from "./actions";
import { PublishedList } from "../publishing/PublishedList";
import { ImportButton } from "./ImportButton";
import { ProjectRow } from "./ProjectRow";
import "./ProjectsPage.css";

export function ProjectsPage() {
  const [creating, setCreating] = useState(false);
  const status = useStatus().data;
  useTitle("Projects");
  return (
    <div className="projects">
      <header className="projects-bar">
        <Brand />
        <span className="projects-space" />
        <EnginePill />
        <ThemeButton />
      </header>
      <main className="projects-main">
        <div className="projects-heading">
          <h1>Projects</h1>
          <span className="projects-space" />
          <ImportButton />
          <Button tone="primary" onClick={() => setCreating(true)}>
            <Plus size={15} aria-hidden /> New project
          </Button>
        </div>
        <ProjectList onCreate={() => setCreating(true)} />
        <PublishedList />
      </main>
      {status && (
        <footer className="projects-foot">
          Signed in as {status.person.name} · Trailbook {status.version}
        </footer>
      )}
      {creating && <NewProjectDialog onClose={() => setCreating(false)} />}
    </div>
  );
}

function ProjectList({ onCreate }: { onCreate: () => void }) {
  const { data, error } = useProjects();
  if (error) return <PageMessage title="The projects can't be shown">{messageOf(error)}</PageMessage>;
  if (!data) return null;
  if (data.length === 0) {
    return (
      <div className="projects-empty">
        <h2>No projects yet</h2>
        <p>
          A project is one notebook with its branches, versions and files. Create one, then load a CSV, JSON lines or
          Parquet file into it.
        </p>
        <Button onClick={onCreate}>Create the first project</Button>
      </div>
    );
  }
  const newestFirst = [...data].sort((a, b) => b.modified.localeCompare(a.modified));
  return (
    <ul className="projects-list" aria-label="Projects">
      {newestFirst.map((project) => (
        <ProjectRow key={project.id} project={project} />
      ))}
    </ul>
  );
}

function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const actions = useProjectActions();
  const [, navigate] = useLocation();
  return (
    <NameDialog
      title="New project"
      label="Name"
      action="Create"
      onClose={onClose}
      onSubmit={async (name) => {
        const project = await actions.create(name);
        navigate(headPath(project.id, project.branch));
      }}
    />
  );
}
