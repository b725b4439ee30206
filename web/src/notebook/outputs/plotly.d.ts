declare module "plotly.js-strict-dist-min" {
  export interface Figure {
    data?: unknown[];
    layout?: Record<string, unknown>;
    frames?: unknown[];
  }

  const Plotly: {
    newPlot(element: HTMLElement, figure: Figure & { config: Record<string, unknown> }): Promise<unknown>;
    purge(element: HTMLElement): void;
  };
  export default Plotly;
}
