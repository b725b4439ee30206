import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import { keys } from "../api/queries";
import type { ProjectSummary } from "../api/types";
import { uploadArchive } from "../api/upload";
import { notify } from "../app/toasts";

/** What can be done to projects; the list follows by itself. */
export function useProjectActions() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: keys.projects });
  const restore = useMutation({ mutationFn: api.restoreProject, onSettled: refresh });
  const remove = useMutation({
    mutationFn: (project: ProjectSummary) => api.deleteProject(project.id),
    onSuccess: (_, project) => {
      notify(`Deleted “${project.name}”.`, { label: "Undo", run: () => restore.mutate(project.id) });
    },
    onSettled: refresh,
  });
  return {
    create: async (name: string) => {
      const project = await api.createProject(name);
      void refresh();
      return project;
    },
    importFile: async (file: File, onProgress: (fraction: number) => void) => {
      const isArchive = file.name.toLowerCase().endsWith(".trailbook");
      const project = await (isArchive ? uploadArchive(file, onProgress) : api.importProject(file));
      void refresh();
      return project;
    },
    rename: async (project: ProjectSummary, name: string) => {
      await api.renameProject(project.id, name);
      void refresh();
    },
    remove: remove.mutate,
  };
}
