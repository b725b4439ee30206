/** How something that a cell showed is drawn. */
export type Form = "changes" | "vega" | "plotly" | "svg" | "image" | "html" | "markdown" | "latex" | "json" | "text";

/** Richest first: the first that fits a media type on offer is the one shown. */
const FORMS: readonly (readonly [Form, RegExp])[] = [
  ["changes", /^application\/vnd\.trailbook\.changes\+json$/],
  ["vega", /^application\/vnd\.vega(lite)?\.v\d[\d.]*[+.]json$/],
  ["plotly", /^application\/vnd\.plotly\.v\d+\+json$/],
  ["svg", /^image\/svg\+xml$/],
  ["image", /^image\/(png|jpeg|gif|webp)$/],
  ["html", /^text\/html$/],
  ["markdown", /^text\/markdown$/],
  ["latex", /^text\/latex$/],
  ["json", /^application\/(json|geo\+json)$/],
  ["text", /^text\/plain$/],
];
/** What Bokeh leaves in notebooks: code for a page that has already loaded Bokeh. */
const BOKEH = /^application\/vnd\.bokehjs_/;

export interface Choice {
  form: Form;
  type: string;
}

/** The media type to show of those on offer, and how; nothing if none can be shown. */
export function bestOf(types: readonly string[]): Choice | null {
  if (types.some((type) => BOKEH.test(type))) return null;
  for (const [form, pattern] of FORMS) {
    const type = types.find((candidate) => pattern.test(candidate));
    if (type !== undefined) return { form, type };
  }
  return null;
}

/** Why none can be shown. */
export function whyNone(types: readonly string[]): string {
  if (types.some((type) => BOKEH.test(type))) return "This chart was drawn by Bokeh elsewhere. Run the cell to see it.";
  return `${types.join(", ")} can’t be shown here.`;
}

export function isJson(form: Form): boolean {
  return form === "changes" || form === "vega" || form === "plotly" || form === "json";
}
