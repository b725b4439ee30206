import { useInfiniteQuery, useQuery, type QueryClient } from "@tanstack/react-query";
import { api } from "./client";
import { isBusy, mergeAnswer, mergeNotebook, type LiveNotebook } from "./live";
import type { Environment, FileQuestion, Notebook, Status } from "./types";

const HISTORY_PAGE = 50;
const ENGINE_POLL = 1500;
const BUSY_POLL = 2000;

export const keys = {
  status: ["status"] as const,
  projects: ["projects"] as const,
  files: (project: string) => ["files", project] as const,
  sources: ["sources"] as const,
  filePreview: (project: string, question: FileQuestion | null) => ["file-preview", project, question] as const,
  branches: (project: string) => ["branches", project] as const,
  environment: (branch: string) => ["environment", branch] as const,
  publications: ["publications"] as const,
  sinks: ["sinks"] as const,
  written: (run: string) => ["written", run] as const,
  history: (branch: string) => ["history", branch] as const,
  /** `number` undefined is the head, whatever it is. */
  notebook: (branch: string, number?: number) => ["notebook", branch, number ?? "head"] as const,
};

export function useStatus() {
  return useQuery({
    queryKey: keys.status,
    queryFn: api.status,
    refetchInterval: ({ state: { data } }) => (data && data.engine.state !== "ready" ? ENGINE_POLL : false),
  });
}

export function useProjects() {
  return useQuery({ queryKey: keys.projects, queryFn: api.projects });
}

export function useFiles(project: string) {
  return useQuery({ queryKey: keys.files(project), queryFn: () => api.files(project) });
}

/** The formats of files with their options, and the types that columns can have. */
export function useSources() {
  return useQuery({ queryKey: keys.sources, queryFn: api.sources, staleTime: Infinity });
}

/** What datasets can be written as, and where to. */
export function useSinks() {
  return useQuery({ queryKey: keys.sinks, queryFn: api.sinks, staleTime: Infinity });
}

/** What has become of the files that a run exported; looked at anew when somebody comes back to the page. */
export function useWritten(run: string) {
  return useQuery({ queryKey: keys.written(run), queryFn: () => api.written(run) });
}

export function usePublications() {
  return useQuery({ queryKey: keys.publications, queryFn: api.publications });
}

export function useEditions(name: string) {
  return useQuery({
    queryKey: [...keys.publications, name],
    queryFn: () => api.editions(name),
    enabled: name !== "",
    retry: false,
  });
}

export function useBranches(project: string) {
  return useQuery({ queryKey: keys.branches(project), queryFn: () => api.branches(project) });
}

/** The environment of a branch's packages; the WebSocket tells how it comes along. */
export function useEnvironment(branch: string, locked: readonly string[]) {
  return useQuery({
    queryKey: [...keys.environment(branch), locked],
    queryFn: () => api.environment(branch),
    staleTime: Infinity,
  });
}

export function useHistory(branch: string, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: keys.history(branch),
    queryFn: ({ pageParam }) => api.versions(branch, pageParam, HISTORY_PAGE),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length === HISTORY_PAGE ? page.at(-1)?.ref.number : undefined),
    enabled,
  });
}

export function useNotebookQuery(branch: string, number: number | undefined) {
  const queryKey = keys.notebook(branch, number);
  return useQuery<LiveNotebook>({
    queryKey,
    queryFn: async ({ client }) => {
      const asked = client.getQueryData<LiveNotebook>(queryKey);
      const notebook = await (number === undefined ? api.head(branch) : api.version({ branch, number }));
      return mergeAnswer(asked, client.getQueryData<LiveNotebook>(queryKey), notebook);
    },
    // Some proxies hold WebSockets back, and pages of versions have none; what runs is looked after all the same.
    refetchInterval: (query) => (isBusy(query.state.data) ? BUSY_POLL : false),
    // The WebSocket keeps the head up to date; the results of another version may have come in meanwhile.
    staleTime: number === undefined ? Infinity : 0,
    retry: false,
  });
}

/** Puts a notebook that the server sent in the place of what the page shows as the branch's head. */
export function storeHead(client: QueryClient, notebook: Notebook): void {
  replaceHead(client, notebook.ref.branch, (shown) => mergeNotebook(shown, notebook));
}

/** The same for the answer to a request that was made when the page showed `asked`. */
export function storeAnswer(client: QueryClient, asked: LiveNotebook | undefined, notebook: Notebook): void {
  replaceHead(client, notebook.ref.branch, (shown) => mergeAnswer(asked, shown, notebook));
}

function replaceHead(
  client: QueryClient,
  branch: string,
  next: (shown: LiveNotebook | undefined) => LiveNotebook,
): void {
  const key = keys.notebook(branch);
  const shown = client.getQueryData<LiveNotebook>(key);
  const notebook = next(shown);
  client.setQueryData(key, notebook);
  if (shown?.ref.number !== notebook.ref.number) {
    void client.invalidateQueries({ queryKey: keys.history(branch) });
  }
}

export function storeEngine(client: QueryClient, engine: Status["engine"]): void {
  client.setQueryData<Status>(keys.status, (status) => status && { ...status, engine });
}

/** Puts how an environment stands in the place of what is known of it. */
export function storeEnvironment(client: QueryClient, branch: string, environment: Environment): void {
  client.setQueriesData<Environment | null>({ queryKey: keys.environment(branch) }, (known) =>
    known?.digest === environment.digest ? environment : known,
  );
}
