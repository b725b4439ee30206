import { API } from "./client";
import { errorFrom } from "./errors";
import type { ProjectSummary, UploadedFile } from "./types";

type OnProgress = (fraction: number) => void;

/** Sends a file to a project, telling how much of it has left, unless the signal stops it. */
export function upload(
  project: string,
  file: File,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<UploadedFile> {
  return send(`/projects/${project}/files?name=${encodeURIComponent(file.name)}`, file, onProgress, signal);
}

/** Sends the archive of a whole project, which becomes a project here. */
export function uploadArchive(file: File, onProgress: OnProgress): Promise<ProjectSummary> {
  return send("/projects/archive", file, onProgress);
}

/** Unlike `fetch`, this can tell how much has left. */
function send<Answer>(path: string, file: File, onProgress: OnProgress, signal?: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${API}${path}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.total ? event.loaded / event.total : 0);
    request.onload = () => {
      if (request.status === 201) resolve(request.response as Answer);
      else reject(errorFrom(request.status, request.response));
    };
    request.onerror = () => reject(new TypeError("network"));
    request.onabort = () => reject(new DOMException("stopped", "AbortError"));
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
