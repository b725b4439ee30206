import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { dismiss, useToasts } from "./toasts";
import "./Toasts.css";

const SHORT = 6000;
const LONG = 12_000;

export function Toasts() {
  return (
    <Radix.Provider swipeDirection="right">
      {useToasts().map((toast) => (
        <Radix.Root
          key={toast.id}
          className={`toast toast-${toast.tone}`}
          duration={toast.tone === "error" || toast.action ? LONG : SHORT}
          type={toast.tone === "error" ? "foreground" : "background"}
          onOpenChange={(open) => !open && dismiss(toast.id)}
        >
          <Radix.Description className="toast-text">{toast.text}</Radix.Description>
          {toast.action && (
            <Radix.Action className="toast-action" altText={toast.action.label} onClick={toast.action.run}>
              {toast.action.label}
            </Radix.Action>
          )}
          <Radix.Close className="icon-button" aria-label="Dismiss">
            <X size={14} />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="toasts" />
    </Radix.Provider>
  );
}
