import { useQuery } from "@tanstack/react-query";
import { API } from "../../api/client";
import { errorFrom, messageOf } from "../../api/errors";
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
  return type === "text/html" ? <ServedHtml url={url} /> : <ServedText type={type} url={url} />;
}

/** A text too long to come with its message. */
function ServedText({ type, url }: { type: MediaType; url: string }) {
  const { data, error } = useQuery({ queryKey: ["content", url], queryFn: () => textAt(url), staleTime: Infinity });
  if (error) return <p className="output-note">{messageOf(error)}</p>;
  if (data === undefined) return <div className="output-pending" />;
  const value: unknown = type === "application/json" ? JSON.parse(data) : data;
  return <Inline type={type} value={value} description="" />;
}

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw errorFrom(response.status, await response.json().catch(() => undefined));
  return response.text();
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
