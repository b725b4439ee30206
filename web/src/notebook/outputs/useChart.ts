import { useEffect, useRef, useState } from "react";
import { messageOf } from "../../api/errors";

/** Draws into an element, and tells what it has to leave out. Gives the function that takes the drawing away. */
export type Draw = (element: HTMLElement, tell: (problem: string) => void) => Promise<() => void>;

/** An element that `draw` draws into, again whenever it is another function, and what went wrong. */
export function useChart(draw: Draw) {
  const element = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    const tell = (problem: string | null) => {
      if (current) setProblem(problem);
    };
    const place = document.createElement("div");
    element.current?.replaceChildren(place);
    tell(null);
    const drawn = draw(place, tell);
    drawn.catch((error: unknown) => tell(`This chart can’t be drawn: ${messageOf(error)}`));
    return () => {
      current = false;
      void drawn.then((end) => end()).catch(() => undefined);
    };
  }, [draw]);
  return { element, problem };
}
