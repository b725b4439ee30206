import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { messageOf } from "../../../api/errors";
import { keys } from "../../../api/queries";
import type { UploadedFile } from "../../../api/types";
import { upload } from "../../../api/upload";
import { notifyError } from "../../../app/toasts";
import { useNotebookContext } from "../../context";

/** Sends files to the project. What is on its way ends with the component that waits for it. */
export function useUpload(onUploaded: (file: UploadedFile) => void) {
  const { project } = useNotebookContext();
  const client = useQueryClient();
  const [sent, setSent] = useState<number | null>(null);
  const sending = useRef<AbortController>(null);
  // An upload takes its time; the form around it may have been filled in meanwhile.
  const current = useRef(onUploaded);
  useEffect(() => {
    current.current = onUploaded;
  });
  useEffect(() => () => sending.current?.abort(), []);
  const send = async (file: File | undefined) => {
    if (!file) return;
    const controller = new AbortController();
    sending.current?.abort();
    sending.current = controller;
    setSent(0);
    try {
      const uploaded = await upload(project, file, setSent, controller.signal);
      current.current(uploaded);
      void client.invalidateQueries({ queryKey: keys.files(project) });
    } catch (error) {
      if (!controller.signal.aborted) notifyError(messageOf(error));
    } finally {
      if (sending.current === controller) setSent(null);
    }
  };
  /** How much has left, from 0 to 1; null if nothing is on its way. */
  return { sent, send, stop: () => sending.current?.abort() };
}
