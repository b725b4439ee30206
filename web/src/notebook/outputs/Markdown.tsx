import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useMemo } from "react";
import "./Markdown.css";

const marked = new Marked({ gfm: true, breaks: false });

const purify = DOMPurify();
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

const LEFT_OUT = { FORBID_TAGS: ["style", "form"], FORBID_ATTR: ["style", "class", "id"] };

/** Markdown as HTML that can do no harm: scripts, forms, and whatever could pass for a part of the app are left out. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => purify.sanitize(marked.parse(text, { async: false }), LEFT_OUT), [text]);
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
