import { X } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { IconButton } from "./Button";
import "./Panel.css";

interface PanelProps extends Pick<ComponentProps<"aside">, "ref"> {
  name: string;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** What lies to the right of the notebook. */
export function Panel({ ref, name, title, onClose, children }: PanelProps) {
  return (
    <aside ref={ref} className="panel" aria-label={name} tabIndex={-1}>
      <header>
        <h2 title={title}>{title}</h2>
        <IconButton label={`Close ${name.toLowerCase()}`} keys="escape" onClick={onClose}>
          <X size={15} />
        </IconButton>
      </header>
      {children}
    </aside>
  );
}

/** On narrow screens a panel lies over the cells, as Panel.css has it. */
export function coversPage(): boolean {
  return window.matchMedia("(max-width: 900px)").matches;
}
