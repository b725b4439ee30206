import { Tooltip } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { Keys } from "./Keys";
import "./Button.css";

interface ButtonProps extends ComponentProps<"button"> {
  tone?: "plain" | "primary" | "danger";
}

export function Button({ tone = "plain", className = "", ...rest }: ButtonProps) {
  return <button type="button" className={`button button-${tone} ${className}`} {...rest} />;
}

interface IconButtonProps extends ComponentProps<"button"> {
  label: string;
  /** The key that does the same, as in commands.ts. */
  keys?: string | undefined;
  /** What the tooltip says, if it is more than the label. */
  hint?: string | undefined;
  children: ReactNode;
}

/** A button that shows an icon; its label and key are in the tooltip. */
export function IconButton({ label, keys, hint = label, className = "", children, ...rest }: IconButtonProps) {
  return (
    <Hint label={hint} keys={keys}>
      <button type="button" aria-label={label} className={`icon-button ${className}`} {...rest}>
        {children}
      </button>
    </Hint>
  );
}

interface HintProps {
  label: string;
  keys?: string | undefined;
  children: ReactNode;
}

/** A tooltip around one focusable element. */
export function Hint({ label, keys, children }: HintProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tooltip" sideOffset={5} collisionPadding={8}>
          {label}
          {keys && <Keys keys={keys} />}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
