import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Markdown } from "./Markdown";

it("lets no script and no disguise through", () => {
  const text = `<div class="dialog-overlay" id="root" style="position:fixed" onclick="alert(1)">text</div>
<script>alert(1)</script>

[bad](javascript:alert(1)) [good](https://example.org)`;
  const { container } = render(<Markdown text={text} />);
  expect(screen.getByText("text").getAttributeNames()).toEqual([]);
  expect(container.querySelector("script")).toBeNull();
  expect(screen.getByText("bad").getAttribute("href")).toBeNull();
  const good = screen.getByText("good");
  expect([good.getAttribute("target"), good.getAttribute("rel")]).toEqual(["_blank", "noopener noreferrer"]);
});
