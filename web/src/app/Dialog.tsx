import { Dialog as Radix } from "radix-ui";
import { useId, useState, type SubmitEvent, type ReactNode } from "react";
import { messageOf } from "../api/errors";
import { Button } from "./Button";
import "./Dialog.css";

interface DialogProps {
  title: string;
  description?: ReactNode;
  size?: "small" | "wide" | "full";
  onClose: () => void;
  children?: ReactNode;
}

export function Dialog({ title, description, size = "small", onClose, children }: DialogProps) {
  const described = description === undefined ? { "aria-describedby": undefined } : {};
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-overlay" />
        <Radix.Content className={`dialog dialog-${size}`} {...described}>
          <Radix.Title className={size === "full" ? "visually-hidden" : "dialog-title"}>{title}</Radix.Title>
          {description !== undefined && (
            <Radix.Description className="dialog-description">{description}</Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ConfirmDialogProps {
  title: string;
  description: ReactNode;
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({ title, description, action, onConfirm, onClose }: ConfirmDialogProps) {
  const confirm = () => {
    onClose();
    onConfirm();
  };
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <div className="dialog-buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button tone="danger" onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

interface NameDialogProps {
  title: string;
  description?: ReactNode;
  label: string;
  initial?: string;
  /** Names that there are, to choose from. */
  known?: readonly string[];
  action: string;
  /** Says what will become of the name that is typed. */
  tell?: (name: string) => ReactNode;
  /** Rejects with what is wrong with the name; the dialog then stays open and says so. */
  onSubmit: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for one name. */
export function NameDialog(props: NameDialogProps) {
  const { title, description, label, initial = "", known = [], action, tell, onSubmit, onClose } = props;
  const list = useId();
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      await onSubmit(name.trim());
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span>{label}</span>
          <input
            autoFocus
            list={known.length > 0 ? list : undefined}
            value={name}
            maxLength={200}
            aria-invalid={problem !== ""}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <datalist id={list}>
          {known.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        {tell?.(name.trim())}
        {problem && (
          <p className="field-problem" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" disabled={busy || name.trim() === ""}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
