import { expect, it } from "vitest";
import { workText } from "./work";

const numberOf = (handle: string) => Number(handle);
const reruns = (...numbers: number[]) => numbers.map((number) => ({ handle: String(number), seconds: 14 }));

it("names the cells that would run, and how long they took together", () => {
  expect(workText(reruns(3), numberOf)).toBe("cell 3: 14 s last time");
  expect(workText(reruns(3, 4, 7), numberOf)).toBe("cells 3, 4 and 7: 42 s last time");
});

it("counts cells that are too many to be named", () => {
  expect(workText(reruns(1, 2, 3, 4, 5, 6, 7), numberOf)).toBe("7 cells: 1 min 38 s last time");
});

it("says nothing of times that nobody knows", () => {
  expect(workText([{ handle: "2", seconds: null }], numberOf)).toBe("cell 2");
});
