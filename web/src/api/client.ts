import { errorFrom } from "./errors";
import type { Branch, CellEdit, Notebook, ProjectSummary, Status, VersionRef, VersionSummary } from "./types";

export const API = "/api/v1";

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(API + path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (!response.ok) throw errorFrom(response.status, answer);
  return answer as T;
}

export const api = {
  status: () => request<Status>("GET", "/status"),
  projects: () => request<ProjectSummary[]>("GET", "/projects"),
  createProject: (name: string) => request<ProjectSummary>("POST", "/projects", { name }),
  renameProject: (id: string, name: string) => request<ProjectSummary>("PATCH", `/projects/${id}`, { name }),
  deleteProject: (id: string) => request<undefined>("DELETE", `/projects/${id}`),
  restoreProject: (id: string) => request<ProjectSummary>("POST", `/projects/${id}/restore`),
  branches: (project: string) => request<Branch[]>("GET", `/projects/${project}/branches`),
  createBranch: (project: string, name: string, source: VersionRef) =>
    request<Branch>("POST", `/projects/${project}/branches`, { name, source }),
  renameBranch: (id: string, name: string) => request<Branch>("PATCH", `/branches/${id}`, { name }),
  versions: (branch: string, before: number | undefined, limit: number) =>
    request<VersionSummary[]>("GET", `/branches/${branch}/versions?limit=${limit}${before ? `&before=${before}` : ""}`),
  head: (branch: string) => request<Notebook>("GET", `/branches/${branch}/head`),
  version: (branch: string, number: number) => request<Notebook>("GET", `/branches/${branch}/versions/${number}`),
  edit: (ref: VersionRef, edit: CellEdit, how: { at_head: boolean } | { branch_name: string }) =>
    request<Notebook>("POST", `/branches/${ref.branch}/versions/${ref.number}/edits`, { edit, ...how }),
  undo: (branch: string, head: number) => request<Notebook>("POST", `/branches/${branch}/undo`, { head }),
  redo: (branch: string, head: number) => request<Notebook>("POST", `/branches/${branch}/redo`, { head }),
  run: (branch: string, cells: string[] | null, anew = false) =>
    request<Notebook>("POST", `/branches/${branch}/run`, { cells, anew }),
  cancel: (branch: string, cells: string[] | null) => request<Notebook>("POST", `/branches/${branch}/cancel`, { cells }),
};
