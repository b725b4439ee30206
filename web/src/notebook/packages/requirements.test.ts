import { expect, it } from "vitest";
import { lockedVersion, packageName, withPackage } from "./requirements";

it("finds a package by its name, however that is spelt", () => {
  expect(packageName("Scikit_Learn>=1.5")).toBe("scikit-learn");
  expect(packageName("tiny @ file:///tmp/tiny.whl")).toBe("tiny");
  expect(lockedVersion("scikit-learn>1", ["numpy==2.4.0", "scikit_learn==1.7.2"])).toBe("1.7.2");
  expect(lockedVersion("scikit", ["scikit_learn==1.7.2"])).toBeNull();
});

it("names a package once", () => {
  expect(withPackage(["a", "b>1"], "B==2 ")).toEqual(["a", "B==2"]);
});
