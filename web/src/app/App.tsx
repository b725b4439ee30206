import { MutationCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Tooltip } from "radix-ui";
import { lazy, Suspense } from "react";
import { Link, Route, Switch } from "wouter";
import { messageOf } from "../api/errors";
import { ProjectsPage } from "../projects/ProjectsPage";
import { ErrorBoundary } from "./ErrorBoundary";
import { PageMessage } from "./PageMessage";
import { SignInGate } from "./SignInGate";
import { Toasts } from "./Toasts";
import { notifyError } from "./toasts";

// The editors and the grid are the bulk of the code; the list of projects does without.
const NotebookPage = lazy(() => import("../notebook/NotebookPage"));

// One route for the head and for versions, so that going from one to the other keeps the page's panels open.
const NOTEBOOK = "/projects/:project/branches/:branch/:versions?/:number?";

interface RouteParameters {
  branch?: string;
  number?: string;
}

const client = new QueryClient({
  mutationCache: new MutationCache({ onError: (error) => notifyError(messageOf(error)) }),
  // Who has no network may still have a server on the same machine.
  defaultOptions: { queries: { retry: 1, networkMode: "always" }, mutations: { networkMode: "always" } },
});

export function App() {
  return (
    <QueryClientProvider client={client}>
      <Tooltip.Provider delayDuration={350} skipDelayDuration={150}>
        <ErrorBoundary>
          <SignInGate>
            <Suspense fallback={null}>
              <Switch>
                <Route path="/" component={ProjectsPage} />
                <Route path={NOTEBOOK}>
                  {({ branch = "", number }: RouteParameters) => (
                    <NotebookPage branch={branch} number={number === undefined ? undefined : Number(number)} />
                  )}
                </Route>
                <Route>
                  <PageMessage title="There is no such page">
                    <Link href="/">All projects</Link>
                  </PageMessage>
                </Route>
              </Switch>
            </Suspense>
          </SignInGate>
        </ErrorBoundary>
        <Toasts />
      </Tooltip.Provider>
    </QueryClientProvider>
  );
}
