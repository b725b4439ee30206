import { useRef, useState } from "react";
import { token, useTheme } from "../../theme/theme";

const TALLEST = 480;

/** HTML that a cell showed, in a frame where scripts never run; so the frame may be measured from outside. */
export function InlineHtml({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(40);
  useTheme();
  const measure = () => {
    const content = frame.current?.contentDocument?.body;
    if (content) setHeight(Math.min(Math.ceil(content.getBoundingClientRect().height), TALLEST));
  };
  return (
    <iframe
      ref={frame}
      className="output-frame"
      title="HTML output"
      sandbox="allow-same-origin"
      srcDoc={frameStyle() + html}
      style={{ height }}
      onLoad={measure}
    />
  );
}

/** HTML with a life of its own (scripts included), served from its artifact as a foreign origin. */
export function ServedHtml({ url }: { url: string }) {
  return <iframe className="output-frame output-frame-served" title="HTML output" sandbox="allow-scripts" src={url} />;
}

function frameStyle(): string {
  return `<!doctype html><style>
    :root { color-scheme: ${document.documentElement.dataset.theme ?? "light"} }
    body { display: flow-root; margin: 0; background: ${token("page")}; color: ${token("ink")}; font: 13px/1.5 ${token("font-ui")} }
    table { border-collapse: collapse; border: 0; font-size: 12.5px; font-variant-numeric: tabular-nums }
    th, td { padding: 3px 10px; border: 1px solid ${token("line")}; text-align: right }
    thead th { background: ${token("sunken")} }
  </style>`;
}
