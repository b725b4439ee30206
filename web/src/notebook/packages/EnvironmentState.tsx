import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client";
import { messageOf } from "../../api/errors";
import { storeEnvironment, useEnvironment } from "../../api/queries";
import type { Environment } from "../../api/types";
import { Button } from "../../app/Button";
import { notifyError } from "../../app/toasts";
import { bytesText } from "../../grid/sizes";

interface EnvironmentStateProps {
  branch: string;
  locked: readonly string[];
}

/** Whether the packages are installed: how far that is, what went wrong, and what can be done about it. */
export function EnvironmentState({ branch, locked }: EnvironmentStateProps) {
  const client = useQueryClient();
  const { data: environment } = useEnvironment(branch, locked);
  if (!environment) return null;
  const change = async (request: () => Promise<Environment | null>) => {
    try {
      const changed = await request();
      if (changed) storeEnvironment(client, branch, changed);
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  const build = () => void change(() => api.buildEnvironment(branch));
  switch (environment.state) {
    case "building":
      return (
        <div className="packages-state" role="status">
          <span className="spinner" aria-hidden /> <span>{environment.step ?? "Installing"}</span>
          <Button onClick={() => void change(() => api.cancelEnvironment(environment.digest))}>Cancel</Button>
        </div>
      );
    case "failed":
      return (
        <div className="packages-problem" role="alert">
          <p>The packages could not be installed.</p>
          {environment.problem && <pre>{environment.problem}</pre>}
          <Button onClick={build}>Try again</Button>
        </div>
      );
    case "ready":
      return (
        <p className="packages-note">
          ✓ Installed for Python {environment.python}, {bytesText(environment.size ?? 0)}
        </p>
      );
    default:
      return (
        <div className="packages-state">
          <span>Installed once a Python cell runs.</span> <Button onClick={build}>Install now</Button>
        </div>
      );
  }
}
