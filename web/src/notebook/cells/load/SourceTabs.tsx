import { Database, FileUp, FolderOpen, Globe, Library, type LucideIcon } from "lucide-react";
import type { KeyboardEvent } from "react";
import type { Source } from "./source";

const TABS: readonly { source: Source; title: string; icon: LucideIcon }[] = [
  { source: "file", title: "Upload", icon: FileUp },
  { source: "path", title: "Path on the server", icon: FolderOpen },
  { source: "url", title: "Address", icon: Globe },
  { source: "database", title: "Database", icon: Database },
  { source: "published", title: "Published", icon: Library },
];

interface SourceTabsProps {
  source: Source;
  onChoose: (source: Source) => void;
}

/** Where the data is. */
export function SourceTabs({ source, onChoose }: SourceTabsProps) {
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const index = TABS.findIndex((tab) => tab.source === source);
    const next = TABS[(index + step + TABS.length) % TABS.length];
    if (next) onChoose(next.source);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next ? TABS.indexOf(next) : 0]?.focus();
  };
  return (
    <div className="load-tabs" role="tablist" aria-label="Where the data is" onKeyDown={onKey}>
      {TABS.map((tab) => (
        <button
          key={tab.source}
          type="button"
          role="tab"
          aria-selected={tab.source === source}
          tabIndex={tab.source === source ? 0 : -1}
          className="load-tab"
          onClick={() => onChoose(tab.source)}
        >
          <tab.icon size={14} aria-hidden /> {tab.title}
        </button>
      ))}
    </div>
  );
}
