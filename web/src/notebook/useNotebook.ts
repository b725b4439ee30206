import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { followBranch } from "../api/follow";
import { applyChange, isNews, type LiveNotebook } from "../api/live";
import { keys, storeEngine, storeEnvironment, storeHead, useNotebookQuery } from "../api/queries";
import type { Event } from "../api/types";

/** A branch's head, live, or a version as it is for ever. The query cache is the only place that holds it. */
export function useNotebook(branch: string, number: number | undefined) {
  const query = useNotebookQuery(branch, number);
  const connected = useFollowing(branch, number === undefined);
  return { notebook: query.data, error: query.error, connected };
}

function useFollowing(branch: string, enabled: boolean): boolean {
  const client = useQueryClient();
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    if (!enabled) return;
    const queryKey = keys.notebook(branch);
    const onChange = (change: Event) => {
      if (change.type === "engine") storeEngine(client, change.engine);
      else if (change.type === "environment") storeEnvironment(client, branch, change.environment);
      else if (change.type === "published") void client.invalidateQueries({ queryKey: keys.publications });
      else if (change.type === "notebook") storeHead(client, change.notebook);
      else {
        const shown = client.getQueryData<LiveNotebook>(queryKey);
        if (!shown) return;
        if (isNews(shown, change)) void client.refetchQueries({ queryKey }, { cancelRefetch: false });
        else client.setQueryData(queryKey, applyChange(shown, change));
      }
    };
    const onRefused = () => void client.invalidateQueries({ queryKey: keys.status });
    return followBranch(branch, { onChange, onConnected: setConnected, onRefused });
  }, [client, branch, enabled]);
  return connected;
}
