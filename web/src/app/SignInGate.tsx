import { useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent, type ReactNode } from "react";
import { api } from "../api/client";
import { hasCode, messageOf } from "../api/errors";
import { useStatus } from "../api/queries";
import { Button } from "./Button";
import { PageMessage } from "./PageMessage";
import "./Dialog.css";

/** Shows the app to who is signed in, and asks everybody else for the token or the password. */
export function SignInGate({ children }: { children: ReactNode }) {
  const { error } = useStatus();
  return hasCode(error, "not_allowed") ? <SignIn reason={messageOf(error)} /> : children;
}

function SignIn({ reason }: { reason: string }) {
  const client = useQueryClient();
  const [secret, setSecret] = useState("");
  const [problem, setProblem] = useState("");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    try {
      await api.signIn(secret);
      await client.resetQueries();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <PageMessage title="Sign in to Trailbook">
      <p>{reason}</p>
      <form className="sign-in" onSubmit={(event) => void submit(event)}>
        <input
          className="input"
          type="password"
          aria-label="Token or password"
          placeholder="Token or password"
          autoFocus
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
        <Button tone="primary" type="submit" disabled={secret === ""}>
          Sign in
        </Button>
      </form>
      {problem && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </PageMessage>
  );
}
