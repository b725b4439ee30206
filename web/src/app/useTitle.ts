import { useEffect } from "react";

/** The browser tab's title while a page is shown. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Trailbook` : "Trailbook";
  }, [title]);
}
