import { useEffect, useRef } from "react";
import { matchStrokes, strokeOf, type Command } from "./command";

const SEQUENCE_PAUSE = 800;
const TYPING = "input, textarea, select, [contenteditable='true']";
const DATA = ".dataset";
const ELSEWHERE = "[role='dialog'], [role='menu']";

/** Lets keys run commands: everywhere those that work while typing, some in data, the others only in command mode. */
export function useCommandKeys(commands: readonly Command[]): void {
  const current = useRef(commands);
  useEffect(() => {
    current.current = commands;
  });
  useEffect(() => {
    let strokes: string[] = [];
    let timer: number | undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isModifier(event.key) || isIn(ELSEWHERE, event) || activatesTarget(event)) return;
      const usable = current.current.filter((command) => !command.disabled && hears(command, event));
      window.clearTimeout(timer);
      const match = matchStrokes(usable, [...strokes, strokeOf(event)]) ?? matchStrokes(usable, [strokeOf(event)]);
      strokes = match && "prefix" in match ? [...strokes, strokeOf(event)] : [];
      if (!match) return;
      event.preventDefault();
      if ("command" in match) match.command.run();
      else timer = window.setTimeout(() => (strokes = []), SEQUENCE_PAUSE);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

function hears(command: Command, event: KeyboardEvent): boolean {
  if (command.whileTyping) return true;
  return !isIn(TYPING, event) && (Boolean(command.inData) || !isIn(DATA, event));
}

function isIn(selector: string, event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest(selector) !== null;
}

function isModifier(key: string): boolean {
  return key === "Shift" || key === "Control" || key === "Meta" || key === "Alt";
}

/** Enter and space on a button or link press it; they are not commands then. */
function activatesTarget(event: KeyboardEvent): boolean {
  const pressed = event.key === "Enter" || event.key === " ";
  return pressed && !event.shiftKey && event.target instanceof Element && event.target.matches("button, a, summary");
}
