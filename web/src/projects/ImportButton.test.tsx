import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ImportButton } from "./ImportButton";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ImportButton />
    </QueryClientProvider>,
  );
}

const choose = (file: File) => fireEvent.change(screen.getByLabelText("Notebook file"), { target: { files: [file] } });

it("sends the file under its name and opens the project", async () => {
  const sent: Request[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    sent.push(request);
    return Promise.resolve(Response.json({ id: "p", branch: "b" }, { status: 201 }));
  });
  show();
  choose(new File(["{}"], "my work.ipynb"));
  await waitFor(() => expect(location.pathname).toBe("/projects/p/branches/b"));
  const url = new URL(sent[0]?.url ?? "");
  expect([url.pathname, url.searchParams.get("name")]).toEqual(["/api/v1/projects/import", "my work.ipynb"]);
});

it("sends an archive in a stream of its own, and tells how far it is", async () => {
  const requests: FakeRequest[] = [];
  class FakeRequest {
    status = 201;
    response = { id: "q", branch: "c" };
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    onload?: () => void;
    path = "";
    open(_: string, path: string) {
      this.path = path;
      requests.push(this);
    }
    setRequestHeader() {}
    send() {}
  }
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  show();
  choose(new File(["PK"], "Whole.Trailbook"));
  const [request] = requests;
  expect(request?.path).toBe("/api/v1/projects/archive");
  act(() => request?.upload.onprogress?.({ loaded: 1, total: 3 }));
  expect(screen.getByRole("button").textContent).toContain("Importing… 33 %");
  request?.onload?.();
  await waitFor(() => expect(location.pathname).toBe("/projects/q/branches/c"));
});
