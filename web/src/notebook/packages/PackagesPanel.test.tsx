import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { afterEach, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import { keys } from "../../api/queries";
import type { Environment } from "../../api/types";
import { notebookWith } from "../../testing/samples";
import { NotebookContext, type NotebookPageContext } from "../context";
import { PackagesPanel } from "./PackagesPanel";

afterEach(cleanup);

const PACKAGES = { wanted: ["numpy>=2"], locked: ["numpy==2.4.0", "other==1"] };
const ENVIRONMENT: Environment = { digest: "d", packages: PACKAGES, python: "3.11.7", state: "building" };

function show(environment: Partial<Environment>, setPackages = vi.fn(() => Promise.resolve<unknown>(undefined))) {
  const notebook = { ...notebookWith([]), packages: PACKAGES };
  const client = new QueryClient();
  client.setQueryData([...keys.environment("branch"), PACKAGES.locked], { ...ENVIRONMENT, ...environment });
  const context = { branch: "branch", actions: { setPackages } } as unknown as NotebookPageContext;
  render(
    <QueryClientProvider client={client}>
      <Tooltip.Provider>
        <NotebookContext value={context}>
          <PackagesPanel notebook={notebook} onClose={vi.fn()} />
        </NotebookContext>
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  return setPackages;
}

it("lists packages with the versions they led to, and takes one away", async () => {
  const setPackages = show({});
  expect(screen.getByRole("list").textContent).toBe("numpy>=22.4.0");
  await userEvent.click(screen.getByRole("button", { name: "Remove numpy>=2" }));
  expect(setPackages).toHaveBeenCalledWith([]);
});

it("adds a package, and keeps what was typed if it can't be had, with the installer's words", async () => {
  const refusal = new ApiError(422, "bad_packages", "No versions", { output: "Because polars was not found" });
  const setPackages = show(
    {},
    vi.fn(() => Promise.resolve<unknown>(refusal)),
  );
  const field = screen.getByLabelText<HTMLInputElement>("Package to add");
  await userEvent.type(field, "polars{Enter}");
  expect(setPackages).toHaveBeenCalledWith(["numpy>=2", "polars"]);
  expect((await screen.findByRole("alert")).textContent).toContain("Because polars was not found");
  expect(field.value).toBe("polars");
});

it.each([
  [{ state: "building", step: "Installing 2 packages" }, "Installing 2 packages"],
  [{ state: "failed", problem: "no space left" }, "no space left"],
  [{ state: "ready", size: 2_000_000 }, "Installed for Python 3.11.7"],
  [{ state: "absent" }, "Install now"],
] as const)("says how the environment stands: %j", (environment, words) => {
  show(environment);
  expect(screen.getByText(words, { exact: false })).toBeDefined();
});
