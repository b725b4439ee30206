import { Moon, Sun } from "lucide-react";
import { toggleTheme, useTheme } from "../theme/theme";
import { IconButton } from "./Button";

export function ThemeButton() {
  const theme = useTheme();
  return (
    <IconButton label={theme === "dark" ? "Light theme" : "Dark theme"} onClick={toggleTheme}>
      {theme === "dark" ? <Sun size={16} /> : <Moon size={16} />}
    </IconButton>
  );
}
