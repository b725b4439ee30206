import { useCallback, useMemo, useRef, useState } from "react";

/** In command mode keys are commands for the cell; in edit mode they are text. */
export type Mode = "command" | "edit";

export interface Selection {
  handle: string | null;
  mode: Mode;
  /** Changes each time that the focus is to be moved there; 0 while it is only followed. */
  request: number;
}

/** Which cell is selected, and whether it is being typed into. Follows the focus, and moves it when asked. */
export function useSelection() {
  const [selection, setSelection] = useState<Selection>({ handle: null, mode: "command", request: 0 });
  const requests = useRef(0);
  const select = useCallback((handle: string | null, mode: Mode = "command") => {
    setSelection({ handle, mode, request: ++requests.current });
  }, []);
  const follow = useCallback((handle: string, mode: Mode) => {
    setSelection((before) =>
      before.handle === handle && before.mode === mode ? before : { handle, mode, request: 0 },
    );
  }, []);
  return useMemo(() => ({ selection, select, follow }), [selection, select, follow]);
}

export type SelectionControl = ReturnType<typeof useSelection>;
