import { useRef, useState, type KeyboardEvent } from "react";
import { api } from "../api/client";
import { messageOf } from "../api/errors";
import type { Artifact } from "../api/types";
import { notify, notifyError } from "../app/toasts";

/** Where to go: a row, and the first value in doubt there, if it is one. */
export interface Place {
  row: number;
  column: number | null;
}

/** Going from one row with something in doubt to the next. */
export function useMarkedRows({ id, rows, doubt }: Artifact) {
  const [found, setFound] = useState<{ id: string; place: Place } | null>(null);
  const at = useRef<number | null>(null);
  const hasMarks = doubt.coarse || doubt.rows > 0 || Object.keys(doubt.values ?? {}).length > 0;
  const go = async (backwards: boolean) => {
    try {
      const { row, marks } = await api.markedRow(id, at.current ?? (backwards ? (rows ?? 0) : -1), backwards);
      if (row === null) {
        notify(`No row ${backwards ? "above" : "below"} is in doubt.`);
        return;
      }
      const column = marks.find((mark) => mark > 0);
      at.current = row;
      setFound({ id, place: { row, column: column === undefined ? null : column - 1 } });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (!hasMarks || !event.altKey || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    event.stopPropagation();
    void go(event.key === "ArrowUp");
  };
  /** Somebody looks at another row: to go on from there. */
  const leave = (row: number | null) => {
    at.current = row;
  };
  return { place: found?.id === id ? found.place : null, hasMarks, go, leave, onKeyDownCapture };
}
