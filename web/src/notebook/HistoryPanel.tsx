import { Link } from "wouter";
import type { LiveNotebook } from "../api/live";
import { useHistory } from "../api/queries";
import type { VersionSummary } from "../api/types";
import { Button } from "../app/Button";
import { coversPage, Panel } from "../app/Panel";
import { headPath, versionPath } from "../app/paths";
import { ago, exactly } from "../app/time";
import "./HistoryPanel.css";

interface HistoryPanelProps {
  notebook: LiveNotebook;
  onClose: () => void;
}

/** The versions of the branch, newest first; each leads to its permanent page. */
export function HistoryPanel({ notebook, onClose }: HistoryPanelProps) {
  const { branch, project, ref } = notebook;
  const history = useHistory(branch.id, true);
  const versions = history.data?.pages.flat() ?? [];
  return (
    <Panel name="History" title={`History of ${branch.name}`} onClose={onClose}>
      <ol className="history">
        {versions.map((version) => (
          <HistoryEntry
            key={version.ref.number}
            version={version}
            path={
              version.ref.number === branch.head
                ? headPath(project.id, branch.id)
                : versionPath(project.id, version.ref)
            }
            isShown={version.ref.number === ref.number}
            isHead={version.ref.number === branch.head}
            onChoose={() => coversPage() && onClose()}
          />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button className="history-more" onClick={() => void history.fetchNextPage()}>
          Earlier versions
        </Button>
      )}
    </Panel>
  );
}

interface HistoryEntryProps {
  version: VersionSummary;
  path: string;
  isShown: boolean;
  isHead: boolean;
  onChoose: () => void;
}

function HistoryEntry({ version, path, isShown, isHead, onChoose }: HistoryEntryProps) {
  return (
    <li>
      <Link href={path} className="history-entry" aria-current={isShown ? "page" : undefined} onClick={onChoose}>
        <span className="history-number">{version.ref.number}</span>
        <span className="history-text">
          <span className="history-what">
            {version.description} {isHead && <span className="history-head">head</span>}
          </span>
          <span className="history-who">
            {version.person.name} · <time title={exactly(version.time)}>{ago(version.time)}</time>
          </span>
        </span>
      </Link>
    </li>
  );
}
