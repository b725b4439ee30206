import { GridCellKind, type GridCell, type Theme } from "@glideapps/glide-data-grid";
import { token } from "../theme/theme";
import { alignmentOf, isFigure } from "./format";

const LONGEST = 300;

export const LOADING: GridCell = {
  kind: GridCellKind.Loading,
  allowOverlay: false,
  skeletonWidth: 60,
  skeletonWidthVariability: 30,
};

const NULL_LOOK: Partial<Theme> = { baseFontStyle: "italic 12px" };
// A canvas has no tabular figures; in the code font, digits stand below digits.
const FIGURE_LOOK: Partial<Theme> = { fontFamily: token("font-code"), baseFontStyle: "12px" };

/** A value as the grid shows it; one in doubt has a background. */
export function contentOf(text: string | null, type: string, background: string | null): GridCell {
  const shown = text ?? "null";
  const look = text === null ? NULL_LOOK : isFigure(type) ? FIGURE_LOOK : {};
  return {
    kind: GridCellKind.Text,
    data: text ?? "",
    displayData: shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown,
    copyData: text ?? "",
    readonly: true,
    allowOverlay: text !== null,
    contentAlign: alignmentOf(type),
    style: text === null ? "faded" : "normal",
    themeOverride: background === null ? look : { ...look, bgCell: background },
    ...(background === null ? {} : { cursor: "pointer" }),
  };
}
