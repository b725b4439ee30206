import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.TRAILBOOK_URL ?? "http://localhost:8123";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../trailbook/server/static",
    emptyOutDir: true,
    // The content security policy allows no data: fonts, and everything is local anyway.
    assetsInlineLimit: 0,
    // Plotly is as large as that, and loaded when a chart needs it.
    chunkSizeWarningLimit: 5200,
  },
  // The server refuses requests that come from another origin's pages, which the development server's pages are.
  server: { proxy: { "/api": { target: server, ws: true, changeOrigin: true, headers: { origin: server } } } },
  test: { environment: "jsdom", pool: "vmThreads", include: ["src/**/*.test.{ts,tsx}"] },
});
