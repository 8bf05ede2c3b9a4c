import type { Risk } from "../../base/risk.ts";

/** From `src/text/`. Text of others goes through one of these into any comment (SR-31, SR-42, SR-43). */
export interface Markdown {
  /** Nothing inside closes it. */
  readonly fence: (text: string, info?: "text" | "sh") => string;
  /** Exactly these bytes, quoted if another bot could read a line as its command. */
  readonly command: (text: string, info?: "text" | "sh" | "diff") => string;
  /** Untrusted text as one inert line. */
  readonly plain: (text: string) => string;
  /** Our sentence with names of others in backticks, as one inert line. */
  readonly note: (text: string) => string;
  /** Nothing inside closes it. */
  readonly code: (text: string) => string;
  /** Code inside our HTML, e.g. in `<summary>`. */
  readonly htmlCode: (text: string) => string;
  /** Cut after redaction, because half a secret has no shape. */
  readonly brief: (command: string) => string;
  /** Linked paths stand behind `blobUrl`. */
  readonly prose: (markdown: string, blobUrl?: string) => string;
  /** The words alone if it would not be absolute. */
  readonly link: (words: string, url: string) => string;
}

const riskMarks = { low: "🟢", medium: "🟡", high: "🔴", block: "⛔" } as const satisfies Record<Risk, string>;

export const riskMark = (risk: Risk): string => `${riskMarks[risk]} ${risk}`;

/** `15:10Z` */
export const clock = (at: Date): string => `${at.toISOString().slice(11, 16)}Z`;

/** `2026-03-01 14:05Z`, for what can last days. */
export const utcMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")}Z`;

/** `0.3 s`, `42 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}

/** As code, which notifies no one. */
export const name = (login: string): string => `\`@${login.replace(/[^\w[\]-]/g, "")}\``;

/** A mention, which notifies the team. */
export const mention = (team: string): string => `@${team.replace(/[^\w./-]/g, "")}`;

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** `one approver`, `two approvers`. */
export const count = (n: number, noun: string): string => `${words[n] ?? n} ${noun}${n === 1 ? "" : "s"}`;

/** To the byte, with the reason if it is quoted. */
export function renderCommand(command: string, markdown: Markdown, info?: "diff"): string {
  const block = markdown.command(command, info);
  return block.startsWith(">")
    ? `*quoted, so that no other bot takes a line of it for its own command:*\n${block}`
    : block;
}

/** An escaped bar stays: a second backslash would escape the first and end the cell. */
export const cell = (text: string): string =>
  text.replace(/(\\*)\|/g, (bar, before: string) => (before.length % 2 === 1 ? bar : `${before}\\|`));

export const indent = (text: string): string => text.replace(/^(?=.)/gm, "  ");

/** Warns, unless the note begins with `ℹ️`. */
export function renderNote(note: string, markdown: Pick<Markdown, "note">): string {
  const [, mark = "⚠️", words = note] = /^(ℹ️) (.*)$/s.exec(note) ?? [];
  return `${mark} ${markdown.note(words)}`;
}

export const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
