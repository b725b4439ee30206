import { Component, type ReactNode } from "react";
import { Button } from "./Button";
import { PageMessage } from "./PageMessage";

interface State {
  error: Error | null;
}

/** Shows a page instead of nothing when a component throws. Drafts are in the browser's storage, so none is lost. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children;
    return (
      <PageMessage title="This page broke">
        <p>{this.state.error.message}</p>
        <p>Everything you saved is on the server, and unsaved text is kept in this browser.</p>
        <Button tone="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </PageMessage>
    );
  }
}
