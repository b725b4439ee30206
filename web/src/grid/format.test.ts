import { Bool, DateDay, Field, Float64, Int64, List, Struct, Utf8, vectorFromArray } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { alignmentOf, cellText, decimalText, timestampText } from "./format";

describe("cellText", () => {
  it("tells null from the text null", () => {
    const values = vectorFromArray(["null", null], new Utf8());
    expect(cellText(values, 0)).toBe("null");
    expect(cellText(values, 1)).toBeNull();
  });

  it("shows all digits of large integers and keeps a float a float", () => {
    expect(cellText(vectorFromArray([9007199254740993n], new Int64()), 0)).toBe("9007199254740993");
    const floats = vectorFromArray([2, 0.1, NaN, Infinity], new Float64());
    expect([0, 1, 2, 3].map((row) => cellText(floats, row))).toEqual(["2.0", "0.1", "NaN", "inf"]);
  });

  it("shows dates of any year, also those that JavaScript has no date for", () => {
    const dates = vectorFromArray([0, 3_000_000, 2_000_000_000].map((day) => day * 86_400_000), new DateDay());
    expect(cellText(dates, 0)).toBe("1970-01-01");
    expect(cellText(dates, 1)).toBe("+010183-09-21");
    expect(() => cellText(dates, 2)).not.toThrow();
  });

  it("shows nested values as JSON", () => {
    const type = new Struct([
      new Field("tags", new List(new Field("item", new Utf8(), true)), true),
      new Field("ok", new Bool(), true),
      new Field("count", new Int64(), true),
    ]);
    const values = vectorFromArray([{ tags: ["a", null], ok: true, count: 3n }], type);
    expect(cellText(values, 0)).toBe('{"tags":["a",null],"ok":true,"count":"3"}');
  });
});

describe("decimalText", () => {
  it("places the point and the sign", () => {
    expect(decimalText(new Uint32Array([12345, 0, 0, 0]), 2)).toBe("123.45");
    expect(decimalText(new Uint32Array([5, 0, 0, 0]), 2)).toBe("0.05");
    expect(decimalText(new Uint32Array([0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]), 2)).toBe("-0.01");
    expect(decimalText(new Uint32Array([7, 0, 0, 0]), 0)).toBe("7");
  });
});

describe("timestampText", () => {
  it("shows fractions of a second only where there are any, down to the microsecond", () => {
    expect(timestampText(Date.UTC(2024, 0, 2, 3, 4, 5))).toBe("2024-01-02 03:04:05");
    expect(timestampText(Date.UTC(2024, 0, 2, 3, 4, 5, 120) + 0.5)).toBe("2024-01-02 03:04:05.1205");
    expect(timestampText(Date.UTC(1960, 0, 1))).toBe("1960-01-01 00:00:00");
  });
});

describe("alignmentOf", () => {
  it("puts numbers to the right and all else to the left", () => {
    expect(["bigint", "decimal(10,2)", "double"].map(alignmentOf)).toEqual(["right", "right", "right"]);
    expect(["string", "date", "array<int>", "interval day"].map(alignmentOf)).toEqual(["left", "left", "left", "left"]);
  });
});
