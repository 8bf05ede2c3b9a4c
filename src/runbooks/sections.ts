/** A heading that says what its commands are for; other commands are told apart by what they do. */
const headings = {
  verify:
    /^(verify|verification|check|checks|diagnos\w*|investigat\w*|inspect\w*|triage|pruf\w*|verif\w*|diagnost\w*)\b/,
  act: /^(act|action|actions|fix|mitigat\w*|remed\w*|resol\w*|repair|recover\w*|beheb\w*|solu\w*|corriger)\b/,
} as const;

export interface RunbookCommand {
  readonly text: string;
  /** Undefined under a heading in any other words, and under none. */
  readonly section: Section | undefined;
}

/** Returns the commands in order, without those of asides such as Rollback. */
export const commandsOf = (body: string): readonly RunbookCommand[] =>
  shellBlocks(body).flatMap(({ section, lines }) =>
    section === "aside" ? [] : commandsIn(lines).map((text) => ({ text, section })),
  );

/** Returns all commands, under any heading. */
export const shellLinesOf = (body: string): readonly string[] =>
  shellBlocks(body).flatMap(({ lines }) => commandsIn(lines));

/** Returns the commands in PowerShell blocks. */
export const powershellLinesOf = (body: string): ReadonlySet<string> =>
  new Set(shellBlocks(body).flatMap(({ lines, isPowershell }) => (isPowershell ? commandsIn(lines) : [])));

export interface Advice {
  /** Shows whether it helped. */
  readonly check?: string;
  readonly undo?: string;
}

const adviceLine = /^#\s*(check|undo):\s*(\S.{0,499})$/;

/** Returns advice by command, from `# check: …` and `# undo: …` right below it. */
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

type Section = keyof typeof headings;

interface ShellBlock {
  readonly section: Section | "aside" | undefined;
  readonly lines: readonly string[];
  readonly isPowershell: boolean;
  /** A line of the body, from 0. */
  readonly end: number;
}

/**
 * Returns shell blocks, lines joined and without prompts: fences with a shell's name, and unnamed fences and indented blocks if each line
 * begins like a command (CommonMark 0.31.2, 4.4 and 4.5).
 */
export function shellBlocks(body: string): readonly ShellBlock[] {
  const found: ShellBlock[] = [];
  // A deeper heading belongs to the one above it, unless it is an aside.
  let outline: { readonly depth: number; readonly section: ShellBlock["section"] }[] = [];
  let section: ShellBlock["section"];
  let block: string[] | undefined;
  let language: string | undefined;
  const lines = body.split(/\r?\n/);
  const indented = indentedIn(lines);
  for (const [end, line] of lines.entries()) {
    const fence = /^\s*(?:```+|~~~+)\s*([\w-]*)/.exec(line);
    if (fence) {
      const shell = block === undefined || language === undefined ? [] : shellIn(block, language);
      if (shell.length > 0) found.push({ section, lines: shell, isPowershell: /^p/i.test(language ?? ""), end });
      language =
        /^(?:|sh|bash|shell|console|(?:shell|sh|bash)-?session|terminal|zsh|ksh|powershell|pwsh|ps1|cmd|bat)$/i.exec(
          fence[1] ?? "",
        )?.[0];
      block = block === undefined ? [] : undefined;
    } else if (block !== undefined) {
      block.push(line);
    } else {
      const [, signs = "", title] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
      if (title !== undefined) {
        const plain = title
          .normalize("NFD")
          .replace(/[\u0300-\u036f]/g, "")
          .toLowerCase()
          .replace(/^[\W\d_]+/, "");
        const own = headings.verify.test(plain) ? "verify" : headings.act.test(plain) ? "act" : undefined;
        outline = outline.filter(({ depth }) => depth < signs.length);
        section = own ?? (aside.test(title) ? "aside" : outline.at(-1)?.section);
        outline.push({ depth: signs.length, section });
      }
      const code = indented.get(end);
      if (code !== undefined) found.push({ section, lines: code, isPowershell: false, end });
    }
  }
  return found;
}

/** By their last line. Indented text in a list item is the item's own. */
function indentedIn(lines: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  let block: string[] = [];
  let contentAt = 0;
  let isAfterText = false;
  for (const [i, line] of [...lines, "."].entries()) {
    const indent = line.trim() === "" ? undefined : line.length - line.trimStart().length;
    if (indent === undefined) {
      isAfterText = false;
      continue;
    }
    if (indent >= contentAt + 4 && !isAfterText && !/^\s*(?:```|~~~)/.test(line)) {
      block.push(line.trimEnd());
      continue;
    }
    const shell = shellIn(block, "");
    if (shell.length > 0) found.set(i - 1, shell);
    block = [];
    const item = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+)/.exec(line)?.[1];
    if (item !== undefined) contentAt = item.length;
    else if (indent === 0) contentAt = 0;
    isAfterText = true;
  }
  return found;
}

/** Commands there neither look nor act. */
const aside =
  /\b(?:escalat|eskal|contact|owner|who to call|roll\s?back|undo|revert|prevent|disabl|silenc|notes?\b|examples?\b|background|references?\b|see also|hinweis|beispiel|hintergrund|vorbeug|r[uü]ckg[aä]ngig|zur[uü]ck(?:roll|setz|nehm)|annul|retour (?:arri|en arri)|exempl|remarque|contexte|ejemplo|notas?\b|contact|antecedente|deshacer|esempi|ripristin|pr[eé]ven|refer[eê]nc|r[eé]f[eé]renc)|回[滚退]|回滾|撤销|升级处理|上报|联系|备注|附注|示例|背景|参考|预防|ロールバック|切り戻し|エスカレ|連絡|備考|補足|背景|予防|롤백|에스컬|참고|예방|откат|эскалац|контакт|примеч|пример|справк|предотвра/iu;

/** Sentences, table heads, queries, `key: value` and `key = value` do not begin like this. */
const beginsAsCommand =
  /^(?:#|[A-Za-z_]\w*=|["']?\$|[!({[&]|[A-Z][a-z]+-[A-Z]|["']?(?:[A-Za-z]:)?[a-z./~\\](?=[^:]*[a-z])[\w./~+\\-]*["']?(?![^\s;|&])(?!\s+=\s))/;
const prompt = /^(?:\$|PS [^>\n]{0,200}>|(?:sh|bash)-[\d.]+[$#]|\[?[\w.-]+@[\w.:~ -]+\]?[$#])\s+/;

/** If one line has a prompt, lines without are output. */
function shellIn(block: readonly string[], language: string): readonly string[] {
  const all = block
    .join("\n")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isPrompted = /^(?:|console|.*session|terminal)$/i.test(language) && all.some((line) => prompt.test(line));
  const lines = all
    .filter((line) => !isPrompted || line.startsWith("#") || prompt.test(line))
    .map((line) => line.replace(prompt, "").replace(/^>\s+/, ""));
  if (language === "" && !lines.every((line) => beginsAsCommand.test(line))) return [];
  // Joins the lines of a compound command; unclosed ones stay as they are.
  const joined: string[] = [];
  let parts: string[] = [];
  let depth = 0;
  for (const line of lines) {
    const isComment = line.startsWith("#");
    if (!isComment) depth += (line.match(opening)?.length ?? 0) - (line.match(closing)?.length ?? 0);
    if (parts.length > 0 && isComment) continue;
    if (depth > 0 || parts.length > 0) parts.push(line);
    else joined.push(line);
    if (depth > 0 || parts.length === 0) continue;
    joined.push(
      parts.reduce((text, part) => `${text}${/(?:\b(?:do|then|else|in)|[;{)|&])$/.test(text) ? "" : ";"} ${part}`),
    );
    parts = [];
  }
  return [...joined, ...parts];
}

const opening = /(?:^|[;&|]\s*|\b(?:do|then|else)\s+)(?:for|while|until|if|case)\s/g;
const closing = /(?:^|[;\s])(?:done|fi|esac)(?=$|[\s;|&)<>])/g;

const commandsIn = (lines: readonly string[]): readonly string[] => lines.filter((line) => !line.startsWith("#"));
