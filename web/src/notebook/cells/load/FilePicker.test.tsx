import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { UploadedFile } from "../../../api/types";
import { NotebookContext, type NotebookPageContext } from "../../context";
import { FilePicker } from "./FilePicker";

const sent = vi.hoisted(() => ({
  finish: undefined as ((file: unknown) => void) | undefined,
  signal: undefined as AbortSignal | undefined,
}));
vi.mock("../../../api/upload", () => ({
  upload: (_project: string, _file: File, _onProgress: unknown, signal: AbortSignal) => {
    sent.signal = signal;
    return new Promise((resolve, reject) => {
      sent.finish = resolve;
      signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    });
  },
}));
afterEach(cleanup);

const picker = (onUploaded: (file: UploadedFile, name: string) => void) => (
  <QueryClientProvider client={client}>
    <NotebookContext value={{ project: "p" } as NotebookPageContext}>
      <FilePicker fileName="" onUploaded={onUploaded} />
    </NotebookContext>
  </QueryClientProvider>
);
const client = new QueryClient({ defaultOptions: { queries: { queryFn: () => [], retry: false } } });

it("hands a file to the form as it is when the upload ends", async () => {
  const before = vi.fn();
  const after = vi.fn();
  const { rerender } = render(picker(before));
  const input = screen.getByLabelText<HTMLInputElement>("File to upload");
  await userEvent.upload(input, new File(["a"], "Sales.csv"));
  rerender(picker(after));
  sent.finish?.({ artifact: "f", name: "Sales.csv" });
  await vi.waitFor(() => expect(after).toHaveBeenCalledWith({ artifact: "f", name: "Sales.csv" }, "sales"));
  expect(before).not.toHaveBeenCalled();
  expect(input.value).toBe("");
});

it("stops sending when somebody says so, or closes the form", async () => {
  const onUploaded = vi.fn();
  const { unmount } = render(picker(onUploaded));
  const file = new File(["a"], "Sales.csv");
  await userEvent.upload(screen.getByLabelText("File to upload"), file);
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  expect(sent.signal?.aborted).toBe(true);
  await screen.findByText(/Drop a file here/);
  await userEvent.upload(screen.getByLabelText("File to upload"), file);
  expect(sent.signal?.aborted).toBe(false);
  unmount();
  expect(sent.signal?.aborted).toBe(true);
  expect(onUploaded).not.toHaveBeenCalled();
});
