import { useMemo } from "react";
import { formulaHtml } from "./formula";
import { harmless } from "./harmless";

const MATH = /\$\$([^]+?)\$\$|\$([^$]+)\$|\\\[([^]+?)\\\]|\\\(([^]+?)\\\)|(\\begin\{(\w+\*?)\}[^]*?\\end\{\6\})/g;

/** LaTeX that a cell showed: its formulas are set, what is between them is text. */
export default function Latex({ text }: { text: string }) {
  const html = useMemo(() => harmless(latexHtml(text)), [text]);
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}

function latexHtml(text: string): string {
  const between = document.createElement("span");
  const parts: string[] = [];
  let from = 0;
  const push = (until: number) => {
    between.textContent = text.slice(from, until);
    parts.push(between.innerHTML);
  };
  for (const found of text.matchAll(MATH)) {
    push(found.index);
    from = found.index + found[0].length;
    const [, block, inline, bracketed, rounded, environment] = found;
    const display = block ?? bracketed ?? environment;
    parts.push(formulaHtml(display ?? inline ?? rounded ?? "", display !== undefined));
  }
  push(text.length);
  return parts.join("");
}
