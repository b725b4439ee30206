import type { Theme as GridTheme } from "@glideapps/glide-data-grid";
import { token, useTheme, type Theme } from "../theme/theme";

/** The colour of doubt, for signs and for backgrounds. */
export interface DoubtColours {
  ink: string;
  soft: string;
}

interface Look {
  grid: Partial<GridTheme>;
  doubt: DoubtColours;
}

const known = new Map<Theme, Look>();

/** The canvas can't read CSS variables, so the tokens are read for it, once for each theme. */
export function useLook(): Look {
  const theme = useTheme();
  const look = known.get(theme) ?? { grid: readGridTheme(), doubt: { ink: token("doubt"), soft: token("doubt-soft") } };
  known.set(theme, look);
  return look;
}

function readGridTheme(): Partial<GridTheme> {
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
