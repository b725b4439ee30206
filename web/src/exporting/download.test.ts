import { expect, it } from "vitest";
import { exportUrl, nameOf, reportUrl } from "./download";

const SHOWN = { branch: "b", number: 3, cell: "c", name: "sales & more", artifact: "0f" };

it("names the file and its options", () => {
  expect(exportUrl(SHOWN, "csv", { delimiter: "\t", header: false })).toBe(
    "/api/v1/artifacts/0f/export/csv?name=sales+%26+more&delimiter=%09&header=false",
  );
});

it("tells by the cell where reasons are found, for formats that have room for them", () => {
  expect(exportUrl(SHOWN, "excel", {})).toContain("branch=b&number=3&cell=c");
  expect(reportUrl(SHOWN)).toBe(
    "/api/v1/branches/b/versions/3/caveats/report?cell=c&name=sales+%26+more&format=markdown",
  );
});

it("calls the file as the server does", () => {
  expect(nameOf("attachment; filename*=UTF-8''sales%20%26%20%C3%A9.csv")).toBe("sales & é.csv");
});
