import { Link } from "wouter";
import "./Brand.css";

/** The mark; it leads to the list of projects. */
export function Brand({ compact = false }: { compact?: boolean }) {
  return (
    <Link href="/" className="brand" aria-label="Trailbook, all projects">
      <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden>
        <rect width="32" height="32" rx="7" className="brand-tile" />
        <path d="M9 24V12a4 4 0 0 1 4-4h1m9 0v12a4 4 0 0 1-4 4h-1" className="brand-trail" />
        <circle cx="16" cy="16" r="2.4" className="brand-dot" />
      </svg>
      {!compact && <span>Trailbook</span>}
    </Link>
  );
}
