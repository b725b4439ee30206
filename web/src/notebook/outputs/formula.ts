import katex from "katex";

const LONGEST = 20_000;

/** A formula in TeX as MathML, or as it is if it can't be set. */
export function formulaHtml(tex: string, display: boolean): string {
  try {
    if (tex.length > LONGEST) return asWritten(tex);
    const html = katex.renderToString(tex, { displayMode: display, output: "mathml", strict: "ignore" });
    // The source beside the formula, which only some programs look for, would be shown as text.
    return html.replace(/<annotation[^]*<\/annotation>/, "");
  } catch {
    return asWritten(tex);
  }
}

function asWritten(tex: string): string {
  const text = document.createElement("code");
  text.textContent = tex;
  return text.outerHTML;
}
