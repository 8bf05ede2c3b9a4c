import type { TableRow } from "./read/table.ts";
import { createLineJudge } from "./trouble.ts";

/** What a line is worth when an output is cut: an output's shape says it, not the tool that printed it (AR-14). */
const worth = { chaff: 0, filler: 1, name: 2, decisive: 3 } as const;

export interface WeighedLine {
  /** 3 or more if it is decisive, 1 if it tells nothing, 0 if it goes first. */
  readonly weight: number;
  /** How deep it stands, so that what it stands under can be kept with it; undefined for a blank line. */
  readonly depth: number | undefined;
  /** A head holds all rows below it that stand as deep. */
  readonly isHead: boolean;
  /** The same for lines that differ in numbers and names alone. */
  readonly kind: string;
  /** What a decisive row is about, and what it says of it. */
  readonly row?: Pick<TableRow, "name" | "says" | "age" | "like"> | undefined;
}

/** A field that says how something is or ended, as any tool's description, YAML or JSON names it. */
const stateField =
  /^["']?(?:last ?state|states?|status|(?:active|sub|load|result|health|phase)(?:state|status)?|reason|(?:exec ?main ?)?(?:exit ?)?(?:code|status)|exit ?code|signal|message|error|oom ?killed|ready|healthy|available|restarts?|restart ?count|n?restarts|(?:[a-z]+ ?)?replicas|unavailable|liveness|readiness|startup|(?:liveness|readiness|startup) ?probe|limits|taints|unschedulable|deletion ?timestamp)["']?\s*[:=]/i;

/** What names the things that the states are of. */
const nameField = /^["']?(?:id|name|kind|unit|service|container|host|namespace|node|image)["']?\s*[:=]/i;

/** Sections that repeat what was asked for, or that no cause was ever found in. */
const chaffSection =
  /^["']?(?:[\w.-]{0,80}\/)?(?:last-applied-configuration|managed ?fields|owner ?references|annotations|tolerations|mounts|volumes|volume ?mounts|volume ?devices|node-selectors|qos class|non-terminated pods|system info|images)["']?\s*:/i;

/** A frame of a stack, which the cause is not. */
const stackFrame =
  /^\s*(?:\S{1,40}\s+)?(?:at\s+[\w$.<>/@-]{1,200}\s?\(|\.\.\. \d+ (?:more|common frames omitted)|File ".*", line \d|goroutine \d+ |\S{1,200}\.go:\d+ \+0x|#\d+\s+0x)/;

const cause = /\bCaused by: |^(?:[\w.]{1,80}\.)?\w{1,60}(?:Error|Exception): |^panic: /;

const indentOf = (line: string): number | undefined => {
  const at = line.search(/\S/);
  if (at === -1) return undefined;
  // An item's first field stands as deep as the others.
  return at + (/^(?:- )+/.exec(line.slice(at))?.[0].length ?? 0);
};

const kindCharacters = 200;

const kindOf = (line: string): string =>
  line
    .slice(0, kindCharacters)
    .replace(/\S*\d\S*/g, "N")
    .replace(/\s+/g, " ");

/** Weighs an output's lines in their order. Holds the section that is open. */
export function createWeigher(): (line: string) => WeighedLine {
  const judge = createLineJudge();
  let chaffDepth: number | undefined;
  let limitsDepth: number | undefined;
  let isFirst = true;
  const weigh = (line: string, depth: number | undefined, kind: "head" | "row" | "other", told: number): number => {
    if (depth === undefined) return worth.chaff;
    const field = line.trim().replace(/^(?:- )+/, "");
    if (chaffDepth !== undefined && depth > chaffDepth) return worth.chaff;
    chaffDepth = undefined;
    if (chaffSection.test(field)) {
      chaffDepth = depth;
      return worth.chaff;
    }
    if (stackFrame.test(line)) return worth.chaff;
    if (cause.test(line)) return Math.max(told, worth.decisive) + 2;
    if (told > 0) return Math.max(told, worth.decisive);
    if (kind === "head") return worth.decisive;
    if (kind === "row") return worth.filler;
    if (limitsDepth !== undefined && depth > limitsDepth) return worth.decisive;
    limitsDepth = /^["']?limits["']?\s*:/i.test(field) ? depth : undefined;
    if (stateField.test(field)) return worth.decisive;
    return nameField.test(field) ? worth.name : worth.filler;
  };
  return (line) => {
    const { kind, sign, row } = judge(line, 0);
    const depth = indentOf(line);
    const weight = weigh(line, depth, kind, sign?.weight ?? 0);
    const least = isFirst && depth !== undefined ? worth.decisive : worth.chaff;
    isFirst &&= depth === undefined;
    const isRuler = kind === "head" && /^[\s|+:-]+$/.test(line);
    return {
      weight: Math.max(isRuler ? worth.filler : weight, least),
      depth,
      isHead: kind === "head" && !isRuler,
      kind: weight > worth.decisive ? kindOf(line) : "",
      row: weight > worth.decisive ? row : undefined,
    };
  };
}
