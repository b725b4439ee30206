import { Marked, type TokenizerAndRendererExtension } from "marked";
import { formulaHtml } from "./formula";
import { MarkedText } from "./Markdown";

const BLOCK = /^\$\$([^$]+)\$\$(?:\n|$)/;
/** As in Jupyter, "$5 and $6" is money: a formula begins and ends with something other than space, and no digit follows. */
const INLINE = /^\$\$([^$]+)\$\$|^\$(?!\s)((?:\\[\s\S]|[^$\\\n])+?)(?<!\s)\$(?!\d)/;

function formulas(name: string, level: "block" | "inline", pattern: RegExp): TokenizerAndRendererExtension {
  // What a paragraph may be cut off by stands at the start of a line.
  const begins = level === "block" ? /(?<=^|\n)\$\$/ : /\$/;
  return {
    name,
    level,
    start: (text) => {
      const at = text.search(begins);
      return at < 0 ? undefined : at;
    },
    tokenizer: (text) => {
      const found = pattern.exec(text);
      if (!found) return undefined;
      return { type: name, raw: found[0], tex: found[1] ?? found[2], display: found[1] !== undefined };
    },
    renderer: ({ tex, display }) => formulaHtml(String(tex), Boolean(display)),
  };
}

const marked = new Marked({
  gfm: true,
  breaks: false,
  extensions: [formulas("formula", "block", BLOCK), formulas("inlineFormula", "inline", INLINE)],
});

/** Markdown with formulas. */
export default function MathMarkdown({ text }: { text: string }) {
  return <MarkedText text={text} marked={marked} />;
}
