import { API } from "./client";
import type { Event } from "./types";

const FIRST_DELAY = 500;
const LONGEST_DELAY = 15_000;

export interface ChangesListener {
  onChange: (change: Event) => void;
  onConnected: (connected: boolean) => void;
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
    socket.onopen = () => {
      delay = FIRST_DELAY;
      listener.onConnected(true);
    };
    socket.onmessage = (event: MessageEvent<string>) => listener.onChange(JSON.parse(event.data) as Event);
    socket.onclose = () => {
      if (stopped) return;
      listener.onConnected(false);
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
