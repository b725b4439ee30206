import type { About, Artifact, CaveatSet, CellView, Doubt, FilePreview, Notebook, Output, Run } from "../api/types";

const TIME = "2024-05-01T10:00:00Z";

export function runWith(parts: Partial<Run>): Run {
  return {
    id: "run",
    cell: "cell",
    spec: "spec",
    environment: "environment",
    person: "person",
    state: "running",
    started: TIME,
    deletes: [],
    outside: { files_written: [], network: [], programs: [], randomness: false, clock: false, complete: true, published: [] },
    messages: [],
    ...parts,
  };
}

export function cellWith(parts: Partial<CellView>): CellView {
  return {
    handle: "cell",
    kind: "sql",
    parameters: {},
    hash: "hash",
    state: "done",
    frozen: false,
    outputs: [],
    ...parts,
  };
}

export const NO_DOUBT: Doubt = { values: {}, rows: 0, phantoms: 0, open: false, coarse: false };

export function datasetWith(parts: Partial<Artifact>): Artifact {
  return {
    id: "f".repeat(64),
    kind: "dataset",
    state: "present",
    size: 1,
    media_type: "application/vnd.apache.parquet",
    columns: [],
    rows: 0,
    seconds: 0,
    created: TIME,
    doubt: NO_DOUBT,
    ...parts,
  };
}

export function valueWith(name: string, about: About, doubt: Doubt = NO_DOUBT): Output {
  return { name, artifact: datasetWith({ kind: "value", about: { [name]: about }, doubt }) };
}

export function previewWith(parts: Partial<FilePreview>): FilePreview {
  return {
    format: "",
    options: {},
    guessed: [],
    members: [],
    columns: [],
    more_columns: 0,
    rows: [],
    records: 0,
    problems: [],
    problem_count: 0,
    left_out: 0,
    is_whole: true,
    cut_off: null,
    ...parts,
  };
}

export function setWith(parts: Partial<CaveatSet>): CaveatSet {
  return {
    id: "set",
    cell: "cell",
    place: "CAST(amount AS int)",
    message: null,
    count: 1,
    examples: [{ message: "'12O' is not an int", row: null }],
    acknowledged: [],
    elsewhere: null,
    ...parts,
  };
}

export function notebookWith(cells: CellView[], number = 1): Notebook {
  const branch = { id: "branch", project: "project", name: "main", person: "person", created: TIME, head: number };
  return {
    ref: { branch: branch.id, number },
    project: { id: "project", name: "Sales", person: "person", created: TIME, branch: branch.id, modified: TIME },
    branch,
    is_head: true,
    can_undo: false,
    can_redo: false,
    parents: [],
    description: "",
    person: { id: "person", name: "Ada" },
    packages: { wanted: [], locked: [] },
    time: TIME,
    cells,
  };
}
