import { type Risk, risks } from "../../base/risk.ts";

interface ShownAction {
  readonly number: number;
  readonly risk: Risk;
  /** The server, or a name for several. */
  readonly place: string;
  /** As Markdown reads it, byte for byte. */
  readonly command: string;
  /** If it ended without a run. */
  readonly gone: GoneState | undefined;
}

const goneStates = ["rejected", "superseded", "expired", "void", "blocked"] as const;
export type GoneState = (typeof goneStates)[number];

const head = new RegExp(
  `^- \\[[ xX]\\] (?<struck>~~)?\\*\\*(?<number>\\d{1,6})\\*\\* · \\S+ (?<risk>${risks.join("|")}) · (?<place>\`+)(?<name>.*?)\\k<place>`,
  "u",
);

/** Reads a card's entries, in order. Text inside a code block is none. */
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

/** Indented or quoted as we write it; it ends at its fence, or with its indent or quote. */
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

/** As a reader sees it: a number, the dot or a look-alike, a risk. */
const entry = /^(\d{1,6}) ?[·•∙⋅‧・･᛫⸱] ?[🟢🟡🔴⛔🟩🟨🟥🚫]/u;
const marker = /<!--\s*countersign\b/i;

/**
 * The numbers of an imitated card (SR-30): with our hidden marker, or an entry as we draw it. `tasks` are the words of tasks, `raw` the
 * unquoted lines. Undefined without imitation.
 */
export function imitatedNumbers(tasks: readonly string[], raw: readonly string[]): readonly number[] | undefined {
  const numbers = tasks.flatMap((words) => {
    const number = entry.exec(words)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers.length > 0 || raw.some((line) => marker.test(line)) ? numbers : undefined;
}

/** Task boxes may differ: a tick is GitHub's own edit and means nothing (DC-3). All else counts, to the letter (SR-27). */
export const sameCard = (a: string, b: string): boolean => normalised(a) === normalised(b);

const normalised = (body: string): string =>
  body
    .replace(/\r\n?/g, "\n")
    .replace(/^(\s*[-*+] )\[[ xX]\]/gm, "$1[ ]")
    // A browser may add a line break.
    .replace(/\n+$/, "");
