import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { API } from "../../api/client";
import { errorFrom, messageOf } from "../../api/errors";
import type { DisplayMessage } from "../../api/types";
import { changesIn } from "./changes";
import { ChangesOutput } from "./ChangesOutput";
import { bestOf, isJson, whyNone, type Choice } from "./forms";
import { InlineHtml, ServedHtml } from "./HtmlOutput";
import { JsonTree } from "./JsonTree";
import { Markdown } from "./Markdown";

const VegaChart = lazy(() => import("./VegaChart"));
const PlotlyChart = lazy(() => import("./PlotlyChart"));
const Latex = lazy(() => import("./Latex"));

interface DisplayOutputProps {
  message: DisplayMessage;
}

/** One thing that a cell showed, in the best form there is. */
export function DisplayOutput({ message: { data = {}, artifacts = {} } }: DisplayOutputProps) {
  const types = [...Object.keys(artifacts), ...Object.keys(data)];
  const choice = bestOf(types);
  if (!choice) return <p className="output-note">{whyNone(types)}</p>;
  const artifact = artifacts[choice.type];
  const plain = data["text/plain"];
  const description = typeof plain === "string" ? plain : "Image that the cell showed";
  return (
    <Suspense fallback={<div className="output-pending" />}>
      {artifact ? (
        <Served choice={choice} artifact={artifact} description={description} />
      ) : (
        <Inline choice={choice} value={data[choice.type]} description={description} />
      )}
    </Suspense>
  );
}

interface ServedProps {
  choice: Choice;
  artifact: string;
  description: string;
}

function Served({ choice, artifact, description }: ServedProps) {
  const url = `${API}/artifacts/${artifact}/content`;
  switch (choice.form) {
    case "svg":
    case "image":
      return <img className="output-image" src={url} alt={description} />;
    case "html":
      return <ServedHtml url={url} />;
    default:
      return <ServedText choice={choice} url={url} description={description} />;
  }
}

/** A text too long to come with its message. */
function ServedText({ choice, url, description }: { choice: Choice; url: string; description: string }) {
  const { data, error } = useQuery({ queryKey: ["content", url], queryFn: () => textAt(url), staleTime: Infinity });
  if (error) return <p className="output-note">{messageOf(error)}</p>;
  if (data === undefined) return <div className="output-pending" />;
  const value: unknown = isJson(choice.form) ? JSON.parse(data) : data;
  return <Inline choice={choice} value={value} description={description} />;
}

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw errorFrom(response.status, await response.json().catch(() => undefined));
  return response.text();
}

interface InlineProps {
  choice: Choice;
  value: unknown;
  description: string;
}

function Inline({ choice: { form, type }, value, description }: InlineProps) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  switch (form) {
    case "changes": {
      const changes = changesIn(value);
      return changes ? <ChangesOutput changes={changes} words={description} /> : <JsonTree value={value} />;
    }
    case "vega":
      return <VegaChart type={type} spec={value} />;
    case "plotly":
      return <PlotlyChart figure={value} />;
    case "svg":
      return <img className="output-image" src={`data:${type},${encodeURIComponent(text)}`} alt={description} />;
    case "image":
      return <img className="output-image" src={`data:${type};base64,${text}`} alt={description} />;
    case "html":
      return <InlineHtml html={text} />;
    case "markdown":
      return <Markdown text={text} />;
    case "latex":
      return <Latex text={text} />;
    case "json":
      return <JsonTree value={value} />;
    case "text":
      return <pre className="output-text">{text}</pre>;
  }
}
