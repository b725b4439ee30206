import createClient from "openapi-fetch";
import { errorFrom } from "./errors";
import type { paths } from "./schema";
import type { CellEdit, Edition, FileQuestion, PublishRequest, VersionRef } from "./types";

export const API = "/api/v1";

const client = createClient<paths>({ baseUrl: location.origin, fetch: (request) => fetch(request) });

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The answer's data; an answer that is an error is thrown. */
async function answered<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer;
  if (!response.ok) throw errorFrom(response.status, error);
  return data as Data;
}

const path = <Parameters>(parameters: Parameters) => ({ params: { path: parameters } });

/** Every request of the app, by name; paths, bodies and answers are checked against the server's schema. */
export const api = {
  signIn: (secret: string) => answered(client.POST("/api/v1/sign-in", { body: { secret } })),
  status: () => answered(client.GET("/api/v1/status")),

  projects: () => answered(client.GET("/api/v1/projects")),
  createProject: (name: string) => answered(client.POST("/api/v1/projects", { body: { name } })),
  importProject: (file: File) =>
    answered(
      client.POST("/api/v1/projects/import", {
        params: { query: { name: file.name } },
        // The schema knows bytes as text only.
        body: file as unknown as string,
        bodySerializer: (body) => body,
        headers: { "content-type": "application/octet-stream" },
      }),
    ),
  renameProject: (project: string, name: string) =>
    answered(client.PATCH("/api/v1/projects/{project}", { ...path({ project }), body: { name } })),
  deleteProject: (project: string) => answered(client.DELETE("/api/v1/projects/{project}", path({ project }))),
  restoreProject: (project: string) => answered(client.POST("/api/v1/projects/{project}/restore", path({ project }))),

  files: (project: string) => answered(client.GET("/api/v1/projects/{project}/files", path({ project }))),

  sources: () => answered(client.GET("/api/v1/sources")),
  previewFile: (project: string, body: FileQuestion, signal: AbortSignal) =>
    answered(client.POST("/api/v1/projects/{project}/previews", { ...path({ project }), body, signal })),
  publications: () => answered(client.GET("/api/v1/publications")),
  editions: (name: string) => answered(client.GET("/api/v1/publications/{name}", path({ name }))),
  withdraw: ({ name, edition }: Edition) =>
    answered(client.DELETE("/api/v1/publications/{name}/{edition}", path({ name, edition }))),
  restoreEdition: ({ name, edition }: Edition) =>
    answered(client.POST("/api/v1/publications/{name}/{edition}/restore", path({ name, edition }))),
  publish: (body: PublishRequest) => answered(client.POST("/api/v1/publications", { body })),
  sinks: () => answered(client.GET("/api/v1/sinks")),
  written: (run: string) => answered(client.GET("/api/v1/runs/{run}/written", path({ run }))),

  branches: (project: string) => answered(client.GET("/api/v1/projects/{project}/branches", path({ project }))),
  createBranch: (project: string, name: string, source: VersionRef) =>
    answered(client.POST("/api/v1/projects/{project}/branches", { ...path({ project }), body: { name, source } })),
  renameBranch: (branch: string, name: string) =>
    answered(client.PATCH("/api/v1/branches/{branch}", { ...path({ branch }), body: { name } })),

  versions: (branch: string, before: number | undefined, limit: number) =>
    answered(
      client.GET("/api/v1/branches/{branch}/versions", { params: { path: { branch }, query: { before, limit } } }),
    ),
  head: (branch: string) => answered(client.GET("/api/v1/branches/{branch}/head", path({ branch }))),
  version: (ref: VersionRef) => answered(client.GET("/api/v1/branches/{branch}/versions/{number}", path(ref))),
  edit: (ref: VersionRef, edit: CellEdit, how: { at_head: boolean; branch_name?: string }) =>
    answered(
      client.POST("/api/v1/branches/{branch}/versions/{number}/edits", { ...path(ref), body: { edit, ...how } }),
    ),
  preview: (ref: VersionRef, edit: CellEdit) =>
    answered(client.POST("/api/v1/branches/{branch}/versions/{number}/preview", { ...path(ref), body: { edit } })),
  provenance: (ref: VersionRef) =>
    answered(client.GET("/api/v1/branches/{branch}/versions/{number}/provenance", path(ref))),
  undo: (branch: string, head: number) =>
    answered(client.POST("/api/v1/branches/{branch}/undo", { ...path({ branch }), body: { head } })),
  redo: (branch: string, head: number) =>
    answered(client.POST("/api/v1/branches/{branch}/redo", { ...path({ branch }), body: { head } })),

  markedRow: (artifact: string, row: number, backwards: boolean) =>
    answered(
      client.GET("/api/v1/artifacts/{artifact}/marked", { params: { path: { artifact }, query: { row, backwards } } }),
    ),

  environment: (branch: string) => answered(client.GET("/api/v1/branches/{branch}/environment", path({ branch }))),
  buildEnvironment: (branch: string) =>
    answered(client.POST("/api/v1/branches/{branch}/environment", path({ branch }))),
  cancelEnvironment: (digest: string) =>
    answered(client.POST("/api/v1/environments/{digest}/cancel", path({ digest }))),

  run: (branch: string, cells: string[] | null, anew: boolean) =>
    answered(client.POST("/api/v1/branches/{branch}/run", { ...path({ branch }), body: { cells, anew } })),
  cancel: (branch: string, cells: string[] | null) =>
    answered(client.POST("/api/v1/branches/{branch}/cancel", { ...path({ branch }), body: { cells } })),
};
