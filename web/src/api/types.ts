export type CellState = "waiting" | "running" | "done" | "error" | "cancelled" | "stale";
export interface Person { id: string; name: string }
export interface EngineStatus { state: "starting" | "ready" | "failed" | "stopped"; message: string }
export interface Status { version: string; person: Person; engine: EngineStatus }
export interface ProjectSummary { id: string; name: string; person: string; created: string; deleted: string | null; branch: string; modified: string }
export interface Branch { id: string; project: string; name: string; person: string; created: string; head: number }
export interface VersionRef { branch: string; number: number }
export interface VersionSummary { ref: VersionRef; parents: VersionRef[]; description: string; person: Person; time: string }
export interface Column { name: string; type: string; nullable: boolean }
export interface Artifact { id: string; kind: "dataset" | "file"; state: "present" | "dropped" | "gone"; size: number; media_type: string; columns: Column[]; rows: number | null; run: string | null; seconds: number; created: string }
export interface Output { name: string; artifact: Artifact }
export interface TextMessage { type: "text"; stream: "stdout" | "stderr"; text: string }
export interface DisplayMessage { type: "display"; data: Record<string, unknown>; artifacts: Record<string, string> }
export interface NoteMessage { type: "note"; text: string }
export type Message = TextMessage | DisplayMessage | NoteMessage;
export interface CellError { code: string; message: string; line: number | null; column: number | null; traceback: string | null }
export interface Progress { label: string; done: number; total: number | null }
export interface Run { id: string; cell: string; state: CellState; started: string; finished: string | null; messages: Message[]; error: CellError | null }
export interface CellView { handle: string; kind: string; parameters: Record<string, unknown>; hash: string; state: CellState; waits_for: string | null; run: Run | null; outputs: Output[] }
export interface Notebook { ref: VersionRef; project: ProjectSummary; branch: Branch; is_head: boolean; can_undo: boolean; can_redo: boolean; parents: VersionRef[]; description: string; person: Person; time: string; cells: CellView[] }
export type CellEdit =
  | { action: "insert"; handle?: string; after: string | null; kind: string; parameters: Record<string, unknown> }
  | { action: "update"; handle: string; parameters: Record<string, unknown>; kind?: string }
  | { action: "delete"; handle: string }
  | { action: "move"; handle: string; after: string | null };
export interface UploadedFile { project: string; name: string; artifact: string; size: number; person: string; time: string }
export type Change =
  | { type: "notebook"; notebook: Notebook }
  | { type: "cell"; number: number; cell: CellView }
  | { type: "message"; number: number; handle: string; run: string; message: Message }
  | { type: "progress"; number: number; handle: string; run: string; progress: Progress }
  | { type: "engine"; engine: EngineStatus };
