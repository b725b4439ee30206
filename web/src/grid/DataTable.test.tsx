import { Int64, Table, Utf8, vectorFromArray } from "apache-arrow";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { NO_DOUBT } from "../testing/samples";
import { DataTable } from "./DataTable";
import type { Pages } from "./pages";

afterEach(cleanup);

const columns = [
  { name: "region", type: "string", nullable: true },
  { name: "total", type: "bigint", nullable: true },
];

it("says what is in doubt, and asks about just that", async () => {
  const page = new Table({
    region: vectorFromArray(["North", "South"], new Utf8()),
    total: vectorFromArray([30n, 32n], new Int64()),
    __mask: vectorFromArray([0b100n, 0b001n], new Int64()),
  });
  const pages = { cache: { get: () => page }, want: vi.fn() } as unknown as Pages;
  const onAsk = vi.fn();
  const doubt = { ...NO_DOUBT, values: { total: 1 }, rows: 1 };
  render(<DataTable name="totals" columns={columns} rows={2} pages={pages} doubt={doubt} onAsk={onAsk} />);
  const marked = screen.getAllByRole("button");
  expect(marked.map((button) => button.textContent)).toEqual(["total in doubt", "30 in doubt", "2 in doubt"]);
  for (const button of marked) await userEvent.click(button);
  expect(onAsk.mock.calls).toEqual([[{ column: "total" }], [{ row: 0, column: "total" }], [{ row: 1 }]]);
});
