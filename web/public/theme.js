// Runs before the first paint, so that a dark page never flashes white.
document.documentElement.dataset.theme =
  localStorage.getItem("trailbook.theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
