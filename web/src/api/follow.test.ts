import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { followBranch } from "./follow";

class Socket {
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;
  close = vi.fn();
  constructor() {
    sockets.push(this);
  }
}

let sockets: Socket[];

beforeEach(() => {
  sockets = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
});

afterEach(() => vi.useRealTimers());

const listener = () => ({ onChange: vi.fn(), onConnected: vi.fn(), onRefused: vi.fn() });

it("waits longer each time that the server refuses it", () => {
  const refused = listener();
  followBranch("b", refused);
  for (const delay of [500, 1000, 2000]) {
    const count = sockets.length;
    sockets.at(-1)?.onclose?.({ code: 1008 });
    vi.advanceTimersByTime(delay - 1);
    expect(sockets).toHaveLength(count);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(count + 1);
  }
  expect(refused.onRefused).toHaveBeenCalledTimes(3);
});

it("tells nothing more once it is stopped", () => {
  const left = listener();
  followBranch("b", left)();
  sockets[0]?.onmessage?.({ data: "{}" });
  sockets[0]?.onclose?.({ code: 1000 });
  expect(left.onChange).not.toHaveBeenCalled();
  expect(left.onConnected).not.toHaveBeenCalled();
});
