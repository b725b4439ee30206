/** A handle for a new cell. The page makes it, so that it knows the cell before the server has answered. */
export function newHandle(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
