import type { Theme as GridTheme } from "@glideapps/glide-data-grid";
import { useMemo } from "react";
import { token, useTheme } from "../theme/theme";

/** The canvas can't read CSS variables, so the tokens are read for it, anew for each theme. */
export function useGridTheme(): Partial<GridTheme> {
  const theme = useTheme();
  return useMemo(() => readGridTheme(theme), [theme]);
}

// The theme's name is a parameter because the tokens depend on it.
function readGridTheme(_theme: string): Partial<GridTheme> {
  return {
    accentColor: token("accent"),
    accentFg: token("accent-ink"),
    accentLight: token("accent-soft"),
    textDark: token("ink"),
    textMedium: token("ink-soft"),
    textLight: token("ink-faint"),
    textHeader: token("ink"),
    textHeaderSelected: token("ink"),
    bgCell: token("surface"),
    bgCellMedium: token("sunken"),
    bgHeader: token("sunken"),
    bgHeaderHasFocus: token("hover"),
    bgHeaderHovered: token("hover"),
    borderColor: token("line"),
    horizontalBorderColor: token("line"),
    bgSearchResult: token("stale-soft"),
    fontFamily: token("font-ui"),
    baseFontStyle: "12.5px",
    headerFontStyle: "600 12px",
    markerFontStyle: "11px",
    cellHorizontalPadding: 10,
    cellVerticalPadding: 3,
  };
}
