import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { afterEach, expect, it, vi } from "vitest";
import { cellWith } from "../testing/samples";
import { Cell } from "./Cell";
import { NotebookContext, type NotebookPageContext } from "./context";

afterEach(cleanup);

function renderCell() {
  const onRun = vi.fn(() => Promise.resolve());
  const context = { branch: "b", actions: {}, select: vi.fn(), follow: vi.fn() } as unknown as NotebookPageContext;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Tooltip.Provider>
        <NotebookContext value={context}>
          <Cell
            cell={cellWith({ handle: "c", parameters: { query: "SELECT 1", name: "one" } })}
            number={1}
            count={1}
            active={false}
            scope={new Map()}
            numberOf={() => 1}
            mode="edit"
            request={0}
            onRun={onRun}
          />
        </NotebookContext>
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  return onRun;
}

it("runs once when Enter is pressed in a field, and leaves nothing of the key to the page", () => {
  const onRun = renderCell();
  const goesOn = fireEvent.keyDown(screen.getByLabelText("Dataset name"), { key: "Enter", ctrlKey: true });
  expect(onRun).toHaveBeenCalledTimes(1);
  expect(goesOn).toBe(false);
});

it("does not run when Enter looks for the next match in its text", async () => {
  // jsdom lays nothing out.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  const onRun = renderCell();
  screen.getByLabelText("SQL query").focus();
  await userEvent.keyboard("{Control>}f{/Control}");
  fireEvent.keyDown(screen.getByPlaceholderText("Find"), { key: "Enter", keyCode: 13 });
  expect(onRun).not.toHaveBeenCalled();
});
