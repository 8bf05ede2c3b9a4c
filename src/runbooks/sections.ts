/** A runbook's body by its headings: which of its commands only look (Verify), and which act. */

/** The shell lines of one skill, in the order in which they stand. */
interface RunbookCommands {
  readonly verify: readonly string[];
  readonly act: readonly string[];
}

const headings = {
  verify:
    /^(verify|verification|check|checks|diagnos\w*|investigat\w*|inspect\w*|triage|pruf\w*|verif\w*|diagnost\w*)\b/,
  act: /^(act|action|actions|fix|mitigat\w*|remed\w*|resol\w*|repair|recover\w*|beheb\w*|solu\w*|corriger)\b/,
} as const;

/** The commands under a body's Verify and Act headings. Other headings and other languages' code blocks count for nothing. */
export function commandsOf(body: string): RunbookCommands {
  const found: { verify: string[]; act: string[] } = { verify: [], act: [] };
  for (const { section, lines } of shellBlocks(body))
    if (section !== undefined) found[section].push(...commandsIn(lines));
  return found;
}

/** All commands of a body, under whatever heading. */
export const shellLinesOf = (body: string): readonly string[] =>
  shellBlocks(body).flatMap(({ lines }) => commandsIn(lines));

/** Of the commands of a body those that stand in a block of PowerShell. */
export const powershellLinesOf = (body: string): ReadonlySet<string> =>
  new Set(shellBlocks(body).flatMap(({ lines, isPowershell }) => (isPowershell ? commandsIn(lines) : [])));

/** What a runbook says about one of its commands, for people. */
export interface Advice {
  /** A command that shows whether it helped. */
  readonly check?: string;
  readonly undo?: string;
}

const adviceLine = /^#\s*(check|undo):\s*(\S.{0,499})$/;

/** By command, what the lines `# check: …` and `# undo: …` right below it in its code block say. */
export function adviceOf(body: string): ReadonlyMap<string, Advice> {
  const advice = new Map<string, Advice>();
  for (const { lines } of shellBlocks(body)) {
    let command: string | undefined;
    for (const line of lines) {
      const [, kind, text = ""] = adviceLine.exec(line) ?? [];
      if (!line.startsWith("#")) command = line;
      else if (kind !== undefined && command !== undefined)
        advice.set(command, { ...advice.get(command), [kind]: text.trim() });
      else command = undefined;
    }
  }
  return advice;
}

interface ShellBlock {
  /** Of the heading above it, or of one that this is part of, where that is one of ours. */
  readonly section: keyof typeof headings | undefined;
  readonly lines: readonly string[];
  readonly isPowershell: boolean;
  /** Which line of the body ends it, counted from 0. */
  readonly end: number;
}

/** The code blocks of a body that hold shell, with their lines joined, trimmed and without prompt signs. */
export function shellBlocks(body: string): readonly ShellBlock[] {
  const found: ShellBlock[] = [];
  let section: keyof typeof headings | undefined;
  let depth = 0;
  let block: string[] | undefined;
  let language: string | undefined;
  for (const [end, line] of body.split(/\r?\n/).entries()) {
    const fence = /^\s*(?:```+|~~~+)\s*([\w-]*)/.exec(line);
    if (fence) {
      if (block !== undefined && language !== undefined)
        found.push({ section, lines: linesOf(block), isPowershell: /^p/i.test(language), end });
      language = /^(?:|sh|bash|shell|console|zsh|powershell|pwsh|cmd|bat)$/i.exec(fence[1] ?? "")?.[0];
      block = block === undefined ? [] : undefined;
    } else if (block !== undefined) {
      block.push(line);
    } else {
      const [, signs = "", title] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
      if (title === undefined) continue;
      const own = sectionOf(title);
      // What stands deeper belongs to it, unless it says that it is something else.
      const isPart = own === undefined && signs.length > depth && !aside.test(title);
      if (isPart && section !== undefined) continue;
      section = own;
      depth = signs.length;
    }
  }
  return found;
}

/** Below a heading of this kind nothing is looked at and nothing is done about the fault. */
const aside =
  /\b(?:escalat|eskal|contact|owner|who to call|roll\s?back|undo|revert|prevent|disabl|silenc|notes?\b|examples?\b|background|references?\b|see also)/i;

const escalation = /^#{1,6}\s+.*\b(?:escalat|eskal|who to call|contact|owner)/i;

/** What a body says below its heading about whom to call; undefined where it has none. */
export function escalationOf(body: string): string | undefined {
  const lines = body.split(/\r?\n/);
  const from = lines.findIndex((line) => escalation.test(line)) + 1;
  if (from === 0) return undefined;
  const rest = lines.slice(from);
  const to = rest.findIndex((line) => /^#{1,6}\s/.test(line));
  return (to < 0 ? rest : rest.slice(0, to)).join("\n").trim() || undefined;
}

/** The titles of a body's headings, as one text. */
export const headingsOf = (body: string): string =>
  [...body.matchAll(/^#{1,6}\s+(.*)$/gm)].map((match) => match[1]).join("\n");

function sectionOf(title: string): keyof typeof headings | undefined {
  const plain = title
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/^[\W\d_]+/, "");
  if (headings.verify.test(plain)) return "verify";
  return headings.act.test(plain) ? "act" : undefined;
}

/** A trailing backslash joins lines, prompt signs go. */
const linesOf = (block: readonly string[]): readonly string[] =>
  block
    .join("\n")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*[$>]\s+/, "").trim())
    .filter((line) => line !== "");

/** One command a line; comments are none. */
const commandsIn = (lines: readonly string[]): readonly string[] => lines.filter((line) => !line.startsWith("#"));
