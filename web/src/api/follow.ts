import { API } from "./client";
import type { Event } from "./types";

const FIRST_DELAY = 500;
const LONGEST_DELAY = 15_000;
const POLICY_VIOLATION = 1008;

export interface ChangesListener {
  onChange: (change: Event) => void;
  onConnected: (connected: boolean) => void;
  /** The server does not let this browser in, or knows no such branch (any more). */
  onRefused: () => void;
}

/** Follows a branch until the returned function is called; reconnects with growing pauses. */
export function followBranch(branch: string, listener: ChangesListener): () => void {
  let socket: WebSocket | undefined;
  let timer: number | undefined;
  let delay = FIRST_DELAY;
  let stopped = false;

  function connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}${API}/branches/${branch}/changes`);
    socket.onmessage = (event: MessageEvent<string>) => {
      if (stopped) return;
      // Whom the server refuses it lets in first, to say so: only a message is a success.
      delay = FIRST_DELAY;
      listener.onConnected(true);
      listener.onChange(JSON.parse(event.data) as Event);
    };
    socket.onclose = ({ code }) => {
      if (stopped) return;
      listener.onConnected(false);
      if (code === POLICY_VIOLATION) listener.onRefused();
      timer = window.setTimeout(connect, delay);
      delay = Math.min(delay * 2, LONGEST_DELAY);
    };
  }

  connect();
  return () => {
    stopped = true;
    window.clearTimeout(timer);
    socket?.close();
  };
}
