import type { VersionRef } from "../api/types";

/** The page of a branch's head. */
export function headPath(project: string, branch: string): string {
  return `/projects/${project}/branches/${branch}`;
}

/** The permanent page of a version. */
export function versionPath(project: string, ref: VersionRef): string {
  return `${headPath(project, ref.branch)}/versions/${ref.number}`;
}
