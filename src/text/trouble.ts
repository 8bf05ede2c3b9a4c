import { markAddressed } from "../base/run.ts";
import { createPeerReader, type OddRow } from "./read/peers.ts";
import { createTableReader, isBadField, type TableRow } from "./read/table.ts";
import { speechAt } from "./speech.ts";

/** With a dot, slash or hyphen it names a file, unit or column. */
const word = (words: string): RegExp => new RegExp(String.raw`(?<![\w./-])(?:${words})(?![\w/]|[.-]\w)`, "i");

/** Signs of trouble, most telling first (AR-15). Each pattern is linear. */
const signs: readonly { readonly weight: number; readonly pattern: RegExp }[] = [
  { weight: 9, pattern: word("no space left|disk quota exceeded|read-only file system|input/output error") },
  { weight: 9, pattern: word("out of memory|oom[- ]?kill(?:ed|er)?|oom|cannot allocate memory") },
  { weight: 9, pattern: word("panic|segfault|segmentation fault|core dumped|kernel bug") },
  { weight: 8, pattern: word("traceback|exception|stack overflow|unhandled") },
  { weight: 8, pattern: /\b[A-Z][A-Za-z]{0,60}(?:Error|Exception)\b(?![/-]|\.\w)/ },
  { weight: 8, pattern: word("refused|connection reset|timed out|timeout|unreachable|no route to host") },
  { weight: 7, pattern: /\bnot (?:reachable|responding|healthy)\b/i },
  { weight: 8, pattern: word("denied|forbidden|unauthori[sz]ed|not permitted") },
  {
    weight: 8,
    pattern: word(
      "(?:password|terminal|tty) is required|incorrect password|not in the sudoers file|not allowed to (?:execute|run)",
    ),
  },
  {
    weight: 8,
    pattern:
      /\b(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENOSPC|EDQUOT|EROFS|ENOMEM|EMFILE|EACCES|EPERM|ENOENT|EADDRINUSE|EPIPE|EIO)\b/,
  },
  { weight: 7, pattern: word("fatal|critical|crit|emerg|alert|killed|aborted|crash(?:ed)?|crashloopbackoff") },
  { weight: 7, pattern: word("no such file or directory|command not found|not recognized|address already in use") },
  {
    weight: 7,
    pattern: word(
      "too many open files|stale (?:nfs )?file handle|(?:resource|file) busy|argument list too long|name or service not known|deadlock (?:detected|found)|unexpected eof|checksum mismatch",
    ),
  },
  // As Kubernetes writes them.
  {
    weight: 7,
    pattern:
      /\b(?:[A-Z]\w{0,40}BackOff|ErrImage\w{1,20}|Failed[A-Z]\w{1,30}|Evicted|(?:Node)?NotReady|Insufficient (?:cpu|memory|ephemeral-storage))\b/,
  },
  // A member of an array that is gone, as the kernel writes it; a part of something that has no place.
  {
    weight: 7,
    pattern:
      /\[[U_]{0,30}_[U_]{0,30}\]|\w\[\d{1,3}\]\(F\)|(?<![\w-])(?:UNASSIGNED|DOWN|OFFLINE(?!:\s{0,9}\[\s{0,9}\])|HEALTH_ERR|HEALTH_WARN|(?:storage|disk|volume|queue)-full)(?![\w-])/,
  },
  // A process that its parent never asked about.
  { weight: 5, pattern: /<defunct>/ },
  // A member of a bundle that is down, suspended or by itself, as switches write it.
  { weight: 6, pattern: /\b[A-Z][A-Za-z]{1,10}\d{1,3}(?:\/\d{1,3}){1,3}\([DsIw]\)/ },
  // A field that says how something ended or is.
  // What a mail server answered; what could not be delivered.
  { weight: 6, pattern: /\bsaid: [45]\d\d[ -]/ },
  {
    weight: 5,
    pattern: /(?:^|[\w.-])(?:dlq|dead[-_.]?letters?)(?:[-_.]queue)?["']?(?:\s{1,60}|\s{0,20}[|:=,]\s{0,20})[1-9]/i,
  },
  { weight: 5, pattern: /^\W{0,4}Missing (?:[a-z]{2,20} ){1,3}\S{3}[^:]{0,200}$/ },
  { weight: 6, pattern: /\bexited with (?:code |status )?[1-9]/i },
  { weight: 7, pattern: /\bexit[ _-]?(?:code|status)["']?\s{0,8}[=:]\s{0,80}["']?-?[1-9]/i },
  { weight: 7, pattern: /^\s{0,80}(?:ready|healthy|available)["']?:\s{1,80}["']?false\b/i },
  // `Dead nodes: 2`, `down: ['web-3']`.
  {
    weight: 6,
    pattern:
      /^\s{0,20}(?:down|dead|failed|offline|unreachable|missing)(?: [a-z]{2,30}s)?\s{0,8}:\s{1,8}(?!0\b|no(?:ne)?\b|null\b|nil\b|false\b|n\/a|\[\]|\{\}|""|''|-)\S/i,
  },
  { weight: 7, pattern: /\bORA-(?!00000)\d{5}\b/ },
  { weight: 6, pattern: word("will expire|alarms? (?:on|raised|active|set)") },
  // A counter that is not 0.
  { weight: 6, pattern: /^\s{0,80}[1-9]\d{0,15} [^\n]{0,60}\boverflow(?:s|ed)?\b/i },
  // `Usage of /: 97.2% of 40GB`; not `used 3%, 97% free`.
  {
    weight: 6,
    pattern:
      /\b(?:disk|inodes?|usage|used|utili[sz]ation|full)\b[^\n%\d]{0,20}(?:9\d|100)(?:\.\d{1,3})?\s?%(?!\s{1,3}(?:free|idle|available))/i,
  },
  { weight: 6, pattern: word(String.raw`(?:\w{1,40}_)?errors?|err`) },
  { weight: 6, pattern: word("fail|failed|failure|failing|could not|couldn['’]t|cannot|unable to|is missing") },
  {
    weight: 6,
    pattern: word("(?:unrecogni[sz]ed|unknown|illegal) (?:option|flag|switch)|option requires an argument"),
  },
  {
    weight: 5,
    pattern: word(
      "invalid|corrupt(?:ed)?|expired|dead|faulted|faulty|inconsistent|degraded|broken pipe|bad gateway|unavailable|unhealthy",
    ),
  },
];

/** Most lines have no stem and need only this test. */
const stem =
  /\[[u_]|\([dsiwf]\)|said: |dlq|UNASSIGNED|down|offline|missing|couldn|ORA-|-full|HEALTH_|exit|false|err|fail|den[iy]|refus|time|unreach|except|fatal|crit|emerg|alert|kill|abort|crash|invalid|corrupt|expir|dead|faulte|faulty|inconsist|degrad|broken|gateway|unavail|no |not |cannot|unable|space|quota|read-only|output|memory|oom|panic|seg|dump|bug|trace|overflow|unhandled|reset|forbid|unauth|in use|econn|etimed|ehost|enospc|edquot|erofs|enomem|emfile|eacces|eperm|enoent|eaddr|epipe|eio|backoff|evict|notready|insufficient|too |requir|incorrect|stale|%|busy|alarm|unhealthy|deadlock|defunct|unexpected|mismatch|unrecogni|unknown |illegal /i;

const named =
  "errors?|err|exceptions?|failures?|failed|fail|fatal|critical|crit|alerts?|dead|killed|denied|refused|timeouts?|unreachable|invalid|expired|unavailable|degraded|unhealthy";

/** No trouble, a time limit, or a log level; the rest of the line counts. */
const harmless: readonly RegExp[] = [
  // `errors: 0`, `"error": null`, `RX errors 0`, `Failed Devices : 0`.
  new RegExp(
    String.raw`\b(?:\w{1,40}_)?(?:${named})\b["']?(?:\s[a-z_]\w{0,19}\b\.?){0,5}["']?\s{0,8}(?:[=:|]\s{0,60})?(?:["']?(?:0+(?:\.0+|x0+)?%?(?![\w.:])|(?<=[=:|\s])(?:(?:false|null|nil|off|n\/a)\b|(?:no|none)\b(?!\s\w)))|<nil>|\[\]|""|'')`,
    "gi",
  ),
  new RegExp(
    String.raw`\b(?:no|0|zero|without)\s{1,3}(?:(?:known|new|recent|other)\s{1,3})?(?:\w{1,20}\s{1,3})?(?:${named})\b`,
    "gi",
  ),
  /\b(?:errors|failures|exceptions|alerts)\s{0,8}:\s{0,80}$/gi,
  /^\s{0,80}\w{1,40}_(?:error|failure|exception|alert)\s{0,8}[:=]\s{0,80}$/gi,
  // A driver's counter that has counted a few since its start.
  /\b\w{1,40}_(?:errors|errs|failures)["']?\s{0,8}[:=|]?\s{0,8}[1-9]$/gi,
  // What has had its time, counted.
  /\bexpired[ _]\w{2,30}\s{0,40}[:=]\s{0,40}\d/gi,
  // A count at the beginning: `corrupt   0   -`.
  /^\W{0,4}(?:corrupt(?:ed)?|faulted|faulty|aborted|crashed|lost|missing|down|offline|evicted)["']?[\s|:=]{1,40}0(?![\w.])/gi,
  // What was put right, or logged.
  /\berror information log entries\b/gi,
  /\b[1-9]\d{0,2} (?:corrected|correctable|recovered|soft) errors?\b/gi,
  // A systemd unit that was never started.
  /\binactive\s{1,8}dead\b/gi,
  // `timeout: 60.0 seconds`, `timeout 1m30s`; not `timeout: 60.0 seconds exceeded`.
  /\btimeouts?\b["']?\s{0,8}[=:|]?\s{0,8}["']?(?:\d{1,3}[hm]){0,2}\d{1,9}(?:\.\d{1,9})?(?!\d|\.\d|\s?[a-z]{0,7}\s{1,3}(?:exceeded|reached|elapsed|hit)\b)\s?(?:ms|msecs?|s|m|h|secs?|seconds?|mins?|minutes?|hours?)?\b/gi,
  // A limit: `(high = +85.0°C, crit = +100.0°C)`.
  /\b(?:crit|critical|emergency|alarm|warn)(?:[ _](?:hyst|min|max|low|high))?\s{0,3}[=:]\s{0,3}[+-]?\d{1,6}(?:\.\d{1,6})?\s?(?:°[CF]|[mk]?[VWA]\b|RPM\b|%)/g,
  // What a mount or a kernel does at the next error.
  /\b(?:errors=(?:remount-ro|continue|panic)|panic=-?\d{1,9})\b/gi,
  // A probe's limits, `25% max unavailable`.
  /#\w{1,20}=\d{1,9}\b|\bmax(?:imum)? unavailable\b/gi,
  // `--log-level error`, `componentLogLevel=misc:error,http:error`.
  /(?:\b|[a-z])log[_-]?level\b\W{1,8}(?:[\w.-]{1,40}:)?(?:error|err|crit|critical|alert|emerg|fatal)\b(?:,[\w.-]{1,40}:\w{1,20}){0,20}/gi,
];

/** `RX:  bytes packets errors dropped  missed`, `pid | state | error`, `time,level,error`. */
function isHead(line: string): boolean {
  if (/^\s{0,80}\w{1,40}(?:\s{0,80}[,|]\s{0,80}\w{1,40}){2,}\s{0,80}$/.test(line))
    return !/^\W*\w+(?:, \w+)+$/.test(line);
  const cells = line.split("|");
  if (cells.length > 4 && cells.every((cell) => /^\s{0,80}\p{Lu}[^\d]{0,40}$/u.test(cell))) return true;
  const parts = line.trim().split(/(\s+)/);
  const words = parts.filter((_, index) => index % 2 === 0);
  const wide = parts.filter((part, index) => index % 2 === 1 && part.length > 1).length;
  const isBare = words.every((one) => /^[a-z%/_-]+:?$/i.test(one));
  return (
    isBare && words.length > 3 && wide * 2 >= words.length - 1 && !/^(?:error|err|fatal|warn|crit)/i.test(line.trim())
  );
}

const addressedWeight = 10;
const oddWeight = 5;
const fieldWeight = 6;

const longestLine = 2_000;
const mostLines = 5;
const toldCharacters = 120;

/** Counted from 1. */
interface TroubleLine {
  readonly line: number;
  readonly text: string;
}

/** Holds one line and the findings. */
interface TroubleSearch {
  readonly push: (text: string) => void;
  readonly found: () => readonly TroubleLine[];
}

export function createTroubleSearch(): TroubleSearch {
  const found: (TroubleLine & { readonly weight: number })[] = [];
  const judge = createLineJudge();
  let line = 0;
  let open = "";
  const look = (at: number, text: string, into: typeof found): void => {
    const least = into.length < mostLines ? 0 : (into.at(-1)?.weight ?? 0);
    const { sign, earlier } = judge(text, least);
    if (!sign && earlier.length === 0) return;
    for (const one of [
      ...(sign ? [{ line: at, ...sign }] : []),
      ...earlier.map((odd) => ({ ...odd, line: at - odd.back })),
    ])
      if (!into.some((other) => other.text === one.text)) into.push(one);
    into.sort((a, b) => b.weight - a.weight || a.line - b.line);
    into.splice(mostLines);
  };
  return {
    push: (text) => {
      const [first = "", ...rest] = text.split("\n");
      open += first.slice(0, longestLine - open.length);
      for (const next of rest) {
        line += 1;
        look(line, open, found);
        open = next.slice(0, longestLine);
      }
    },
    found: () => {
      const all = [...found];
      look(line + 1, open, all);
      return all.map(({ line: at, text }) => ({ line: at, text }));
    },
  };
}

interface TroubleSign {
  /** What tells of it: the line or its part. */
  readonly text: string;
  readonly weight: number;
}

/** A line, and the sign of trouble in it that weighs more than `least`. */
export interface JudgedLine {
  readonly kind: "head" | "row" | "other";
  readonly sign: TroubleSign | undefined;
  /** Lines before it that it shows to be unlike their peers, and how many lines ago. */
  readonly earlier: readonly (TroubleSign & { readonly back: number })[];
  readonly row?: Pick<TableRow, "name" | "says" | "age" | "like"> | undefined;
}

/** Tells the lines of a diff, in their order: a hunk has as many as its head counts, a plain diff marks each. */
function createDiffReader(): (line: string) => boolean {
  let [old, fresh, isMarked] = [0, 0, false];
  const isInHunk = (sign: string): boolean => {
    const isBoth = sign === " " || sign === "";
    // "\ No newline at end of file" counts on neither side.
    if (sign === "\\") return old + fresh > 0;
    const takes = { old: isBoth || sign === "-" ? 1 : 0, fresh: isBoth || sign === "+" ? 1 : 0 };
    const isIn = takes.old + takes.fresh > 0 && takes.old <= old && takes.fresh <= fresh;
    [old, fresh] = isIn ? [old - takes.old, fresh - takes.fresh] : [0, 0];
    return isIn;
  };
  return (line) => {
    const [hunk, from = "1", to = "1"] = /^@@ -\d+(?:,(\d{1,9}))? \+\d+(?:,(\d{1,9}))? @@/.exec(line) ?? [];
    const isPlainHead = /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/.test(line);
    if (hunk !== undefined || isPlainHead) {
      [old, fresh, isMarked] = isPlainHead ? [0, 0, true] : [Number(from), Number(to), false];
      return true;
    }
    isMarked &&= /^(?:[<>](?: |$)|---$)/.test(line);
    return isMarked || isInHunk(line.charAt(0));
  };
}

type EarlierSign = JudgedLine["earlier"][number];

/** Ordinary lines have none: nothing is made for them. */
const none: readonly EarlierSign[] = [];
const oddSign = ({ back, line, at }: OddRow): EarlierSign => ({ back, text: around(line, at), weight: oddWeight });

/** Judges an output's lines in their order; a table's head says what its rows mean, and peers what is odd. Holds one head. */
export function createLineJudge(): (line: string, least: number) => JudgedLine {
  const readLine = createTableReader();
  const readPeers = createPeerReader();
  const isDiff = createDiffReader();
  return (line, least) => {
    // Words of two files report nothing, and still may speak to the agent.
    if (isDiff(line)) return { kind: "other", sign: signOf(line, "", least), earlier: [] };
    const { odd, nameEnds = 0 } = readPeers(line);
    const told = odd.length === 0 || least >= oddWeight ? none : odd.map(oddSign);
    const earlier = told.length === 0 ? none : told.filter(({ back }) => back > 0);
    const own = told.find(({ back }) => back === 0);
    const read = readLine(line);
    // A name is no report: `Config Err | ok`.
    const judged = nameEnds === 0 ? line : " ".repeat(nameEnds) + line.slice(nameEnds);
    if (read.kind === "other")
      return {
        kind: "other",
        sign: signOf(line, judged, least) ?? fieldSign(line, least) ?? pairSign(line, least) ?? own,
        earlier,
      };
    if (read.kind === "head") return { kind: "head", sign: signOf(line, "", least), earlier };
    const said = signOf(line, read.rest, Math.max(least, read.weight), true);
    const sign = said ?? (read.weight > least ? { text: around(line, read.at), weight: read.weight } : own);
    return { kind: "row", sign, earlier, row: read };
  };
}

const field = /^\s{0,80}["']?(?<name>\p{L}[\p{L}\p{N} ._-]{0,40}?)["']?\s{0,20}[:=]\s{0,80}["']?(?<value>\S.{0,80})/u;

function fieldSign(line: string, least: number): TroubleSign | undefined {
  const { name = "", value = "" } = fieldWeight > least ? (field.exec(line)?.groups ?? {}) : {};
  return isBadField(name, value) ? { text: around(line, line.indexOf(value)), weight: fieldWeight } : undefined;
}

const sensor = String.raw`:\s{1,40}\+?(?<first>-?\d{1,6}(?:\.\d{1,3})?) ?(?:RPM|[mk]?[VWA]|°?C)\s{1,20}\(`;

interface NumberPair {
  /** A line without it needs no look. */
  readonly stem: string;
  readonly pattern: RegExp;
  readonly isBad: (first: number, second: number) => boolean;
}

const expiryDays = 7;
const leastBehind = 300;

/** A number beside the one that it should reach or stay below: `3/4 OK`, `8 licenses issued; 8 in use`, `-3 days left`. */
const pairs: readonly NumberPair[] = [
  {
    stem: "/",
    pattern:
      /(?<![\d/.])(?<first>\d{1,6})\/(?<second>\d{1,6}) (?:\p{L}{2,20} )?(?:ok|up|online|ready|healthy|running|available|alive|reachable|connected)(?![\w-])/iu,
    isBad: (is, wanted) => is < wanted,
  },
  {
    stem: "use",
    pattern:
      /\b(?<first>\d{1,7}) (?:\p{L}{2,20} )?(?:issued|allowed|licensed|purchased)\b.{1,40}?\b(?<second>\d{1,7}) (?:\p{L}{2,20} )?(?:in ?use|used)\b/iu,
    isBad: (most, used) => used > 0 && used >= most,
  },
  {
    stem: " day",
    pattern:
      /(?:expir\w{0,20}|valid\w{0,20}|cert\w{0,20}|licen[cs]e\w{0,20})\b.{0,60}?(?<![\d.-])(?<first>\d{1,5})(?<second> )days?(?: left| remaining|\)|$)/i,
    isBad: (days) => days < expiryDays,
  },
  // A sensor beside its limits: `fan2: 0 RPM (min = 600 RPM)`; a limit of 0 is none.
  {
    stem: "(",
    pattern: new RegExp(String.raw`${sensor}(?:min|low) {0,4}= {0,4}\+?(?<second>-?[\d.]{1,9})`, "i"),
    isBad: (value, least) => least > 0 && value < least,
  },
  {
    stem: "(",
    pattern: new RegExp(
      String.raw`${sensor}[^)\n]{0,60}?\b(?:max|high|crit) {0,4}= {0,4}\+?(?<second>-?[\d.]{1,9})`,
      "i",
    ),
    isBad: (value, most) => most > 0 && value >= most,
  },
  {
    stem: " day",
    pattern: /(?<![\w.])(?<first>-\d{1,5})(?<second> )days? (?:left|remaining)\b/i,
    isBad: () => true,
  },
  {
    stem: "(",
    pattern: /\b(?<first>[1-9]\d{0,6}) \((?<second>\d{1,7}) (?:busy|used|in use)\)/i,
    isBad: (most, used) => used >= most,
  },
  {
    stem: "0 ",
    pattern: /^\W{0,4}(?<first>0)(?<second> )(?:[a-z]{2,12} )?(?:workers|consumers|brokers|runners|agents)\b/,
    isBad: () => true,
  },
  // A value that its tool marks as far beyond a limit, as switches do.
  {
    stem: " --  ",
    pattern: /\s(?<first>-?\d{1,4}\.\d{1,3})(?<second> )--\s{2}/,
    isBad: () => true,
  },
  {
    stem: " behind",
    pattern: /(?<![\d.])(?<first>\d{1,9})(?<second> )s(?:ec(?:ond)?s?)?\b.{0,20} behind\b/i,
    isBad: (seconds) => seconds >= leastBehind,
  },
];

/** Most lines have no pair and need only this test. */
const mayPair = /\(| day|use| behind| -- {2}|\d\/\d+ [A-Za-z]|^\W{0,4}0 /;

function pairSign(line: string, least: number): TroubleSign | undefined {
  if (fieldWeight <= least || line.length > longestPair) return undefined;
  if (!mayPair.test(line)) return undefined;
  for (const { stem: part, pattern, isBad } of pairs) {
    if (!line.includes(part)) continue;
    const { index = 0, groups } = pattern.exec(line) ?? {};
    if (groups && isBad(Number(groups.first), Number(groups.second)))
      return { text: around(line, index), weight: fieldWeight };
  }
  return undefined;
}
const longestPair = 400;

/** The weightiest sign in `judged`, which is `line` with blanks in place of what says none. */
function signOf(line: string, judged: string, least: number, isRow = false): TroubleSign | undefined {
  const spoken = addressedWeight > least ? speechAt(line) : undefined;
  if (spoken !== undefined) return { text: markAddressed(around(line, spoken)), weight: addressedWeight };
  if (!stem.test(judged)) return undefined;
  if (!signs.some(({ weight, pattern }) => weight > least && pattern.test(judged))) return undefined;
  if (!isRow && isHead(line)) return undefined;
  // Keeps offsets valid.
  const told = harmless.reduce((text, pattern) => text.replace(pattern, (said) => " ".repeat(said.length)), judged);
  for (const { weight, pattern } of signs) {
    const at = weight > least ? pattern.exec(told)?.index : undefined;
    if (at !== undefined) return { text: around(line, at), weight };
  }
  return undefined;
}

const logHead = /^\w{3} [ \d]\d [\d:]{8} \S{1,80} [^\s:]{1,80}: /;

function around(line: string, at: number): string {
  const whole = line.trim().replace(logHead, "");
  if (whole.length <= toldCharacters) return whole;
  const close = whole.replace(/ {3,}/g, "  ");
  if (close.length <= toldCharacters) return close;
  const from = Math.max(0, Math.min(at - toldCharacters / 2, line.trimEnd().length - toldCharacters));
  const part = line.slice(from, from + toldCharacters);
  return `${from > 0 ? "…" : ""}${part.trim()}${from + toldCharacters < line.trimEnd().length ? "…" : ""}`;
}

/** At most 5 lines, most telling first. */
export function findTrouble(text: string): readonly TroubleLine[] {
  const search = createTroubleSearch();
  search.push(text);
  return search.found();
}
