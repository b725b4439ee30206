import { notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { Tooltip } from "radix-ui";
import { expect, it, vi } from "vitest";
import { keys } from "../api/queries";
import { notebookWith } from "../testing/samples";
import NotebookPage from "./NotebookPage";

it("keeps a notebook in sight when a later request for it fails", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({}, { status: 502 })));
  vi.stubGlobal("WebSocket", class { close = vi.fn() });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(keys.notebook("branch"), notebookWith([]));
  render(
    <QueryClientProvider client={client}>
      <Tooltip.Provider>
        <NotebookPage branch="branch" number={undefined} />
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  notifyManager.setScheduler((notify) => notify());
  await act(() => client.refetchQueries({ queryKey: keys.notebook("branch") }));
  expect(client.getQueryState(keys.notebook("branch"))?.error).not.toBeNull();
  expect(screen.getByText("Start with data")).toBeTruthy();
});
