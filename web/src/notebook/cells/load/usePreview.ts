import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../../api/client";
import { keys } from "../../../api/queries";
import type { FilePreview, FileQuestion } from "../../../api/types";
import { useSettled } from "../../../app/useSettled";
import { useNotebookContext } from "../../context";

const PAUSE = 250;

/** A look at the file in question, and at it anew when something is said about it. */
export function usePreview(question: FileQuestion | null) {
  const { project } = useNotebookContext();
  const client = useQueryClient();
  const text = JSON.stringify(question);
  const asked = useSettled(text, PAUSE);
  const options = {
    queryKey: keys.filePreview(project, question),
    queryFn: ({ signal }: { signal: AbortSignal }) => api.previewFile(project, question as FileQuestion, signal),
    retry: false,
    staleTime: Infinity,
    gcTime: 60_000,
  };
  const query = useQuery({
    ...options,
    enabled: question !== null && asked === text,
    placeholderData: keepPreviousData,
    // The file may have changed since the form was open the last time.
    refetchOnMount: "always",
  });
  /** The preview of what is in question now; nothing if there is none. */
  const now = async (): Promise<FilePreview | undefined> =>
    question ? client.query(options).catch(() => undefined) : undefined;
  const again = () => client.invalidateQueries({ queryKey: keys.filePreview(project, question) });
  return { ...query, now, again };
}

export type PreviewState = ReturnType<typeof usePreview>;
