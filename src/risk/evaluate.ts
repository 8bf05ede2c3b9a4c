import { createHash } from "node:crypto";
import { OperatorError } from "../base/errors.ts";
import { type Finding, risks, type Verdict } from "../base/risk.ts";
import type { Server } from "../base/server.ts";
import { filesLeft, judgeBehind } from "./earlier.ts";
import { nothing } from "./engine/arg.ts";
import { createScan, type Tools } from "./engine/create-scan.ts";
import { addFinding, createLedger, type Ledger, type Scan, type ScanPlace } from "./engine/scan.ts";
import { walkScript } from "./engine/walk.ts";
import { applyTrust, loadOperatorRules, loadTrust, matchProblems, vainProblems } from "./operator.ts";
import { filledIn, isAmbiguous, placeholdersIn } from "./placeholders.ts";
import { createKindOfHost } from "./reach/hosts.ts";
import { rulesVersion } from "./rules-version.ts";
import { looseReadings } from "./shell/loose.ts";
import { parseShell } from "./shell/parse.ts";
import { isWrapper } from "./shell/unwrap.ts";
import { builtInRules, builtInTable, createTable, isKnown } from "./table.ts";
import { cleanCommand, maxExplainLength } from "./text.ts";
import { createTracer, type Tracer } from "./trace.ts";
import { createWindows } from "./windows/languages.ts";

/** The classifier's front: a command → its risk and why (PA-7, AR-01, SR-33). */

export type { EarlierCommand, ScanPlace } from "./engine/scan.ts";

/** A command's risk with its reasons, strictest first; a tracer is told what was seen. Never throws: what it fails on, or cannot read to its end, is `block` with that reason. */
export type Evaluate = (command: string, where: ScanPlace, tracer?: Tracer) => Verdict;

/** The operator's part of the policy as the config file has it, still unread; the clock is for the end of a trust. */
export interface EvaluatorOptions {
  readonly rules?: readonly unknown[];
  readonly trust?: readonly unknown[];
  readonly now?: () => number;
  /** `policy.egress`: hosts, `*.suffix`, addresses and networks that commands may reach; besides them the inventory is known. */
  readonly egress?: readonly string[];
  readonly inventory?: readonly string[];
}

/** What an inventory knows of hosts: its servers' names and addresses. A source answers questions: a command may not send to it for that. */
export const inventoryOf = (servers: Iterable<Pick<Server, "name" | "host" | "source">>): readonly string[] =>
  [...servers].flatMap(({ name, host, source }) => (source ? [] : [name, host]));

/**
 * Makes a classifier; the operator's rules may set any level for unknown programs and only raise known ones. Throws an
 * OperatorError that names every bad rule.
 */
export function createEvaluator(options: EvaluatorOptions = {}): Evaluate {
  const rules = loadOperatorRules(options.rules ?? []);
  const trust = loadTrust(options.trust ?? []);
  const table = createTable([...builtInRules, ...rules]);
  const { egress = [], inventory = [] } = options;
  const kindOfHost = createKindOfHost([...egress, ...inventory]);
  const version =
    [...rules, ...trust, ...egress].length === 0
      ? rulesVersion
      : createHash("sha256")
          .update(rulesVersion)
          .update(JSON.stringify([rules, trust, egress]))
          .digest("hex")
          .slice(0, 16);
  const judge = (command: string, where: ScanPlace, more: Pick<Tools, "tracer" | "start">): Verdict => {
    const ledger = createLedger();
    guarded(ledger, () => classify(command, where, { table, ledger, kindOfHost, ...more }));
    if (ledger.failed) ledger.left.add(command);
    guarded(ledger, () => lookOnceMore(where, { table, ledger, kindOfHost, start: more.start }));
    return toVerdict(ledger, version);
  };
  const evaluate: Evaluate = (command, where, tracer) => {
    const verdict = judge(command, where, { tracer });
    // What a source's word may do is the operator's level alone. Without a clock every trust has expired.
    if (where.source || where.patches) return verdict;
    const alone = applyTrust(verdict, command, trust, options.now?.() ?? Number.POSITIVE_INFINITY);
    const left = filesLeft(where.earlier ?? [], (earlier, files, links) => {
      const seen = createTracer();
      judge(earlier, where, { tracer: seen, start: () => ({ files, links }) });
      return seen.finish().files.deleted;
    });
    if (left.files.size === 0) return alone;
    const raised = judgeBehind(command, verdict, left, ({ files, links }) =>
      judge(command, where, { start: () => ({ files: new Map(files), links: new Map(links) }) }),
    );
    return raised === verdict ? alone : raised;
  };
  const vain = vainProblems(rules, {
    hasRule: (name) => isKnown(name, builtInTable) && !isWrapper(name, builtInTable),
    isWrapper: (name) => isWrapper(name, builtInTable),
  });
  if (vain.length > 0) throw new OperatorError(vain);
  const problems = matchProblems(rules, (command) => evaluate(command, { os: "linux", shell: "bash" }));
  if (problems.length > 0) throw new OperatorError(problems);
  return evaluate;
}

function guarded(ledger: Ledger, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    ledger.unknown = true;
    ledger.failed = true;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    addFinding(ledger, { ruleId: "evaluate.failed", risk: "block", text: `could not be classified: ${reason}` });
  }
}

function classify(command: string, where: ScanPlace, tools: Tools): void {
  const { ledger } = tools;
  if (where.source) return void addFinding(ledger, findingOnSource(command, where.source.levels));
  if (where.patches) return void addFinding(ledger, findingOnPatch(where.patches));
  if (command.length > maxExplainLength) {
    ledger.unknown = true;
    addFinding(ledger, { ruleId: "text.length", risk: "block", text: "is too long to be classified" });
    return;
  }
  const places = placeholdersIn(command);
  if (places.length > 0) {
    ledger.unknown = true;
    addFinding(ledger, { ruleId: "text.placeholder", risk: "low", text: `fill in ${places.join(", ")}` });
    // What it would do as it stands counts where it may be meant so, and must be blocked in any case.
    const scan = createScan(command, where, tools);
    const asWritten = (): void => classifyText(command, where, scan);
    if (isAmbiguous(command)) asWritten();
    else scan.attempt(asWritten);
  }
  const cleaned = cleanCommand(filledIn(command));
  for (const finding of cleaned.findings) addFinding(ledger, finding);
  for (const text of cleaned.readings) classifyText(text, where, createScan(text, where, tools));
}

/** Its own parser refuses what is no such command (`whyUnfit`). */
function findingOnSource(command: string, levels: NonNullable<ScanPlace["source"]>["levels"]): Finding {
  const [word = ""] = command.trim().split(/\s/);
  const risk = Object.hasOwn(levels, word) ? (levels[word] ?? "block") : "block";
  const all = Object.keys(levels).join(", ") || "what the operator lists";
  const what = risk === "low" ? "asks a source" : `calls a tool that the operator lists as ${risk}`;
  const text = risk === "block" ? `only ${all} run here` : `${word}: ${what}`;
  return { ruleId: "source.word", risk, text };
}

/** Nothing takes effect until people merge it there; what it may touch, its own judge says (`judgePatch`). */
const findingOnPatch = ({ repository, base }: NonNullable<ScanPlace["patches"]>): Finding => ({
  ruleId: "patch",
  risk: "medium",
  text: `opens a draft pull request in ${repository}, which changes ${base} only once people merge it`,
});

/** What is said of a command that could not be read to its end; it is refused for that alone. */
const refusals = /^(evaluate\.|shell\.(unreadable|budget)$|windows\.unreadable$|text\.length$)/;

/** Texts that were not followed to their end: each of their pieces alone, for a reason that says more than that. */
function lookOnceMore(where: ScanPlace, tools: Tools): void {
  const { ledger, table } = tools;
  ledger.spent = 0;
  ledger.limit = maxLastSpending;
  for (const piece of looseReadings([...ledger.left], table)) {
    const isBlocked = ledger.findings.some(({ risk, ruleId }) => risk === "block" && !refusals.test(ruleId));
    if (isBlocked || ledger.spent > ledger.limit) return;
    const scan = createScan(piece, where, tools);
    scan.attempt(() => scan.runShell(piece, nothing, "in a part of it"));
  }
}

/** The shell's own grammar; a Windows server with an unlikely shell is read as PowerShell. */
function classifyText(text: string, where: ScanPlace, scan: Scan): void {
  if (where.shell === "cmd") createWindows(scan).cmd(text, "");
  else if (where.shell === "powershell" || where.os === "windows") createWindows(scan).powershell(text, "");
  else walkScript(parseShell(text), nothing, scan);
}

/** Units for the last look. */
const maxLastSpending = 2500;

function toVerdict(ledger: Ledger, version: string): Verdict {
  // What is to be filled in comes first: the rest is judged as if it were.
  const rank = ({ ruleId, risk }: Finding): number =>
    ruleId === "text.placeholder" ? risks.length : risks.indexOf(risk);
  const findings = ledger.findings.toSorted((a, b) => rank(b) - rank(a));
  if (findings.length === 0) findings.push({ ruleId: "call.nothing", risk: "low", text: "runs nothing" });
  const { risk, unknown, sends, secretAnswer, reveals, unbounded } = ledger;
  // What is not known may reach anything.
  const egress = unknown ? "outside" : ledger.egress;
  return {
    risk,
    unknown,
    findings,
    egress,
    sends,
    unbounded: [...unbounded.values()],
    rulesVersion: version,
    ...(secretAnswer === undefined ? {} : { secretAnswer }),
    ...(reveals === undefined ? {} : { reveals }),
  };
}
