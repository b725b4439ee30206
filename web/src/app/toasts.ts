import { useSyncExternalStore } from "react";

export interface Toast {
  id: number;
  text: string;
  tone: "plain" | "error";
  action?: { label: string; run: () => void } | undefined;
}

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  listeners.forEach((listener) => listener());
}

/** Tells something in passing, with an optional way back. */
export function notify(text: string, action?: Toast["action"]): void {
  replace([...toasts, { id: ++last, text, tone: "plain", action }]);
}

export function notifyError(text: string): void {
  replace([...toasts.filter((toast) => toast.text !== text), { id: ++last, text, tone: "error" }]);
}

export function dismiss(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
}
