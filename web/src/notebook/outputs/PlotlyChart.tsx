import Plotly, { type Figure } from "plotly.js-strict-dist-min";
import { useCallback } from "react";
import { useChart } from "./useChart";

/** A chart as Plotly describes it. How it may be sent elsewhere, which it could say too, is left out. */
export default function PlotlyChart({ figure }: { figure: unknown }) {
  const draw = useCallback(
    async (element: HTMLElement) => {
      const { data, layout, frames } = figure as Figure;
      await Plotly.newPlot(element, { data, layout, frames, config: { responsive: true, displaylogo: false } });
      return () => Plotly.purge(element);
    },
    [figure],
  );
  const { element, problem } = useChart(draw);
  return (
    <>
      <div ref={element} className="output-chart output-plotly" />
      {problem && <p className="output-note">{problem}</p>}
    </>
  );
}
