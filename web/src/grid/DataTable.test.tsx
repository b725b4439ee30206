import { Int64, Table, Utf8, vectorFromArray } from "apache-arrow";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { afterEach, expect, it, vi } from "vitest";
import { NO_DOUBT } from "../testing/samples";
import { DataTable } from "./DataTable";
import type { Pages } from "./pages";
import type { Place } from "./useMarkedRows";

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

it("shows many columns some at a time, and goes to the one that is asked for", async () => {
  const many = Array.from({ length: 250 }, (_, place) => ({ name: `c${place}`, type: "string", nullable: true }));
  const pages = { cache: { get: () => undefined }, want: vi.fn() } as unknown as Pages;
  const table = (place: Place | null) => (
    <Tooltip.Provider>
      <DataTable name="wide" columns={many} rows={1} pages={pages} doubt={NO_DOUBT} place={place} onAsk={vi.fn()} />
    </Tooltip.Provider>
  );
  const names = () => screen.getAllByRole("columnheader").map((head) => head.textContent.replace("string", ""));
  const { rerender } = render(table(null));
  expect([names().length, names().at(-1)]).toEqual([101, "c99"]);
  await userEvent.click(screen.getByRole("button", { name: "Next columns" }));
  expect([names()[1], names().at(-1)]).toEqual(["c100", "c199"]);
  screen.getByText("101–200 of 250 columns");
  rerender(table({ row: 0, column: 249 }));
  expect([names()[1], names().at(-1)]).toEqual(["c200", "c249"]);
});
