import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { afterEach, expect, it, vi } from "vitest";
import { keys } from "../api/queries";
import { notebookWith } from "../testing/samples";
import { HistoryPanel } from "./HistoryPanel";

afterEach(cleanup);

it.each([
  ["closes after a choice where it covers the page", true],
  ["stays open where there is room for it", false],
])("%s", async (_, narrow) => {
  vi.stubGlobal("matchMedia", () => ({ matches: narrow }));
  const notebook = notebookWith([], 2);
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const { person, time } = notebook;
  const version = { ref: { branch: "branch", number: 1 }, parents: [], description: "Insert SQL cell 1", person, time };
  client.setQueryData(keys.history("branch"), { pages: [[version]], pageParams: [undefined] });
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <Tooltip.Provider>
        <HistoryPanel notebook={notebook} onClose={onClose} />
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByText("Insert SQL cell 1"));
  expect(onClose).toHaveBeenCalledTimes(narrow ? 1 : 0);
});
