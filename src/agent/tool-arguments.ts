/** Reads what the model passes to a tool. */

import { type Fields, isRecord, parseJson } from "../base/json.ts";
import type { OutputPart } from "./tools.ts";

/** A required text argument; the error's message is for the model. */
export function needText(args: Fields, name: string): string {
  const value = args[name];
  if (typeof value !== "string" || value.trim() === "") throw new Error(`"${name}" is missing`);
  return value;
}

/** An optional text argument; an empty one is none. */
export const textOr = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const positive = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;

/** Which part of an output is meant; its first page where none is named. */
export function outputPart(args: Fields): OutputPart {
  const tail = positive(args.tail);
  const text = textOr(args.grep);
  if (text !== undefined) return { kind: "grep", text };
  return tail ? { kind: "tail", lines: tail } : { kind: "page", page: positive(args.page) ?? 1 };
}

/** Returns undefined for what is no JSON object; no text at all is an empty one. */
export function readArguments(json: string): Fields | undefined {
  const value = parseJson(json.trim() || "{}");
  return isRecord(value) ? value : undefined;
}
