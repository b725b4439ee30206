/** All that one cell reads of another. */
export interface Pair {
  writer: string;
  reader: string;
  names: string[];
  observed: boolean;
}

/** What stands in each layer, from left to right: cells, and the lines that only pass through.
 *
 * A cell is below all that it reads from. A layer is ordered by what its members come from, so that few lines cross. */
export function layersOf(handles: readonly string[], pairs: readonly Pair[]): string[][] {
  const depth = depthsOf(handles, pairs);
  const layers: string[][] = [];
  for (const handle of handles) (layers[depth.get(handle) ?? 0] ??= []).push(handle);
  const sources = new Map<string, string[]>();
  for (const pair of pairs) {
    const last = depth.get(pair.reader) ?? 0;
    let source = pair.writer;
    for (let layer = (depth.get(pair.writer) ?? 0) + 1; layer <= last; layer++) {
      const stop = layer === last ? pair.reader : passing(pair, layer);
      if (layer < last) layers[layer]?.push(stop);
      sources.set(stop, [...(sources.get(stop) ?? []), source]);
      source = stop;
    }
  }
  return ordered(layers, sources);
}

/** What a line goes through, from its writer to its reader. */
export function stopsOf(pair: Pair, layers: readonly string[][]): string[] {
  const row = (stop: string) => layers.findIndex((layer) => layer.includes(stop));
  const [first, last] = [row(pair.writer), row(pair.reader)];
  const between = Array.from({ length: last - first - 1 }, (_, index) => passing(pair, first + 1 + index));
  return [pair.writer, ...between, pair.reader];
}

function passing({ writer, reader }: Pair, layer: number): string {
  return `${writer} ${reader} ${layer}`;
}

function depthsOf(handles: readonly string[], pairs: readonly Pair[]): Map<string, number> {
  const depth = new Map<string, number>();
  for (const handle of handles) {
    const above = pairs.filter((pair) => pair.reader === handle).map((pair) => depth.get(pair.writer) ?? 0);
    depth.set(handle, above.length > 0 ? Math.max(...above) + 1 : 0);
  }
  return depth;
}

function ordered(layers: readonly string[][], sources: ReadonlyMap<string, string[]>): string[][] {
  const column = new Map<string, number>();
  const wish = (stop: string) => {
    const columns = (sources.get(stop) ?? []).map((source) => column.get(source) ?? 0);
    return columns.length > 0 ? columns.reduce((sum, one) => sum + one, 0) / columns.length : 0;
  };
  return layers.map((layer) => {
    const sorted = layer.toSorted((a, b) => wish(a) - wish(b));
    sorted.forEach((stop, index) => column.set(stop, index - (sorted.length - 1) / 2));
    return sorted;
  });
}
