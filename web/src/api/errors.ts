/** An error the server answered with: a stable code, a message for people, details for programs. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

const UNREACHABLE = "The Trailbook server can't be reached. Is it still running?";

/** What to tell a person about anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return UNREACHABLE;
  return error instanceof Error ? error.message : String(error);
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

/** The error that a response of the server stands for. */
export function errorFrom(status: number, body: unknown): ApiError {
  if (typeof body === "object" && body !== null && "code" in body && "message" in body) {
    const details = "details" in body ? (body.details as Record<string, unknown>) : {};
    return new ApiError(status, String(body.code), String(body.message), details);
  }
  return new ApiError(status, "error", `The server answered with status ${status}.`);
}
