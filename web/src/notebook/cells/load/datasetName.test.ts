import { expect, it } from "vitest";
import { datasetNameOf } from "./datasetName";

it("makes a dataset name from any file name", () => {
  expect(datasetNameOf("Sales (2024).csv")).toBe("sales_2024");
  expect(datasetNameOf("events.jsonl.gz")).toBe("events");
  expect(datasetNameOf("2024.parquet")).toBe("data_2024");
  expect(datasetNameOf("class.csv")).toBe("data_class");
  expect(datasetNameOf("Größe über.csv")).toBe("größe_über");
  expect(datasetNameOf("🚲.csv")).toBe("data");
});
