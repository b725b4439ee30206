import { Download } from "lucide-react";
import { API } from "../../api/client";
import type { VersionRef } from "../../api/types";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../../app/Menu";

const FORMATS = [
  ["html", "Web page, with results"],
  ["ipynb", "Jupyter notebook"],
  ["trail.md", "Text, for git"],
  ["py", "Python script"],
] as const;

/** Downloads the version that is shown as a file, or the whole project. */
export function ExportMenu({ project, version }: { project: string; version: VersionRef }) {
  const path = `${API}/branches/${version.branch}/versions/${version.number}/export`;
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="icon-button" aria-label="Export" title="Export">
          <Download size={15} />
        </button>
      }
    >
      <MenuLabel>Export version {version.number}</MenuLabel>
      {FORMATS.map(([format, title]) => (
        <MenuItem key={format} onSelect={() => location.assign(`${path}?format=${format}`)}>
          {title} <span className="menu-side">.{format}</span>
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => location.assign(`${API}/projects/${project}/archive`)}>
        Whole project, with its history <span className="menu-side">.trailbook</span>
      </MenuItem>
    </Menu>
  );
}
