import { FileInput } from "lucide-react";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { messageOf } from "../api/errors";
import { Button } from "../app/Button";
import { headPath } from "../app/paths";
import { notifyError } from "../app/toasts";
import { useProjectActions } from "./actions";

/** Asks for a notebook, or the archive of a project, and opens the project that is made of it. */
export function ImportButton() {
  const input = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState<number | null>(null);
  const actions = useProjectActions();
  const [, navigate] = useLocation();
  const take = async (file: File) => {
    setSent(0);
    try {
      const project = await actions.importFile(file, setSent);
      navigate(headPath(project.id, project.branch));
    } catch (error) {
      notifyError(messageOf(error));
    } finally {
      setSent(null);
    }
  };
  return (
    <>
      <Button disabled={sent !== null} onClick={() => input.current?.click()}>
        <FileInput size={15} aria-hidden /> {sent === null ? "Import…" : `Importing…${percent(sent)}`}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".ipynb,.md,.trailbook"
        aria-label="Notebook file"
        onChange={({ target }) => {
          const file = target.files?.[0];
          // Otherwise choosing the same file once more would be no change.
          target.value = "";
          if (file) void take(file);
        }}
      />
    </>
  );
}

/** Once all has been sent, the server checks it, for as long as that takes. */
const percent = (sent: number) => (sent > 0 && sent < 1 ? ` ${Math.floor(sent * 100)} %` : "");
