import { type Risk, risks } from "../../base/risk.ts";

/** An entry of a checklist as it reads on the issue; `card.ts` draws it. */
interface ShownAction {
  readonly number: number;
  readonly risk: Risk;
  /** The server, or the name that stands for several. */
  readonly place: string;
  /** What its block of code holds, as Markdown reads it, byte for byte. */
  readonly command: string;
  /** How it ended without a run; undefined while it can run, and once it has. */
  readonly gone: GoneState | undefined;
}

const goneStates = ["rejected", "superseded", "expired", "void", "blocked"] as const;
export type GoneState = (typeof goneStates)[number];

const head = new RegExp(
  `^- \\[[ xX]\\] (?<struck>~~)?\\*\\*(?<number>\\d{1,6})\\*\\* · \\S+ (?<risk>${risks.join("|")}) · (?<place>\`+)(?<name>.*?)\\k<place>`,
  "u",
);

/** The entries of a comment, in their order. Text inside a code block is no entry. */
export function readCard(body: string): readonly ShownAction[] {
  const lines = body.replace(/\r\n?/g, "\n").split("\n");
  const found: ShownAction[] = [];
  let entry: Omit<ShownAction, "command"> | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const block = readBlock(lines, at);
    if (block) {
      if (entry) found.push({ ...entry, command: block.text });
      entry = undefined;
      at += block.length - 1;
    } else entry = readHead(line) ?? entry;
  }
  return found;
}

/** The fenced block that opens at a line, indented or in a quote as we write it. It ends at its fence, or where its indent or quote ends. */
function readBlock(
  lines: readonly string[],
  at: number,
): { readonly text: string; readonly length: number } | undefined {
  const [, before = "", ticks] = /^( {0,3}(?:> )?)(`{3,})[^`]*$/.exec(lines[at] ?? "") ?? [];
  if (ticks === undefined) return undefined;
  const closing = new RegExp(`^ {0,3}${ticks}\`*[ \\t]*$`);
  const text: string[] = [];
  for (const line of lines.slice(at + 1)) {
    const isEmpty = line === "" ? !before.includes(">") : line === before.trimEnd();
    if (!isEmpty && !line.startsWith(before)) break;
    const rest = isEmpty ? "" : line.slice(before.length);
    if (closing.test(rest)) return { text: text.join("\n"), length: text.length + 2 };
    text.push(rest);
  }
  return { text: text.join("\n"), length: text.length + 1 };
}

function readHead(line: string): Omit<ShownAction, "command"> | undefined {
  const { number, risk, name, struck } = head.exec(line)?.groups ?? {};
  const known = risks.find((word) => word === risk);
  if (number === undefined || name === undefined || known === undefined) return undefined;
  const words = struck === undefined ? "" : (/~~ (?:⛔ )?(\w+)/u.exec(line)?.[1] ?? "");
  return { number: Number(number), risk: known, place: name.trim(), gone: goneStates.find((state) => state === words) };
}

/**
 * An entry of a checklist as `card.ts` draws it, by what a reader sees: a number and a risk, and between them the dot, or one that
 * could be taken for it.
 */
const entry = /^(\d{1,6}) ?[·•∙⋅‧・･᛫⸱] ?[🟢🟡🔴⛔🟩🟨🟥🚫]/u;
const marker = /<!--\s*countersign\b/i;

/**
 * The numbers that a comment of somebody else shows as if it were a card of ours (SR-30): our hidden marker, or an entry as our
 * renderer makes it. `tasks` are the words of the author's own tasks, `raw` all lines that are not quoted. Nothing where the
 * comment does not imitate us.
 */
export function imitatedNumbers(tasks: readonly string[], raw: readonly string[]): readonly number[] | undefined {
  const numbers = tasks.flatMap((words) => {
    const number = entry.exec(words)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers.length > 0 || raw.some((line) => marker.test(line)) ? numbers : undefined;
}

/**
 * Whether two bodies of a card differ only in their task boxes: a tick is GitHub's own edit of the body, and means nothing
 * (DC-3). Everything else counts, to the letter (SR-27).
 */
export const sameCard = (a: string, b: string): boolean => normalised(a) === normalised(b);

const normalised = (body: string): string =>
  body
    .replace(/\r\n?/g, "\n")
    .replace(/^(\s*[-*+] )\[[ xX]\]/gm, "$1[ ]")
    // A browser may end the text with a line break.
    .replace(/\n+$/, "");
