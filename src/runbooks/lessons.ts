import * as z from "zod";
import type { NamedValue } from "../base/action.ts";
import type { Skill } from "../base/github.ts";
import type { Shell } from "../base/server.ts";
import { alertNamesIn, cleanIncident, leadingAlertName } from "./match/clean.ts";
import { stopWords } from "./match/vocabulary.ts";
import { isKnownName, nameOf } from "./places.ts";
import { createPrepare } from "./prepare.ts";
import { adviceOf, shellBlocks, shellLinesOf } from "./sections.ts";
import { placeInRemark } from "./target.ts";

/** What an incident teaches the runbooks, without values that belong to it alone. Pure. */

/** Shorter values occur in commands by chance. */
const leastCharacters = 3;

/** Replaces known values by places such as `<namespace>`, but only if filling them gives exactly this command again. */
export function placesFor(command: string, values: readonly NamedValue[], shells: readonly Shell[]): string {
  const usable = values
    .filter(({ name, value }) => value.trim().length >= leastCharacters && isKnownName(nameOf(name)))
    .toSorted((a, b) => b.value.length - a.value.length);
  return usable.reduce((written, { name, value }) => {
    const open = written.replaceAll(wordOf(value), `<${nameOf(name).replaceAll("_", "-")}>`);
    const [filled] = createPrepare("", values, shells)(open);
    return filled?.command === command && filled.open.length === 0 ? open : written;
  }, command);
}

const wordOf = (text: string): RegExp => new RegExp(`(?<![\\w.-])${RegExp.escape(text)}(?![\\w-]|\\.\\w)`, "g");

type VolatileName = "pod" | "replicaset" | "job" | "container" | "pid" | "revision" | "id" | "host" | "time";

interface VolatileValue {
  readonly name: VolatileName;
  /** For a pod, its workload. */
  readonly stem: string;
}

/** Kubernetes' random names have no vowels and no 0, 1 or 3. */
const safe = "[bcdfghjklmnpqrstvwxz2456789]";
const podOfDeployment = new RegExp(`^(.+)-(?:${safe}{6,10}|(?=[a-z]*\\d)(?=\\d*[a-z])[a-z0-9]{8,10})-[a-z0-9]{5}$`);
const podOfJob = /^(.+)-\d{8,10}-[a-z0-9]{5}$/;
const podOfSet = new RegExp(`^(.+)-(?=[a-z]*\\d)(?=\\d*[a-z])${safe}{5}$`);
const podOfSetNamed = new RegExp(`^(.+)-${safe}{5}$`);
const replicaSet = new RegExp(`^(.+)-(?=[a-z]*\\d)(?=\\d*[a-z])${safe}{8,10}$`);
const cronJob = /^(.+)-(?:2[5-9]|3\d)\d{6}$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Short ones need letters and digits, because words have no digits. */
const hexOf = (least: number): string => `(?:[0-9a-f]{32,64}|(?=[a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{${least},64})`;
const hex = new RegExp(`^${hexOf(7)}$`, "i");
const endsInHex = new RegExp(`^(.+-)${hexOf(7)}$`, "i");
const bareHex = /^[0-9a-f]{7,40}$/i;
/** Hexadecimal by chance. */
const noHex = /(?:^|-)ed25519$/i;

const podBefore = /\b(?:pods?[/\s]|logs\s|exec\s)\s{0,9}(?:-\S{1,99}\s{1,9}){0,9}$/;
const gitBefore = /\bgit\s[^|;&]{0,300}$/;
const containerBefore = /\b(?:docker|podman|nerdctl|crictl|ctr)\s(?:[^|;&]{0,300}[^|;&:@])?$/;

function volatileWord(word: string, before: string): VolatileValue | undefined {
  const stemOf = (...shapes: readonly RegExp[]): string | undefined =>
    shapes.flatMap((shape) => shape.exec(word)?.[1] ?? [])[0];
  if (noHex.test(word)) return undefined;
  if (uuid.test(word)) return { name: "id", stem: "" };
  if (gitBefore.test(before) && bareHex.test(word)) return { name: "revision", stem: "" };
  const pod = stemOf(podOfDeployment, podOfJob, podOfSet, ...(podBefore.test(before) ? [podOfSetNamed] : []));
  if (pod !== undefined) return { name: "pod", stem: pod };
  const set = stemOf(replicaSet);
  if (set !== undefined) return { name: "replicaset", stem: set };
  const job = stemOf(cronJob);
  if (job !== undefined) return { name: "job", stem: job };
  if (hex.test(word)) return { name: containerBefore.test(before) ? "container" : "revision", stem: "" };
  return undefined;
}

const address =
  /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\w)|(?<![\w.:])(?:[0-9A-Fa-f]{0,4}:){2,8}(?:[0-9A-Fa-f]{1,4})?(?:\.\d{1,3}){0,3}(?![\w:]|\.\w)/g;
const ip = z.union([z.ipv4(), z.ipv6()]);
const ownAddress = /^(?:127\.|0\.0\.0\.0$|::1?$)/;
const day = String.raw`\d{4}-\d\d-\d\d`;
const clock = String.raw`\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?`;
const month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const time = new RegExp(
  [
    String.raw`(?<![\w-])${day}(?:[T _]${clock})?(?:Z|[+-]\d\d:?\d\d)?(?![\w-])`,
    String.raw`(?<!\w)${month} {1,2}\d{1,2}(?: ${clock})?(?![\w:])`,
    String.raw`(?<![\w:.])${clock}Z?(?![\w:])`,
    // Seconds or milliseconds since 1970, and a day as one number.
    String.raw`(?<![\w.])1[5-9]\d{8}(?:\d{3})?(?![\w.])`,
    String.raw`(?<![^\W_])20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:T?\d{6}Z?)?(?![A-Za-z0-9])`,
  ].join("|"),
  "g",
);
/** Programs and options that take a process id. */
const process =
  /(\b(?:kill|jstack|jmap|jcmd|jinfo|pmap|pstack|gcore|pwdx|taskkill|stop-process)\b(?:\s+-[^\s|;&]+)*\s+(?:-s\s+\w+\s+)?|\b(?:strace|ltrace|ps|lsof|gdb|perf|top|htop|nsenter|renice|ionice|taskset|chrt|prlimit|py-spy)\b[^|;&\n]{0,200}?\s(?:-[a-z]*p|--pid|-t|--target)[\s=]{1,3}|\B-Id\s+|\/pid\s+|\/proc\/|\b(?:pid|process)[\s:=#]{1,3})\d{1,8}(?:\s+\d{1,8})*(?![\w.])/gi;
const revision = /(--(?:to-)?revision[\s=]{1,3}|\bhelm\s+rollback\s+[^\s|;&]+\s+)\d+(?![\w.])/g;

function replaceVolatile(text: string, write: (value: VolatileValue) => string): string {
  const as = (name: VolatileName) => write({ name, stem: "" });
  return text
    .replace(address, (found) => (!ip.safeParse(found).success || ownAddress.test(found) ? found : as("host")))
    .replace(process, (_whole, before: string) => `${before}${as("pid")}`)
    .replace(revision, (_whole, before: string) => `${before}${as("revision")}`)
    .replace(/[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*/g, (word, at: number, whole: string) => {
      const found = volatileWord(word, whole.slice(Math.max(0, at - 400), at));
      if (found) return write(found);
      const tail = noHex.test(word) ? undefined : endsInHex.exec(word)?.[1];
      return tail === undefined ? word : `${tail}${as("revision")}`;
    })
    .replace(time, () => as("time"));
}

/** Writes places for volatile values; filling one quotes it, so quotes around it go. */
export const placesForVolatile = (command: string): string =>
  replaceVolatile(command, ({ name }) => `<${name}>`).replace(/(["'])(<[a-z]+>)\1/g, "$2");

/** Removes volatile values, so that the sentence fits the next incident. */
export const withoutVolatile = (text: string): string =>
  replaceVolatile(text, ({ stem }) => stem || " ")
    .replace(/\(\s*\)|\[\s*\]/g, " ")
    .replace(/\s+([,.:;)])/g, "$1")
    .replace(/\s{2,}/g, " ")
    .trim();

const gap = /<[a-z][\w-]*>|\{\{[^{}\s]*\}\}|\$\{?[A-Z][A-Z0-9_]+\}?/gi;

/** A command line split at its blanks, without a leading `sudo`. */
export const commandWords = (command: string): readonly string[] =>
  command
    .trim()
    .replace(/^sudo\s+/, "")
    .split(/\s+/);

function isSame(written: string, word: string): boolean {
  const parts = written.split(gap);
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return written === word;
  return word.length > first.length + last.length && word.startsWith(first) && word.endsWith(last);
}

/**
 * Creates a test for whether a runbook has a command, under any heading, as `# check:` or `# undo:`. Ignores spaces, `sudo` and open
 * values; a script needs every line.
 */
export function createKnows(skills: readonly Pick<Skill, "body">[]): (command: string) => boolean {
  const known = skills.flatMap(({ body }) => {
    const advised = [...adviceOf(body).values()].flatMap(({ check, undo }) =>
      [check, undo].flatMap((text) => text ?? []),
    );
    return [...shellLinesOf(body), ...advised];
  });
  const has = (line: string): boolean => known.some((one) => isWritten(one, line));
  return (command) =>
    command
      .split("\n")
      .filter((line) => line.trim() !== "")
      .every(has);
}

/** A command as a runbook writes it. */
export interface RunbookStep {
  readonly command: string;
  /** As it ran, with this incident's values. */
  readonly ran: string;
  readonly check?: string | undefined;
  /** The server it is for; undefined for the incident's own. */
  readonly place?: string | undefined;
  /** A runbook has it: it only shows where the others belong. */
  readonly isKnown?: boolean;
}

interface Addition {
  /** They only read. In the order in which they ran, as are the acts. */
  readonly looks: readonly RunbookStep[];
  readonly acts: readonly RunbookStep[];
  /** Names of servers, with which a remark can name a place. */
  readonly servers?: readonly string[];
}

/** Remarks that name another place, and the steps below them; it begins at `place`. */
function writeSteps(steps: readonly RunbookStep[], place?: string): readonly string[] {
  let current = place;
  return steps.flatMap((step) => {
    const remark = step.place === current ? [] : [remarkOf(step.place)];
    current = step.place;
    return [...remark, ...step.command.split("\n"), ...(step.check === undefined ? [] : [`# check: ${step.check}`])];
  });
}

const remarkOf = (place: string | undefined): string =>
  place === undefined ? "# on the server that the incident names" : `# on ${place}`;

/** Lines of context. */
const around = 3;
const advice = /^\s*#\s*(?:check|undo|expect(?:ed|s)?)\s*:/i;
const remark = /^\s*#/;

/**
 * Returns a unified diff that adds the steps that no runbook has to their sections: before the next step of their order that stands there,
 * else behind the last one, else at the end. Undefined if there is nothing to add.
 */
export function patchRunbook(path: string, text: string, { looks, acts, servers = [] }: Addition): string | undefined {
  const lines = text.split("\n");
  const endsWell = lines.at(-1) === "";
  if (endsWell) lines.pop();
  const blocks = shellBlocks(text).map((block) => ({ ...block, from: startOf(lines, block.end) }));
  const insertions = new Map<number, string[]>();
  const insert = (at: number, more: readonly string[]) => insertions.set(at, [...(insertions.get(at) ?? []), ...more]);
  for (const [section, title, steps] of [
    ["verify", "Verify", looks],
    ["act", "Act (each needs an approval)", acts],
  ] as const) {
    if (steps.every(({ isKnown }) => isKnown)) continue;
    const own = blocks.filter((block) => block.section === section);
    const last = own.at(-1);
    const lineOf = ({ ran }: RunbookStep): number | undefined =>
      own.flatMap(({ from, end }) => {
        const at = lines.slice(from, end).findIndex((line) => isWritten(line, ran));
        return at < 0 ? [] : [from + at];
      })[0];
    /** Before an act that it enabled, with the remarks above that; reads stand behind one another. */
    const placeFor = (index: number): number | undefined => {
      const next = section === "act" ? steps.slice(index + 1).find((step) => lineOf(step) !== undefined) : undefined;
      const before = next && lineOf(next);
      if (before !== undefined) {
        let at = before;
        while (remark.test(lines[at - 1] ?? "") && !advice.test(lines[at - 1] ?? "")) at -= 1;
        return at;
      }
      const previous =
        section === "act" ? steps.slice(0, index).findLast((step) => lineOf(step) !== undefined) : undefined;
      const behind = previous && lineOf(previous);
      if (behind === undefined) return last?.end;
      let at = behind + 1;
      while (advice.test(lines[at] ?? "")) at += 1;
      return at;
    };
    const missing = steps.flatMap((step, index) => (step.isKnown ? [] : [{ step, at: placeFor(index) }]));
    for (const [at, group] of Map.groupBy(missing, (one) => one.at)) {
      const added = group.map(({ step }) => step);
      if (at === undefined) {
        insert(lines.length, ["", `## ${title}`, "", "```sh", ...writeSteps(added), "```"]);
        continue;
      }
      const block = own.find(({ from, end }) => from <= at && at <= end);
      const place = placeAt(lines.slice(block?.from ?? at, at), servers);
      const isFollowed = block !== undefined && at < block.end && !remark.test(lines[at] ?? "");
      const isBack = added.at(-1)?.place === place || !isFollowed;
      insert(at, [...writeSteps(added, place), ...(isBack ? [] : [remarkOf(place)])]);
    }
  }
  if (insertions.size === 0) return undefined;
  // Insertions with overlapping context share a hunk.
  const hunks: Insertion[][] = [];
  for (const one of [...insertions].sort(([a], [b]) => a - b)) {
    const last = hunks.at(-1);
    const before = last?.at(-1)?.[0];
    if (last && before !== undefined && one[0] - before <= 2 * around) last.push(one);
    else hunks.push([one]);
  }
  return [`--- a/${path}`, `+++ b/${path}`, ...drawHunks(hunks, lines, endsWell)].join("\n");
}

type Insertion = readonly [at: number, added: readonly string[]];

const noNewline = "\\ No newline at end of file";

function drawHunks(
  hunks: readonly (readonly Insertion[])[],
  lines: readonly string[],
  endsWell: boolean,
): readonly string[] {
  let shift = 0;
  return hunks.flatMap((hunk) => {
    const from = Math.max(0, (hunk[0]?.[0] ?? 0) - around);
    const to = Math.min(lines.length, (hunk.at(-1)?.[0] ?? 0) + around);
    const body: string[] = [];
    for (let at = from; at <= to; at += 1) {
      const added = hunk.find(([place]) => place === at)?.[1] ?? [];
      // A last line without a newline changes if a line follows.
      const isCutOff = at === to && to === lines.length && !endsWell;
      const last = lines[at - 1];
      if (isCutOff && added.length > 0 && last !== undefined) body.splice(-1, 1, `-${last}`, noNewline, `+${last}`);
      body.push(...added.map((line) => `+${line}`));
      if (isCutOff && (added.length === 0 || last === undefined)) body.push(noNewline);
      if (at < to) body.push(` ${lines[at]}`);
    }
    const more = hunk.reduce((sum, [, added]) => sum + added.length, 0);
    const start = to === from ? from : from + 1;
    const head = `@@ -${start},${to - from} +${start + shift},${to - from + more} @@`;
    shift += more;
    return [head, ...body];
  });
}

/** The line behind a block's opening fence; an indented block's end. */
function startOf(lines: readonly string[], end: number): number {
  const isFence = (at: number): boolean => /^\s*(?:```|~~~)/.test(lines[at] ?? "");
  if (!isFence(end)) return end;
  let at = end;
  while (at > 0 && !isFence(at - 1)) at -= 1;
  return at;
}

function placeAt(above: readonly string[], servers: readonly string[]): string | undefined {
  const last = above.findLast((line) => remark.test(line) && !advice.test(line));
  return last === undefined ? undefined : placeInRemark(last.replace(/^\s*#+\s*/, ""), servers);
}

const isWritten = (line: string, command: string): boolean => {
  const [written, ran] = [commandWords(line), commandWords(command.split("\n")[0] ?? "")];
  return written.length === ran.length && written.every((word, at) => isSame(word, ran[at] ?? ""));
};

/** Returns the values that commands had where a runbook's same commands have places: `$SERVICE` in `systemctl restart $SERVICE`. */
export function valuesInPlaces(body: string, commands: readonly string[]): readonly NamedValue[] {
  const pairs = shellLinesOf(body).flatMap((line) =>
    commands.flatMap((command) => (line !== command && isWritten(line, command) ? [[line, command] as const] : [])),
  );
  return pairs.flatMap(([line, command]) => {
    const words = commandWords(command);
    return commandWords(line).flatMap((written, at): readonly NamedValue[] => {
      const [place, ...more] = written.match(gap) ?? [];
      if (place === undefined || more.length > 0) return [];
      const [before = "", after = ""] = written.split(gap);
      const value = (words[at] ?? "").slice(before.length).slice(0, after === "" ? undefined : -after.length);
      return /[<>]/.test(value) ? [] : [{ source: "alert", name: place.replace(/.*\.|[^\w-]/g, ""), value }];
    });
  });
}

interface SkillBasis {
  readonly title: string;
  readonly body: string;
  readonly alerts: readonly string[];
  readonly withoutNames: (text: string) => string;
  /** They only read. */
  readonly looks: readonly RunbookStep[];
  readonly acts: readonly RunbookStep[];
}

/** Drafts a skill (Agent Skills specification) that the matcher finds for this very incident. */
export function draftSkill(from: SkillBasis): { readonly name: string; readonly text: string } {
  const { looks, acts, withoutNames } = from;
  const title = recurringTitle(from.title, withoutNames);
  // A capital letter alone makes no title an alert's name.
  const leading = leadingAlertName(from.title);
  const all = [...from.alerts, ...(leading === undefined ? [] : [leading]), ...alertNamesIn("", from.body).label];
  const fit = all.filter((name) => /^[A-Za-z][\w-]{2,120}$/.test(name) && withoutVolatile(name) === name);
  const alerts = [...new Map(fit.toReversed().map((name) => [name.toLowerCase(), name])).values()]
    .reverse()
    .slice(0, mostAlerts);
  const name = nameFor(
    [...from.alerts, ...(leading === undefined ? [] : [leading])].find((one) => alerts.includes(one)) ?? title,
  );
  // Single words only: an outsider's sentences must not instruct the runbook's readers.
  const spoken = withoutVolatile(withoutNames(cleanIncident(from.body))).match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = spoken.filter((word) => /\p{L}/u.test(word) && word.length <= longestWord && !isFunctionWord(word));
  const words = [...new Map(telling.map((word) => [word.toLowerCase(), word])).values()].slice(0, mostWords);
  const block = (heading: string, steps: readonly RunbookStep[]): readonly string[] =>
    steps.length === 0 ? [] : ["", `## ${heading}`, "", "```sh", ...writeSteps(steps), "```"];
  const text = [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(`${title}. Use when it happens again.`)}`,
    ...(alerts.length === 0 ? [] : ["metadata:", `  alerts: ${JSON.stringify(alerts.join(", "))}`]),
    "---",
    ...(words.length === 0 ? [] : ["", `What the incident spoke of: ${words.join(", ")}.`]),
    ...block("Verify", looks),
    ...block("Act (each needs an approval)", acts),
  ];
  return { name, text: text.join("\n") };
}

/** `down` and `not` tell something. */
const isFunctionWord = (word: string): boolean =>
  stopWords.has(word.toLowerCase()) && !/^(?:down|up|out|off|over|no|not|cannot)$/i.test(word);

const leadsOn =
  /^(?:[^\p{L}\p{N}]+|since|at|from|until|till|and|on|in|of|by|for|with|to|seit|ab|um|bis|von|depuis|dès|desde|dal|od|с)$/iu;

/** Takes words off the end that lead to what is gone: `… above 5 % since`. */
function withoutLooseEnds(title: string): string {
  const words = title.split(" ");
  while (words.length > 1 && leadsOn.test(words.at(-1) ?? "")) words.pop();
  return words.join(" ").replace(/[\s,;:(–—-]+$/u, "") || title;
}

/** Whole words of the first clause, without numbers, and at its ends without words that tell nothing. */
function nameFor(title: string): string {
  const words = (clausesOf(title)[0] ?? "")
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1-")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => /[a-z]/.test(word));
  const telling = words.slice(words.findIndex((word) => !isFunctionWord(word)));
  let kept = telling.slice(0, 1);
  for (const word of telling.slice(1)) {
    if ([...kept, word].join("-").length > longestName) break;
    kept = [...kept, word];
  }
  return kept.slice(0, kept.findLastIndex((word) => !isFunctionWord(word)) + 1).join("-") || "incident";
}

const clausesOf = (title: string): readonly string[] => title.split(/[,;(]|\s[–—-]\s|[.!?](?:\s|$)/);

/** Says it for the next time: without names, counts and what they leave loose. */
function recurringTitle(title: string, withoutNames: (text: string) => string): string {
  const own = plain(withoutVolatile(withoutNames(title.replace(/^\s*(?:\[[^\]]*\]\s*)+/, "")))).replace(
    /^[\s:,;–—-]+/,
    "",
  );
  const [first = "", ...more] = own.split(/(?=[,;])/);
  const kept = more.filter((clause) => !/(?<![\p{L}\p{N}_.-])\d+(?![\p{L}\p{N}_.-]|\s?%)/u.test(clause)).join("");
  return withoutLooseEnds(`${/^(?:is|has|was|does|cannot)\s/.test(first) ? "A server " : ""}${first}${kept}`);
}

const longestName = 40;

const plain = (text: string): string => text.replace(/\s+/g, " ").replaceAll("<!--", "<! --").trim();

const mostAlerts = 5;

const mostWords = 60;
const longestWord = 40;
