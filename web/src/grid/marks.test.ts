import { Int32, Int64, Table, vectorFromArray } from "apache-arrow";
import { expect, it } from "vitest";
import { marksIn } from "./marks";
import { PAGE_SIZE } from "./pages";

function pageOf(width: number, ...words: bigint[][]) {
  const data = Array.from({ length: width }, (_, index) => [`c${index}`, vectorFromArray([0n, 0n], new Int64())]);
  const masks = words.map((word, index) => [`__mask${index || ""}`, vectorFromArray(word, new Int64())]);
  return new Table(Object.fromEntries([...data, ...masks]) as Record<string, ReturnType<typeof vectorFromArray>>);
}

const cacheOf = (page: Table) => ({ get: (number: number) => (number === 0 ? page : undefined) });

it("reads the row's mark from the first bit, and each column's from the bit after its place", () => {
  const marks = marksIn(cacheOf(pageOf(2, [0b101n, 0b010n])), 2);
  expect([marks.ofRow(0), marks.ofValue(0, 0), marks.ofValue(0, 1)]).toEqual([true, false, true]);
  expect([marks.ofRow(1), marks.ofValue(1, 0), marks.ofValue(1, 1)]).toEqual([false, true, false]);
});

it("goes on in a second word after 62 bits", () => {
  const marks = marksIn(cacheOf(pageOf(70, [1n << 61n, 0n], [0b1n, 1n << 8n])), 70);
  expect([60, 61, 62].map((column) => marks.ofValue(0, column))).toEqual([true, true, false]);
  expect(marks.ofValue(1, 69)).toBe(true);
});

it("reads narrower words, too", () => {
  const page = new Table({ a: vectorFromArray([1n], new Int64()), __mask: vectorFromArray([0b10], new Int32()) });
  expect(marksIn(cacheOf(page), 1).ofValue(0, 0)).toBe(true);
});

it("finds no mark in data that comes without, nor in pages that are not there", () => {
  const marks = marksIn(cacheOf(pageOf(2)), 2);
  expect([marks.ofRow(0), marks.ofValue(0, 1), marks.ofRow(PAGE_SIZE)]).toEqual([false, false, false]);
});
