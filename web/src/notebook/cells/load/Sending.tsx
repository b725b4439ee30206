interface SendingProps {
  /** How much of the file has left, from 0 to 1. */
  fraction: number;
  onStop: () => void;
}

/** How far an upload is. */
export function Sending({ fraction, onStop }: SendingProps) {
  return (
    <span className="load-sending">
      <span>Uploading… {Math.floor(fraction * 100)} %</span>
      <progress value={fraction} aria-label="Upload" />
      <button type="button" className="link" onClick={onStop}>
        Stop
      </button>
    </span>
  );
}
