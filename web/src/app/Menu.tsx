import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Keys } from "./Keys";
import "./Menu.css";

interface MenuProps {
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  children: ReactNode;
}

export function Menu({ trigger, align = "start", children }: MenuProps) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          // Keys typed into the menu are for the menu, not for the notebook underneath.
          onKeyDown={(event) => event.stopPropagation()}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  keys?: string | undefined;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, keys, danger = false, disabled = false, onSelect, children }: MenuItemProps) {
  const className = danger ? "menu-item menu-danger" : "menu-item";
  return (
    <DropdownMenu.Item className={className} disabled={disabled} onSelect={onSelect}>
      {icon}
      {children}
      {keys && <Keys keys={keys} />}
    </DropdownMenu.Item>
  );
}

interface MenuCheckProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** An item that is so or not. */
export function MenuCheck({ checked, onChange, children }: MenuCheckProps) {
  return (
    <DropdownMenu.CheckboxItem className="menu-item" checked={checked} onCheckedChange={onChange}>
      <span className="menu-check">{checked && <Check size={14} aria-hidden />}</span>
      {children}
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuLine() {
  return <DropdownMenu.Separator className="menu-line" />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="menu-label">{children}</DropdownMenu.Label>;
}
