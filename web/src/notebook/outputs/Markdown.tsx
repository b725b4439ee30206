import { Marked } from "marked";
import { lazy, Suspense, useMemo } from "react";
import { harmless } from "./harmless";
import "./Markdown.css";

const MathMarkdown = lazy(() => import("./MathMarkdown"));
const marked = new Marked({ gfm: true, breaks: false });

/** Markdown as HTML that can do no harm; formulas between dollar signs are set once their typesetter is loaded. */
export function Markdown({ text }: { text: string }) {
  const plain = <MarkedText text={text} marked={marked} />;
  if (!text.includes("$")) return plain;
  return (
    <Suspense fallback={plain}>
      <MathMarkdown text={text} />
    </Suspense>
  );
}

export function MarkedText({ text, marked }: { text: string; marked: Marked }) {
  const html = useMemo(() => harmless(marked.parse(text, { async: false })), [text, marked]);
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
