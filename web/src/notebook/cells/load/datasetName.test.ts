import { expect, it } from "vitest";
import { datasetNameOf, nameOfPlace } from "./datasetName";

it("makes a dataset name from any file name", () => {
  expect(datasetNameOf("Sales (2024).csv")).toBe("sales_2024");
  expect(datasetNameOf("events.jsonl.gz")).toBe("events");
  expect(datasetNameOf("2024.parquet")).toBe("data_2024");
  expect(datasetNameOf("class.csv")).toBe("data_class");
  expect(datasetNameOf("Größe über.csv")).toBe("größe_über");
  expect(datasetNameOf("🚲.csv")).toBe("data");
});

it("makes one from a path or an address", () => {
  expect(nameOfPlace("~/data/Sales 2024.csv")).toBe("sales_2024");
  expect(nameOfPlace("C:\\data\\x.csv")).toBe("x");
  expect(nameOfPlace("https://x.org/a/rates.csv?year=1#top")).toBe("rates");
  expect(nameOfPlace("https://x.org/a/")).toBe("");
});
