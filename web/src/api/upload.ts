import { API } from "./client";
import { errorFrom } from "./errors";
import type { UploadedFile } from "./types";

/** Sends a file to a project, telling how much of it has left. `fetch` can't report that. */
export function upload(project: string, file: File, onProgress: (fraction: number) => void): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${API}/projects/${project}/files?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.total ? event.loaded / event.total : 0);
    request.onload = () => {
      if (request.status === 201) resolve(request.response as UploadedFile);
      else reject(errorFrom(request.status, request.response));
    };
    request.onerror = () => reject(new TypeError("network"));
    request.send(file);
  });
}
