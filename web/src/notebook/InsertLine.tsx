import { Plus } from "lucide-react";
import { Menu, MenuItem } from "../app/Menu";
import { useNotebookContext } from "./context";
import { KINDS } from "./kinds";
import "./InsertLine.css";

/** The line between two cells, where a new one can be put. */
export function InsertLine({ after, last = false }: { after: string | null; last?: boolean }) {
  const { actions, select } = useNotebookContext();
  const insert = async (kind: string) => {
    const handle = await actions.insert(kind, after);
    if (handle) select(handle, "edit");
  };
  return (
    <div className={last ? "insert-line insert-line-last" : "insert-line"}>
      <Menu
        trigger={
          <button
            type="button"
            className="insert-button"
            aria-label="Insert cell"
            title="Insert cell (A above, B below)"
          >
            <Plus size={13} /> {last && <span>Cell</span>}
          </button>
        }
      >
        {KINDS.map((kind) => (
          <MenuItem key={kind.kind} icon={<kind.icon size={14} />} onSelect={() => void insert(kind.kind)}>
            {kind.title}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
