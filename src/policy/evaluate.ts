/** The classifier's front: a command → its risk and why (POLICY.md, PA-7, AR-01, SR-33). */
import { createHash } from "node:crypto";
import { OperatorError } from "../errors.ts";
import type { OperatingSystem, Risk, Shell, Verdict } from "../types.ts";
import { risks } from "../types.ts";
import { type Arg, type Flow, nothing, unknownFlow } from "./arg.ts";
import { runWords } from "./command.ts";
import { looseReadings } from "./loose.ts";
import { applyTrust, exampleProblems, loadOperatorRules, loadTrust } from "./operator.ts";
import { parseShell } from "./parse.ts";
import { pathClasses } from "./rules/paths.ts";
import { cmdlets, verbs } from "./rules/windows.ts";
import { windowsPrograms } from "./rules/windows-programs.ts";
import { windowsTools } from "./rules/windows-tools.ts";
import { wrappers } from "./rules/wrappers.ts";
import { addFinding, createLedger, type Ledger, maxDepth, type Scan, unitsFor } from "./scan.ts";
import { builtInRules, createTable, type Table } from "./table.ts";
import { clean, maxExplainLength } from "./text.ts";
import { walkNode, walkScript } from "./walk.ts";
import { createWindows } from "./windows/languages.ts";

/** Where a command would run, as far as the classification depends on it. */
export interface Where {
  readonly os: OperatingSystem;
  readonly shell: Shell;
  /** `prod` raises database and cluster writes by one. */
  readonly env?: string | undefined;
  readonly protectedPaths?: readonly string[] | undefined;
  readonly criticalServices?: readonly string[] | undefined;
}

/** A command's risk with its reasons, strictest first. Never throws: any failure is `high` with a reason. */
export type Evaluate = (command: string, where: Where) => Verdict;

/** Hash of the built-in rule data: an approval is bound to it. */
const rulesVersion: string = createHash("sha256")
  .update(
    JSON.stringify([
      builtInRules,
      pathClasses,
      wrappers,
      verbs,
      cmdlets,
      [...windowsPrograms, ...windowsTools].map((rule) => [rule.names, rule.level, String(rule.when)]),
    ]),
  )
  .digest("hex")
  .slice(0, 16);

/** The operator's part of the policy as the config file has it, still unread; the clock is for the end of a trust. */
export interface EvaluatorOptions {
  readonly rules?: readonly unknown[];
  readonly trust?: readonly unknown[];
  readonly now?: () => number;
}

/**
 * Makes a classifier; the operator's rules may set any level for unknown programs and only raise known ones. Throws an
 * OperatorError that names every bad rule.
 */
export function createEvaluator(options: EvaluatorOptions = {}): Evaluate {
  const rules = loadOperatorRules(options.rules ?? []);
  const trust = loadTrust(options.trust ?? []);
  // Without a clock every trust has expired.
  const now = options.now ?? (() => Number.POSITIVE_INFINITY);
  const table = createTable([...builtInRules, ...rules]);
  const version =
    rules.length + trust.length === 0
      ? rulesVersion
      : createHash("sha256")
          .update(rulesVersion)
          .update(JSON.stringify([rules, trust]))
          .digest("hex")
          .slice(0, 16);
  const evaluate: Evaluate = (command, where) => {
    const ledger = createLedger();
    guarded(ledger, () => classify(command, where, { table, ledger }));
    if (ledger.left.size > 0) guarded(ledger, () => lookOnceMore(where, { table, ledger }));
    return applyTrust(toVerdict(ledger, version), command, trust, now());
  };
  const problems = exampleProblems(rules, (command) => evaluate(command, { os: "linux", shell: "bash" }).risk);
  if (problems.length > 0) throw new OperatorError(problems);
  return evaluate;
}

interface Tools {
  readonly table: Table;
  readonly ledger: Ledger;
}

function guarded(ledger: Ledger, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    ledger.unknown = true;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    addFinding(ledger, { ruleId: "evaluate.failed", risk: "high", text: `could not be classified: ${reason}` });
  }
}

function classify(command: string, where: Where, tools: Tools): void {
  const { ledger } = tools;
  if (typeof command !== "string" || command.length > maxExplainLength) {
    ledger.unknown = true;
    addFinding(ledger, { ruleId: "text.length", risk: "high", text: "is too long to be classified" });
    return;
  }
  const cleaned = clean(command);
  for (const finding of cleaned.findings) addFinding(ledger, finding);
  for (const text of cleaned.readings) classifyText(text, where, createScan(where, tools));
}

/** Texts that were not followed to their end: each of their pieces alone, and only what must be blocked counts. */
function lookOnceMore(where: Where, tools: Tools): void {
  const { ledger, table } = tools;
  ledger.spent = 0;
  ledger.limit = maxLastSpending;
  for (const piece of looseReadings([...ledger.left], table)) {
    if (ledger.risk === "block" || ledger.spent > ledger.limit) return;
    const scan = createScan(where, tools);
    scan.attempt(() => scan.runShell(piece, nothing, "in a part of it"));
  }
}

/** The shell's own grammar; a Windows server with an unlikely shell is read as PowerShell. */
function classifyText(text: string, where: Where, scan: Scan): void {
  if (where.shell === "cmd") createWindows(scan).cmd(text, "");
  else if (where.shell === "powershell" || where.os === "windows") createWindows(scan).powershell(text, "");
  else {
    scan.text = text;
    walkScript(parseShell(text), nothing, scan);
  }
}

const tooDeep = {
  ruleId: "evaluate.depth",
  risk: "high",
  text: "nests commands too deeply to be classified",
} as const;

/** Units for the last look, and how many texts and characters it is given. */
const maxLastSpending = 2500;
const maxLeft = 8;

function createScan(where: Where, { table, ledger }: Tools): Scan {
  const scan: Scan = {
    table,
    protectedPaths: where.protectedPaths ?? [],
    criticalServices: where.criticalServices ?? [],
    production: where.env === "prod" || where.env === "production",
    cwd: undefined,
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    world: new Map(),
    depth: 0,
    calls: 0,
    seen: "",
    text: "",
    branches: 0,
    reports: { all: 0, risky: 0 },
    trials: 0,
    report: (risk: Risk, ruleId: string, reason: string, at?: Arg) => {
      if (scan.trials > 0 && risk !== "block") return;
      scan.reports.all++;
      if (risk !== "low") scan.reports.risky++;
      const text = scan.seen && risk !== "low" ? `${reason} (seen ${scan.seen})` : reason;
      const span = scan.depth === 0 ? at?.span : undefined;
      addFinding(ledger, span ? { ruleId, risk, text, span } : { ruleId, risk, text });
    },
    markUnknown: () => {
      if (scan.trials === 0) ledger.unknown = true;
    },
    attempt: (run) => {
      scan.trials++;
      run();
      scan.trials--;
    },
    spend: (units = 1) => {
      ledger.spent += units;
      if (ledger.spent <= ledger.limit) return true;
      ledger.unknown = true;
      scan.leave(scan.text);
      addFinding(ledger, { ruleId: "evaluate.budget", risk: "high", text: "is too complex to be classified" });
      return false;
    },
    leave: (text) => {
      if (ledger.left.size < maxLeft && text.length <= maxExplainLength) ledger.left.add(text);
    },
    runShell: (inner: string, stdin: Flow, seen: string) => {
      if (scan.depth >= maxDepth || !scan.spend(unitsFor(inner.length))) {
        addFinding(ledger, tooDeep);
        scan.leave(inner);
        return unknownFlow;
      }
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
      if (scan.depth >= maxDepth * 4) {
        addFinding(ledger, tooDeep);
        scan.leave(scan.text);
        return unknownFlow;
      }
      scan.depth++;
      const { cwd } = scan;
      const flow = walkScript(script, stdin, scan);
      scan.cwd = cwd;
      scan.depth--;
      return flow;
    },
    runNode: (node, stdin) => walkNode(node, stdin, scan),
    runArgs: (args, stdin) => {
      if (scan.calls >= maxDepth * 4 || !scan.spend(args.length)) {
        addFinding(ledger, tooDeep);
        scan.leave(args.map(({ text }) => (/^[\w./:=@%+,-]+$/.test(text) ? text : quoted(text))).join(" "));
        return unknownFlow;
      }
      scan.calls++;
      const flow = runWords(args, stdin, scan);
      scan.calls--;
      return flow;
    },
  };
  return scan;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function toVerdict(ledger: Ledger, version: string): Verdict {
  const findings = ledger.findings.toSorted((a, b) => risks.indexOf(b.risk) - risks.indexOf(a.risk));
  if (findings.length === 0) findings.push({ ruleId: "call.nothing", risk: "low", text: "runs nothing" });
  return { risk: ledger.risk, unknown: ledger.unknown, findings, rulesVersion: version };
}
