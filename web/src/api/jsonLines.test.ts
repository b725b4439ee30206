// @vitest-environment node
import { expect, it } from "vitest";
import { collect } from "../testing/collect";
import { jsonLines } from "./jsonLines";

function streamOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(chunk));
      controller.close();
    },
  });
}

it("reads lines however they are cut into pieces, also within a character", async () => {
  const bytes = new TextEncoder().encode('{"a":"ü"}\n{"a":2}\n');
  const pieces = Array.from(bytes, (_, index) => bytes.slice(index, index + 1));
  expect(await collect(jsonLines(streamOf(bytes)))).toEqual([{ a: "ü" }, { a: 2 }]);
  expect(await collect(jsonLines(streamOf(...pieces)))).toEqual([{ a: "ü" }, { a: 2 }]);
});

it("reads a last line without an end, and skips empty lines", async () => {
  expect(await collect(jsonLines(streamOf(new TextEncoder().encode('1\n\n2'))))).toEqual([1, 2]);
});

it("gives a line before the next one has come", async () => {
  let send: (text: string) => void = () => undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const lines = jsonLines(stream);
  send("1\n2");
  expect(await lines.next()).toEqual({ done: false, value: 1 });
});
