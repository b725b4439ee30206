import { useQueryClient } from "@tanstack/react-query";
import { FileCheck2, Upload } from "lucide-react";
import { useEffect, useId, useRef, useState, type DragEvent } from "react";
import { messageOf } from "../../../api/errors";
import { keys, useSources } from "../../../api/queries";
import type { UploadedFile } from "../../../api/types";
import { upload } from "../../../api/upload";
import { notifyError } from "../../../app/toasts";
import { useNotebookContext } from "../../context";
import { datasetNameOf } from "./datasetName";
import { EarlierFiles } from "./EarlierFiles";

interface FilePickerProps {
  /** The file that is there already, if any. */
  fileName: string;
  onUploaded: (file: UploadedFile, suggestedName: string) => void;
}

/** A place to drop a file on, with a button that does the same, and how far the upload is. */
export function FilePicker({ fileName, onUploaded }: FilePickerProps) {
  const { project } = useNotebookContext();
  const client = useQueryClient();
  // Asked for this, the server gets ready to look at the file.
  useSources();
  const id = useId();
  const [sent, setSent] = useState<number | null>(null);
  const [over, setOver] = useState(false);
  // An upload takes its time; the form around it may have been filled in meanwhile.
  const current = useRef(onUploaded);
  useEffect(() => {
    current.current = onUploaded;
  });
  const send = async (file: File | undefined) => {
    if (!file) return;
    setSent(0);
    try {
      const uploaded = await upload(project, file, setSent);
      current.current(uploaded, datasetNameOf(file.name));
      void client.invalidateQueries({ queryKey: keys.files(project) });
    } catch (error) {
      notifyError(messageOf(error));
    } finally {
      setSent(null);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void send(event.dataTransfer.files[0]);
  };
  return (
    <div
      className={`file-picker ${over ? "file-picker-over" : ""} ${fileName ? "file-picker-filled" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {sent === null ? <Waiting fileName={fileName} id={id} /> : <Sending fraction={sent} />}
      {sent === null && <EarlierFiles onChoose={(file) => onUploaded(file, datasetNameOf(file.name))} />}
      <input
        id={id}
        type="file"
        className="visually-hidden"
        aria-label="File to upload"
        onChange={({ target }) => {
          void send(target.files?.[0]);
          // Otherwise choosing the same file again, say after an error, would be no change.
          target.value = "";
        }}
      />
    </div>
  );
}

function Waiting({ fileName, id }: { fileName: string; id: string }) {
  if (fileName) {
    return (
      <>
        <FileCheck2 size={15} aria-hidden />
        <span className="file-picker-name">{fileName}</span>
        <label htmlFor={id} className="link">
          Replace…
        </label>
      </>
    );
  }
  return (
    <>
      <Upload size={16} aria-hidden />
      <span>
        Drop a file here (CSV, JSON, Excel, Parquet …), or{" "}
        <label htmlFor={id} className="link">
          choose one…
        </label>
      </span>
    </>
  );
}

function Sending({ fraction }: { fraction: number }) {
  return (
    <>
      <span>Uploading… {Math.round(fraction * 100)} %</span>
      <progress value={fraction} aria-label="Upload" />
    </>
  );
}
