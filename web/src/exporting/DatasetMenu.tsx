import { Download, Ellipsis, Share2 } from "lucide-react";
import { Menu, MenuItem } from "../app/Menu";
import { useNotebookContext } from "../notebook/context";

/** What can be done with a dataset as a whole. */
export function DatasetMenu({ cell, name }: { cell: string; name: string }) {
  const { takeOut } = useNotebookContext();
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="icon-button" aria-label={`More actions for ${name}`} title="More actions">
          <Ellipsis size={14} />
        </button>
      }
    >
      <MenuItem icon={<Download size={14} />} keys="e" onSelect={() => takeOut("export", { cell, name })}>
        Export…
      </MenuItem>
      <MenuItem icon={<Share2 size={14} />} onSelect={() => takeOut("publish", { cell, name })}>
        Publish…
      </MenuItem>
    </Menu>
  );
}
