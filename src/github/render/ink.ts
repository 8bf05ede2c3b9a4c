import type { Risk } from "../../base/risk.ts";

/**
 * The writing tools of `src/text/`, passed in by the feature. All text that is not ours goes through one of them on its way into a
 * comment (SR-31, SR-42, SR-43).
 */
export interface Markdown {
  /** A code block that nothing inside can close. */
  readonly fence: (text: string, info?: "text" | "sh") => string;
  /** What is run or sent, as a code block of exactly these bytes, in a quote if another bot could read a line of it as its command. */
  readonly command: (text: string, info?: "text" | "sh" | "diff") => string;
  /** Untrusted text as one inert line. */
  readonly plain: (text: string) => string;
  /** A sentence of ours that names things of others between backticks, as one inert line. */
  readonly note: (text: string) => string;
  /** An inline code span that nothing can close. */
  readonly code: (text: string) => string;
  /** A line of code inside our HTML, such as a `<summary>`. */
  readonly htmlCode: (text: string) => string;
  /** The beginning of a command in a short code span, cut after redaction, because half a secret has no shape to recognize. */
  readonly brief: (command: string) => string;
  /** The model's Markdown, made harmless. Paths that it links to are put behind `blobUrl`. */
  readonly prose: (markdown: string, blobUrl?: string) => string;
  /** A link of these words, or the words alone if it would not be absolute. */
  readonly link: (words: string, url: string) => string;
}

const riskMarks = { low: "🟢", medium: "🟡", high: "🔴", block: "⛔" } as const satisfies Record<Risk, string>;

export const riskMark = (risk: Risk): string => `${riskMarks[risk]} ${risk}`;

/** `15:10Z`: hours and minutes in UTC, as people read the clock of an incident. */
export const clock = (at: Date): string => `${at.toISOString().slice(11, 16)}Z`;

/** `2026-03-01 14:05Z`, for what can last for days. */
export const utcMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")}Z`;

/** `0.3 s`, `42 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}

/** A person's name as code, which notifies nobody (PRODUCT: only the team is mentioned, once). */
export const name = (login: string): string => `\`@${login.replace(/[^\w[\]-]/g, "")}\``;

/** A team's name as a mention, which notifies its members. */
export const mention = (team: string): string => `@${team.replace(/[^\w./-]/g, "")}`;

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** `one approver`, `two approvers`. */
export const count = (n: number, noun: string): string => `${words[n] ?? n} ${noun}${n === 1 ? "" : "s"}`;

/** A command as it runs, to the byte, with the reason if it stands in a quote. */
export function renderCommand(command: string, markdown: Markdown): string {
  const block = markdown.command(command);
  return block.startsWith(">")
    ? `*quoted, so that no other bot takes a line of it for its own command:*\n${block}`
    : block;
}

/** A text as a cell of a table. An escaped bar stays as it is: a second backslash would escape the first, and the cell would end there. */
export const cell = (text: string): string =>
  text.replace(/(\\*)\|/g, (bar, before: string) => (before.length % 2 === 1 ? bar : `${before}\\|`));

export const indent = (text: string): string => text.replace(/^(?=.)/gm, "  ");

/** A note, marked as a warning unless it begins with `ℹ️`. */
export function renderNote(note: string, markdown: Pick<Markdown, "note">): string {
  const [, mark = "⚠️", words = note] = /^(ℹ️) (.*)$/s.exec(note) ?? [];
  return `${mark} ${markdown.note(words)}`;
}

export const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
