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
    chunkSizeWarningLimit: 1200,
  },
  server: { proxy: { "/api": { target: server, ws: true, changeOrigin: true } } },
  test: { environment: "jsdom", pool: "vmThreads", include: ["src/**/*.test.{ts,tsx}"] },
});
