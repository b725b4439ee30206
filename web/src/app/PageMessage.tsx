import type { ReactNode } from "react";
import "./PageMessage.css";

interface MessageProps {
  title: string;
  children?: ReactNode;
}

/** A whole-page message: nothing here yet, not found, something broke. */
export function PageMessage({ title, children }: MessageProps) {
  return (
    <div className="page-message">
      <h1>{title}</h1>
      {children}
    </div>
  );
}
