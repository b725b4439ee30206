import { FileInput } from "lucide-react";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { messageOf } from "../api/errors";
import { Button } from "../app/Button";
import { headPath } from "../app/paths";
import { notifyError } from "../app/toasts";
import { useProjectActions } from "./actions";

/** Asks for a notebook file, and opens the project that is made of it. */
export function ImportButton() {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const actions = useProjectActions();
  const [, navigate] = useLocation();
  const take = async (file: File) => {
    setBusy(true);
    try {
      const project = await actions.importFile(file);
      navigate(headPath(project.id, project.branch));
    } catch (error) {
      notifyError(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button disabled={busy} onClick={() => input.current?.click()}>
        <FileInput size={15} aria-hidden /> {busy ? "Importing…" : "Import notebook…"}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".ipynb,.md"
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
