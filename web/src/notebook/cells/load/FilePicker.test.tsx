import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { UploadedFile } from "../../../api/types";
import { NotebookContext, type NotebookPageContext } from "../../context";
import { FilePicker } from "./FilePicker";

const sent = vi.hoisted(() => ({ finish: undefined as ((file: unknown) => void) | undefined }));
vi.mock("../../../api/upload", () => ({ upload: () => new Promise((resolve) => (sent.finish = resolve)) }));

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
  sent.finish?.({ artifact: "f" });
  await vi.waitFor(() => expect(after).toHaveBeenCalledWith({ artifact: "f" }, "sales"));
  expect(before).not.toHaveBeenCalled();
  expect(input.value).toBe("");
});
