import { API } from "../../api/client";
import type { DisplayMessage } from "../../api/types";
import { InlineHtml, ServedHtml } from "./HtmlOutput";
import { JsonTree } from "./JsonTree";
import { Markdown } from "./Markdown";

/** Richest first: the first media type that a display offers is the one shown. */
const PREFERENCE = [
  "image/svg+xml",
  "image/png",
  "image/jpeg",
  "image/gif",
  "text/html",
  "text/markdown",
  "application/json",
  "text/plain",
] as const;

type MediaType = (typeof PREFERENCE)[number];

interface DisplayOutputProps {
  message: DisplayMessage;
}

/** One thing that a cell showed, in the best form there is. */
export function DisplayOutput({ message: { data = {}, artifacts = {} } }: DisplayOutputProps) {
  const type = PREFERENCE.find((candidate) => candidate in artifacts || candidate in data);
  if (!type) return <pre className="output-text">{Object.keys(data).join(", ")} can't be shown here.</pre>;
  const artifact = artifacts[type];
  const plain = data["text/plain"];
  const description = typeof plain === "string" ? plain : "Image that the cell showed";
  if (artifact) return <Served type={type} artifact={artifact} description={description} />;
  return <Inline type={type} value={data[type]} description={description} />;
}

interface ServedProps {
  type: MediaType;
  artifact: string;
  description: string;
}

function Served({ type, artifact, description }: ServedProps) {
  const url = `${API}/artifacts/${artifact}/content`;
  if (type.startsWith("image/")) return <img className="output-image" src={url} alt={description} />;
  return <ServedHtml url={url} />;
}

interface InlineProps {
  type: MediaType;
  value: unknown;
  description: string;
}

function Inline({ type, value, description }: InlineProps) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  switch (type) {
    case "image/svg+xml":
      return <img className="output-image" src={`data:${type},${encodeURIComponent(text)}`} alt={description} />;
    case "image/png":
    case "image/jpeg":
    case "image/gif":
      return <img className="output-image" src={`data:${type};base64,${text}`} alt={description} />;
    case "text/html":
      return <InlineHtml html={text} />;
    case "text/markdown":
      return <Markdown text={text} />;
    case "application/json":
      return <JsonTree value={value} />;
    case "text/plain":
      return <pre className="output-text">{text}</pre>;
  }
}
