import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { keys } from "../../api/queries";
import type { Scope } from "../../editor/scope";
import type { Parameters } from "../kinds";
import { TypesCell } from "./TypesCell";

const SCOPE: Scope = new Map([
  ["sales", [textColumn("zip"), textColumn("day"), { name: "id", type: "int", nullable: true }]],
]);
const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
client.setQueryData(keys.sources, {
  types: [
    { type: "string", formats: [] },
    { type: "date", formats: ["yyyy-M-d", "d.M.yyyy"] },
  ],
});

function textColumn(name: string) {
  return { name, type: "string", nullable: true };
}

const onChange = vi.fn<(parameters: Parameters) => void>();
const last = () => onChange.mock.lastCall?.[0];

function Form() {
  const [parameters, setParameters] = useState<Parameters>({ name: "typed" });
  const change = (changes: Parameters) => {
    const next = { ...parameters, ...changes };
    setParameters(next);
    onChange(next);
  };
  const draft = { parameters, edited: true, overtaken: false, change, discard: () => undefined };
  return <TypesCell draft={draft} scope={SCOPE} />;
}

it("settles columns of text one by one, and leaves the others to be found out", async () => {
  render(
    <QueryClientProvider client={client}>
      <Tooltip.Provider>
        <Form />
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  await userEvent.selectOptions(screen.getByLabelText("Dataset"), "sales");
  const others = screen.getByLabelText("Not to be found out");
  expect(within(others).getAllByRole("option").map((option) => option.textContent)).toEqual([
    "Settle a column…",
    "zip",
    "day",
  ]);
  await userEvent.selectOptions(others, "zip");
  await userEvent.selectOptions(others, "day");
  const day = within(screen.getByRole("group", { name: "Column day" }));
  await userEvent.selectOptions(day.getByLabelText("Type"), "date");
  await userEvent.selectOptions(day.getByLabelText("Written as"), "d.M.yyyy");
  expect(last()).toEqual({
    name: "typed",
    dataset: "sales",
    columns: {
      zip: { type: "string", formats: [], codes: null },
      day: { type: "date", formats: ["d.M.yyyy"], codes: null },
    },
  });
  await userEvent.click(screen.getByRole("button", { name: "Find out zip" }));
  expect(Object.keys(last()?.columns as object)).toEqual(["day"]);
});
