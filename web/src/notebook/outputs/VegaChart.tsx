import { useCallback } from "react";
import embed, { type VisualizationSpec } from "vega-embed";
import { token, useTheme } from "../../theme/theme";
import { useChart } from "./useChart";

const ERRORS_ONLY = 1;

/** A chart brings its data along. What it asks for beyond that is not fetched: it could be anything of this server. */
function nothingLoaded(tell: (problem: string) => void) {
  const load = (uri: string) => {
    tell(`${uri} is not loaded. Put the data itself into the chart.`);
    return Promise.reject(new Error(uri));
  };
  const sanitize = (uri: string) => {
    if (/^data:image\//i.test(uri)) return Promise.resolve({ href: uri });
    if (/^https?:/i.test(uri)) return Promise.resolve({ href: uri, target: "_blank", rel: "noopener noreferrer" });
    return load(uri);
  };
  return { options: {}, load, sanitize, http: load, file: load };
}

/** A Vega or Vega-Lite chart. Its expressions are interpreted, never evaluated as code. */
export default function VegaChart({ type, spec }: { type: string; spec: unknown }) {
  const theme = useTheme();
  const draw = useCallback(
    async (element: HTMLElement, tell: (problem: string) => void) => {
      // Options that the chart itself names would count more than those given here.
      const chart = { ...(spec as VisualizationSpec), usermeta: {} };
      const view = await embed(element, chart, {
        mode: type.includes("vegalite") ? "vega-lite" : "vega",
        ast: true,
        loader: nothingLoaded(tell),
        actions: { export: true, source: false, compiled: false, editor: false },
        config: colours(),
        downloadFileName: "chart",
        logLevel: ERRORS_ONLY,
      });
      return () => view.finalize();
    },
    // Colours are looked up anew in another theme.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [type, spec, theme],
  );
  const { element, problem } = useChart(draw);
  return (
    <>
      <div ref={element} className="output-chart" />
      {problem && <p className="output-note">{problem}</p>}
    </>
  );
}

function colours() {
  const [ink, soft, line] = [token("ink"), token("ink-soft"), token("line")];
  const words = { labelColor: soft, titleColor: ink };
  return {
    background: "transparent",
    view: { stroke: line },
    axis: { ...words, domainColor: line, gridColor: line, tickColor: line },
    legend: words,
    header: words,
    title: { color: ink, subtitleColor: soft },
  };
}
