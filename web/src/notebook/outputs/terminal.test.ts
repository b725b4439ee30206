import { describe, expect, it } from "vitest";
import { collapseReturns, terminalSpans } from "./terminal";

describe("collapseReturns", () => {
  it("leaves what a terminal would show", () => {
    expect(collapseReturns(" 10%\r 50%\r100%\ndone\r\n")).toBe("100%\ndone\n");
    expect(collapseReturns("half\r")).toBe("half");
  });
});

describe("terminalSpans", () => {
  it("turns colours and weight into classes, and resets them", () => {
    expect(terminalSpans("a\u001b[1;31mb\u001b[39mc\u001b[0md")).toEqual([
      { text: "a", classes: "" },
      { text: "b", classes: "ansi-bold ansi-red" },
      { text: "c", classes: "ansi-bold" },
      { text: "d", classes: "" },
    ]);
  });

  it("drops codes that move the cursor", () => {
    expect(terminalSpans("x\u001b[2K\u001b[1Ay").map((span) => span.text)).toEqual(["x", "y"]);
  });
});
