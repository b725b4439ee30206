const IS_MAC = navigator.userAgent.includes("Mac OS X");

const NAMES: Record<string, string> = {
  mod: IS_MAC ? "⌘" : "Ctrl",
  alt: IS_MAC ? "⌥" : "Alt",
  shift: IS_MAC ? "⇧" : "Shift",
  enter: IS_MAC ? "↵" : "Enter",
  escape: "Esc",
  arrowup: "↑",
  arrowdown: "↓",
};

/** `mod+k` as people read it, a box for each stroke. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="keys">
      {keys.split(" ").map((stroke, index) => (
        <kbd key={index}>
          {stroke
            .split("+")
            .map(nameOf)
            .join(IS_MAC ? "" : "+")}
        </kbd>
      ))}
    </span>
  );
}

function nameOf(key: string): string {
  return NAMES[key] ?? key.toUpperCase();
}
