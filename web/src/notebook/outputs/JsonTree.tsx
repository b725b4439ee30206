/** JSON that folds: objects and lists open one level deep. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className="json-tree">
      <Node value={value} depth={0} />
    </div>
  );
}

interface NodeProps {
  name?: string;
  value: unknown;
  depth: number;
}

function Node({ name, value, depth }: NodeProps) {
  const label = name === undefined ? null : <span className="json-name">{name}: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <div>
        {label}
        <span className={`json-${value === null ? "null" : typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    );
  }
  const entries: [string, unknown][] = Object.entries(value);
  const summary = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={depth < 2}>
      <summary>
        {label}
        <span className="json-size">{summary}</span>
      </summary>
      <div className="json-children">
        {entries.map(([key, child]) => (
          <Node key={key} name={key} value={child} depth={depth + 1} />
        ))}
      </div>
    </details>
  );
}
