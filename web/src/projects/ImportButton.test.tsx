import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ImportButton } from "./ImportButton";

afterEach(cleanup);

it("sends the file under its name and opens the project", async () => {
  const sent: Request[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    sent.push(request);
    return Promise.resolve(Response.json({ id: "p", branch: "b" }, { status: 201 }));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ImportButton />
    </QueryClientProvider>,
  );
  const file = new File(["{}"], "my work.ipynb");
  fireEvent.change(screen.getByLabelText("Notebook file"), { target: { files: [file] } });
  await waitFor(() => expect(location.pathname).toBe("/projects/p/branches/b"));
  const url = new URL(sent[0]?.url ?? "");
  expect([url.pathname, url.searchParams.get("name")]).toEqual(["/api/v1/projects/import", "my work.ipynb"]);
});
