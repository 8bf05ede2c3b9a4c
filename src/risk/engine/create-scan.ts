import { type Finding, further, type Risk } from "../../base/risk.ts";
import type { KindOfHost } from "../reach/hosts.ts";
import { parseShell } from "../shell/parse.ts";
import type { Table } from "../table.ts";
import { maxExplainLength } from "../text.ts";
import type { Tracer } from "../trace.ts";
import { type Arg, type Flow, hole, unknownFlow } from "./arg.ts";
import { runWords } from "./command.ts";
import { addFinding, type Ledger, maxDepth, type Scan, type ScanPlace, unitsFor } from "./scan.ts";
import { walkNode, walkScript } from "./walk.ts";

/** The walk's own state: how it reports, how it pays, and how it goes deeper. */

export interface Tools {
  readonly table: Table;
  readonly ledger: Ledger;
  readonly kindOfHost: KindOfHost;
  readonly tracer?: Tracer | undefined;
  /** The files and links a scan starts with; empty by default. */
  readonly start?: (() => Pick<Scan, "files" | "links">) | undefined;
}

const tooDeep = {
  ruleId: "evaluate.depth",
  risk: "block",
  text: "nests commands too deeply to be classified",
} as const;

/** How many texts get the last look. */
const maxLeft = 8;

/** More of them say no more. */
const maxUnbounded = 8;

/** A longer text found inside is not shown with its finding. */
const maxInner = 2000;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Begins the classification of a text; its findings go to the ledger. */
export function createScan(text: string, where: ScanPlace, { table, ledger, kindOfHost, tracer, start }: Tools): Scan {
  // What it does goes by what it knows, and is added to it.
  const state: Omit<Scan, keyof ReportingPart | keyof RunningPart> = {
    table,
    kindOfHost,
    tracer,
    text,
    protectedPaths: where.protectedPaths ?? [],
    criticalServices: where.criticalServices,
    production: /^prod(?:uction)?$/i.test(where.env ?? ""),
    cwd: undefined,
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    ...(start?.() ?? { files: new Map(), links: new Map() }),
    world: new Map(),
    depth: 0,
    calls: 0,
    seen: "",
    branches: 0,
    reports: { all: 0, risky: 0, high: 0 },
    trials: 0,
    inside: 0,
    limits: 0,
    shortened: false,
    filters: [],
  };
  return Object.assign(state, reporting(text, ledger, state as Scan), going(ledger, state as Scan));
}

type ReportingPart = Pick<
  Scan,
  "report" | "refuse" | "reach" | "unbound" | "answerSecret" | "reveal" | "markUnknown" | "attempt" | "spend" | "leave"
>;

/** How a walk says what it has seen: to the ledger, and nothing but a block while something is only tried. */
function reporting(text: string, ledger: Ledger, scan: Scan): ReportingPart {
  return {
    report: (risk: Risk, ruleId: string, reason: string, at?: Arg) => {
      if (scan.trials > 0 && risk !== "block") return;
      scan.reports.all++;
      if (risk !== "low") scan.reports.risky++;
      if (risk === "high" || risk === "block") scan.reports.high++;
      const why = scan.seen && risk !== "low" ? `${reason} (seen ${scan.seen})` : reason;
      addFinding(ledger, { ruleId, risk, text: why, ...placeOf(at, scan.text, text) });
    },
    refuse: (ruleId, reason) => {
      if (scan.trials > 0) return;
      ledger.unknown = true;
      scan.report("block", ruleId, reason);
    },
    reach: (egress, sends) => {
      if (scan.trials > 0) return;
      ledger.egress = further(ledger.egress, egress);
      ledger.sends ||= sends;
    },
    answerSecret: (what) => {
      if (scan.trials === 0) ledger.secretAnswer ??= what;
    },
    reveal: (what) => {
      if (scan.trials === 0) ledger.reveals ??= what;
    },
    unbound: (what, instead) => {
      const { trials, limits } = scan;
      if (trials > 0 || limits > 0 || ledger.unbounded.size >= maxUnbounded) return;
      ledger.unbounded.set(what, { what, instead });
    },
    markUnknown: () => {
      if (scan.trials === 0) ledger.unknown = true;
    },
    attempt: (run) => {
      const outer = scan.tracer;
      scan.tracer = undefined;
      scan.trials++;
      run();
      scan.trials--;
      scan.tracer = outer;
    },
    spend: (units = 1) => {
      ledger.spent += units;
      if (ledger.spent <= ledger.limit) return true;
      ledger.unknown = true;
      leave(ledger, scan.text);
      addFinding(ledger, { ruleId: "evaluate.budget", risk: "block", text: "is too complex to be classified" });
      return false;
    },
    leave: (unread) => leave(ledger, unread),
  };
}

function leave(ledger: Ledger, unread: string): void {
  if (ledger.left.size < maxLeft && unread.length <= maxExplainLength) ledger.left.add(unread);
}

/** Where a word of a finding stands: in the command, or in a text found inside of it. */
function placeOf(at: Arg | undefined, inner: string, command: string): Pick<Finding, "span" | "inner"> {
  if (!at?.span) return {};
  if (inner === command) return { span: at.span };
  return inner.length <= maxInner ? { inner: { text: inner, span: at.span } } : {};
}

type RunningPart = Pick<Scan, "runShell" | "runScript" | "runNode" | "runArgs">;

/** How a walk goes deeper: into a text, a script that has been read, or words. */
function going(ledger: Ledger, scan: Scan): RunningPart {
  const stop = (unread: string): Flow => {
    addFinding(ledger, tooDeep);
    leave(ledger, unread);
    return unknownFlow;
  };
  return {
    runShell: (text, stdin, seen) => {
      // A value that is known only when it runs is a variable without a value.
      const inner = text.replaceAll(hole, "$__unknown");
      if (scan.depth >= maxDepth || !scan.spend(unitsFor(inner.length))) return stop(inner);
      const outer = { seen: scan.seen, text: scan.text };
      scan.depth++;
      scan.seen = seen;
      scan.text = inner;
      const flow = walkScript(parseShell(inner), stdin, scan);
      scan.seen = outer.seen;
      scan.text = outer.text;
      scan.depth--;
      return flow;
    },
    runScript: (script, stdin) => {
      if (scan.depth >= maxDepth * 4) return stop(scan.text);
      scan.depth++;
      const { cwd } = scan;
      const flow = walkScript(script, stdin, scan);
      scan.cwd = cwd;
      scan.depth--;
      return flow;
    },
    runNode: (node, stdin) => walkNode(node, stdin, scan),
    runArgs: (args, stdin) => {
      if (scan.calls >= maxDepth * 4 || !scan.spend(args.length))
        return stop(args.map(({ text }) => (/^[\w./:=@%+,-]+$/.test(text) ? text : quoted(text))).join(" "));
      scan.calls++;
      const flow = runWords(args, stdin, scan);
      scan.calls--;
      return flow;
    },
  };
}
