import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { expect, it, vi } from "vitest";
import { previewWith } from "../../../testing/samples";
import type { CellDraft } from "../../useCellDraft";
import { PreviewTable } from "./PreviewTable";

const PREVIEW = previewWith({
  format: "csv",
  columns: [
    { name: "id", type: "int", is_text: true, formats: [], codes: [], proposed: [], note: "" },
    { name: "b", type: "bigint", is_text: false, formats: [], codes: [], proposed: [], note: "" },
  ],
  rows: [{ line: 2, values: [null, "5"], marks: [{ column: 1, why: "'x' is not an int" }] }],
});

it("says why a value would be in doubt, and takes another type for a column of text", async () => {
  const change = vi.fn();
  const draft = { parameters: {}, change } as unknown as CellDraft;
  const types = [{ type: "string", formats: [] }];
  render(
    <Tooltip.Provider>
      <PreviewTable draft={draft} preview={PREVIEW} types={types} />
    </Tooltip.Provider>,
  );
  await userEvent.click(screen.getByRole("button", { name: /null/ }));
  expect(screen.getByRole("status").textContent).toBe("id: 'x' is not an int");
  expect(screen.queryByLabelText("Type of b")).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText("Type of id"), "string");
  expect(change).toHaveBeenCalledWith({ types: { id: { type: "string", formats: [], codes: null } } });
  await userEvent.click(screen.getByRole("button", { name: "id names a row" }));
  expect(change).toHaveBeenCalledWith({ key: ["id"] });
});
