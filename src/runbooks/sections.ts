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
  let section: keyof typeof headings | undefined;
  let block: string[] | undefined;
  let isShell = false;
  for (const line of body.split(/\r?\n/)) {
    const fence = /^\s*(?:```+|~~~+)\s*([\w-]*)/.exec(line);
    if (fence) {
      if (block !== undefined && section !== undefined && isShell) found[section].push(...commandLines(block));
      isShell = /^(|sh|bash|shell|console|zsh|powershell|pwsh|cmd|bat)$/i.test(fence[1] ?? "");
      block = block === undefined ? [] : undefined;
    } else if (block !== undefined) {
      block.push(line);
    } else {
      const title = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
      if (title !== undefined) section = sectionOf(title);
    }
  }
  return found;
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

/** One command a line; a trailing backslash joins lines, comments and prompt signs go. */
function commandLines(block: readonly string[]): readonly string[] {
  return block
    .join("\n")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*[$>]\s+/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
