import type { RunbookLink } from "../../base/agent.ts";

const link = /\[open runbook([^\]\n]{0,200})\]\(((?:[^()\s]|\([^()\s]{0,200}\)){1,1000})\)/gi;

/** http(s) without credentials, or a path inside the repository (AR-20). */
function isSafe(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character in an address is what this looks for
  if (/[\x00-\x20\x7f<>"'`\\]/.test(url)) return false;
  if (/^https?:\/\/[^/]/i.test(url)) {
    if (!URL.canParse(url)) return false;
    const { username, password } = new URL(url);
    return username === "" && password === "";
  }
  const path = url.replace(/[?#].*$/, "");
  const first = path.split("/", 1)[0] ?? "";
  const climbs = path.split("/").some((part) => /^(?:\.|%2e){2}$/i.test(part));
  return path !== "" && !path.startsWith("//") && !/[:%]/.test(first) && !climbs;
}

/** The folder of a SKILL.md or README.md, else the file. */
function nameOf(url: string): string {
  const parts = url
    .replace(/[?#].*$/, "")
    .split("/")
    .filter((part) => part !== "");
  const last = parts.at(-1) ?? url;
  return /^(?:skill|readme|index)\.\w+$/i.test(last) ? (parts.at(-2) ?? last) : last;
}

interface UnlinkedLine {
  /** With each link's name instead. */
  readonly text: string;
  /** Without the links. */
  readonly rest: string;
  readonly links: readonly RunbookLink[];
  /** Unsafe addresses. */
  readonly refused: number;
}

/** Removes the `[Open runbook](…)` links from a line; counts unsafe ones. */
export function takeRunbookLinks(line: string): UnlinkedLine {
  const links: RunbookLink[] = [];
  let refused = 0;
  let rest = "";
  let copied = 0;
  const text = line.replace(link, (whole: string, given: string, url: string, offset: number) => {
    if (line[offset - 1] === "`" || line[offset - 1] === "!") return whole;
    rest += line.slice(copied, offset);
    copied = offset + whole.length;
    const said = given.replace(/^[\s:·–—-]+/, "").trim();
    if (!isSafe(url)) {
      refused += 1;
      return said || "the runbook";
    }
    const label = said || nameOf(url);
    links.push({ label, url });
    return label;
  });
  return { text, rest: rest + line.slice(copied), links, refused };
}
