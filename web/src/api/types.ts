import type { components } from "./schema";

type Schemas = components["schemas"];

export type Artifact = Schemas["Artifact"];
export type Branch = Schemas["Branch"];
export type CellEdit = Schemas["EditRequest"]["edit"];
export type CellError = Schemas["CellError"];
export type CellState = Schemas["CellState"];
export type CellView = Schemas["CellView"];
export type Column = Schemas["Column"];
export type DisplayMessage = Schemas["DisplayMessage"];
export type EngineStatus = Schemas["EngineStatus"];
export type Event = Schemas["Event"];
export type Message = Schemas["Run"]["messages"][number];
export type Notebook = Schemas["Notebook"];
export type Output = Schemas["Output"];
export type Person = Schemas["Person"];
export type Progress = Schemas["Progress"];
export type ProjectSummary = Schemas["ProjectSummary"];
export type Run = Schemas["Run"];
export type Status = Schemas["Status"];
export type TextMessage = Schemas["TextMessage"];
export type UploadedFile = Schemas["UploadedFile"];
export type VersionRef = Schemas["VersionRef"];
export type VersionSummary = Schemas["VersionSummary"];
