import type { components } from "./schema";

type Schemas = components["schemas"];

export type About = Schemas["About"];
export type Acknowledgement = Schemas["AcknowledgedBy"];
export type Artifact = Schemas["Artifact"];
export type Branch = Schemas["Branch"];
export type CaveatMember = Schemas["Member"];
export type CaveatSet = Schemas["CaveatSet"];
export type CellEdit = Schemas["EditRequest"]["edit"];
export type CellError = Schemas["CellError"];
export type CellLink = Schemas["CellLink"];
export type CellState = Schemas["CellState"];
export type CellView = Schemas["CellView"];
export type Column = Schemas["Column"];
export type DisplayMessage = Schemas["DisplayMessage"];
export type Doubt = Schemas["Doubt"];
export type EngineStatus = Schemas["EngineStatus"];
export type Environment = Schemas["Environment"];
export type Event = Schemas["Event"];
export type FileFormat = Schemas["FileFormat"];
export type LiveMessage = Schemas["MessageAdded"]["message"];
export type Message = Schemas["Run"]["messages"][number];
export type Notebook = Schemas["Notebook"];
export type Output = Schemas["Output"];
export type FilePreview = Schemas["Preview"];
export type FileQuestion = Schemas["FileInQuestion"];
export type Given = Schemas["Given"];
export type Person = Schemas["Person"];
export type PreviewColumn = Schemas["PreviewColumn"];
export type Progress = Schemas["Progress"];
export type ProjectSummary = Schemas["ProjectSummary"];
export type Provenance = Schemas["Provenance"];
export type Publication = Schemas["Publication"];
/** What stands for an edition. */
export type Edition = Pick<Publication, "name" | "edition">;
export type PublishedDataset = Schemas["PublishedDataset"];
export type PublishRequest = Schemas["PublishRequest"];
export type Rerun = Schemas["Rerun"];
export type Run = Schemas["Run"];
export type Sinks = Schemas["Sinks"];
export type SourceFormat = Schemas["SourceFormat"];
export type Sources = Schemas["Sources"];
export type Status = Schemas["Status"];
export type TextMessage = Schemas["TextMessage"];
export type UploadedFile = Schemas["UploadedFile"];
export type VersionRef = Schemas["VersionRef"];
export type VersionSummary = Schemas["VersionSummary"];
export type Whereabouts = Schemas["Elsewhere"];

/** What the server tells while it looks for the reasons of a doubt: a line each. */
export type CaveatEvent = Schemas["Candidates"] | Schemas["SetKnown"] | Schemas["End"] | Schemas["Failed"];

/** A part of a dataset that somebody asks about: a value, a row, a column, what may be missing, or all of it. */
export interface Part {
  row?: number;
  column?: string;
  missing?: boolean;
}

/** The dataset that a cell made under a name, or a part of it. */
export interface Question extends Part {
  cell: string;
  name: string;
}
