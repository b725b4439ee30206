import { FileCheck2, Upload } from "lucide-react";
import { useId, useState, type DragEvent } from "react";
import { useSources } from "../../../api/queries";
import type { UploadedFile } from "../../../api/types";
import { datasetNameOf } from "./datasetName";
import { EarlierFiles } from "./EarlierFiles";
import { Sending } from "./Sending";
import { useUpload } from "./useUpload";

interface FilePickerProps {
  /** The file that is there already, if any. */
  fileName: string;
  onUploaded: (file: UploadedFile, suggestedName: string) => void;
}

/** A place to drop a file on, with a button that does the same, and how far the upload is. */
export function FilePicker({ fileName, onUploaded }: FilePickerProps) {
  // Asked for this, the server gets ready to look at the file.
  useSources();
  const id = useId();
  const [over, setOver] = useState(false);
  const choose = (file: UploadedFile) => onUploaded(file, datasetNameOf(file.name));
  const { sent, send, stop } = useUpload(choose);
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
      {sent === null ? <Waiting fileName={fileName} id={id} /> : <Sending fraction={sent} onStop={stop} />}
      {sent === null && <EarlierFiles onChoose={choose} />}
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
