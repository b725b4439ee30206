import { useFiles } from "../../../api/queries";
import type { UploadedFile } from "../../../api/types";
import { Menu, MenuItem } from "../../../app/Menu";
import { ago } from "../../../app/time";
import { bytesText } from "../../../grid/sizes";
import { useNotebookContext } from "../../context";

/** The files that the project has already, to be loaded again without another upload. */
export function EarlierFiles({ onChoose }: { onChoose: (file: UploadedFile) => void }) {
  const files = useFiles(useNotebookContext().project).data ?? [];
  if (files.length === 0) return null;
  return (
    <Menu
      trigger={
        <button type="button" className="link earlier-files">
          Uploaded before
        </button>
      }
    >
      {files.map((file) => (
        <MenuItem key={`${file.artifact} ${file.time}`} onSelect={() => onChoose(file)}>
          {file.name}
          <span className="menu-side">
            {bytesText(file.size)} · {ago(file.time)}
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
