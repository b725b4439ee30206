import { expect, it } from "vitest";
import { placeText, readText } from "./summary";

const CSV = { name: "csv", title: "CSV", extensions: [".csv"], options: {} };

it("says where the data comes from", () => {
  expect(placeText({ file: "f", file_name: "a.csv" })).toBe("a.csv");
  expect(placeText({ path: "/a.csv" })).toBe("/a.csv");
  expect(placeText({ database: "shop", table: "orders" })).toBe("orders in shop");
  expect(placeText({ database: "shop", query: "SELECT 1" })).toBe("a query in shop");
  expect(placeText({ published: "rates", edition: 0 })).toBe("rates, the newest edition");
  expect(placeText({ published: "rates", edition: 3 })).toBe("rates, edition 3");
});

it("says how it is read once that is settled", () => {
  expect(readText({ path: "/a.csv", format: "auto" }, [CSV])).toBe("");
  expect(readText({ path: "/a.zip", format: "csv", member: "b.csv", options: { header: true } }, [CSV])).toBe(
    "b.csv · CSV; header",
  );
});
