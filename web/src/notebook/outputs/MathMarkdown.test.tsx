import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import Latex from "./Latex";
import MathMarkdown from "./MathMarkdown";

afterEach(cleanup);

it("sets formulas, in their paragraph or apart, and leaves money alone", () => {
  const text = "Some $E=mc^2$ for $5 and $6.\n\n$$\n\\sum_i i\n$$\n\nAnd `$code$`, $\\frac{1}{2}$";
  const { container } = render(<MathMarkdown text={text} />);
  const formulas = [...container.querySelectorAll("math")];
  expect(formulas.map((formula) => formula.getAttribute("display"))).toEqual([null, "block", null]);
  expect(container.textContent).toContain("for $5 and $6.");
  expect(container.querySelector("code")?.textContent).toBe("$code$");
  expect(container.textContent).not.toContain("frac");
});

it("lets no formula bring in links, styles or scripts", () => {
  const text = String.raw`$\href{javascript:alert(1)}{x}$ $\htmlStyle{position:fixed}{y}$ $<img src=x onerror=alert(1)>$`;
  const { container } = render(<MathMarkdown text={text} />);
  expect(container.querySelectorAll("a, img, [style], [onerror]").length).toBe(0);
});

it("sets the formulas of LaTeX, and shows what it can't set as it is", () => {
  const { container } = render(<Latex text={"Mean: $\\bar{x}$ <b>not bold</b> $\\nonsense{$"} />);
  expect(container.querySelectorAll("math").length).toBe(1);
  expect(container.querySelector("b")).toBeNull();
  expect(container.querySelector("code")?.textContent).toBe("\\nonsense{");
});
