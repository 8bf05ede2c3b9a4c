import { createHash } from "node:crypto";
import { OperatorError } from "../base/errors.ts";
import { lazy } from "../base/lazy.ts";
import { type Finding, further, risks, stricter, type Verdict } from "../base/risk.ts";
import type { Server } from "../base/server.ts";
import { type Flow, isForeign, nothing, shown, unknownFlow } from "./engine/arg.ts";
import { createScan, type Tools } from "./engine/create-scan.ts";
import { normalise } from "./engine/paths.ts";
import {
  addFinding,
  createLedger,
  type EarlierCommand,
  type Ledger,
  type Scan,
  type ScanPlace,
} from "./engine/scan.ts";
import { walkScript } from "./engine/walk.ts";
import { applyTrust, matchProblems, readAdditions, vainProblems } from "./operator.ts";
import { filledIn, placeholdersIn } from "./placeholders.ts";
import { createKindOfHost } from "./reach/hosts.ts";
import { rulesVersion } from "./rules-version.ts";
import { looseReadings } from "./shell/loose.ts";
import { parseShell, type SyntaxNode } from "./shell/parse.ts";
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
  const { rules, trust } = readAdditions(options);
  const table = rules.length === 0 ? builtInTable : createTable([...builtInRules, ...rules]);
  const { egress = [], inventory = [] } = options;
  const kindOfHost = createKindOfHost([...egress, ...inventory]);
  const version = lazy(() =>
    [...rules, ...trust, ...egress].length === 0
      ? rulesVersion()
      : createHash("sha256")
          .update(rulesVersion())
          .update(JSON.stringify([rules, trust, egress]))
          .digest("hex")
          .slice(0, 16),
  );
  const judge = (command: string, where: ScanPlace, more: Pick<Tools, "tracer" | "start">): Verdict => {
    const ledger = createLedger();
    guarded(ledger, () => classify(command, where, { table, ledger, kindOfHost, ...more }));
    if (ledger.failed) ledger.left.add(command);
    guarded(ledger, () => lookOnceMore(where, { table, ledger, kindOfHost, start: more.start }));
    return toVerdict(ledger, version());
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
    // What it would do as it stands counts if it may be meant so (`sort <in out> x` reads, runs and writes), and must be blocked in any case.
    const scan = createScan(command, where, tools);
    const asWritten = (): void => classifyText(command, where, scan);
    if (places.some((written) => written.includes(" "))) asWritten();
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

// One judgement for an incident: what earlier actions leave in files counts when a later one runs or reads them.

/** Files and links that a walk starts with. */
interface LeftFiles {
  readonly files: ReadonlyMap<string, Flow>;
  readonly links: ReadonlyMap<string, string>;
  /** The name of the action that wrote each file. */
  readonly writers: ReadonlyMap<string, string>;
}

const isKnownText = (flow: Flow): boolean => flow.text !== undefined && flow.taint === undefined;

/** Descriptors and devices keep nothing, and the name of a temporary file is made up by the walk. */
const keepsNothing = /^\/(dev\/(?!shm\/)|proc\/)|(^|\/)tmp\.\d+$/;

/** `walk` judges one command silently, changes the files as the command does, and returns the paths it deletes. */
function filesLeft(
  earlier: readonly EarlierCommand[],
  walk: (command: string, files: Map<string, Flow>, links: Map<string, string>) => readonly string[],
): LeftFiles {
  const files = new Map<string, Flow>();
  const links = new Map<string, string>();
  const writers = new Map<string, string>();
  for (const { name, command, isSure } of earlier) {
    const before = new Map(files);
    const deleted = walk(command, files, links);
    const replaces = isSure && isPlainWrite(command);
    const copiedFrom = (flow: Flow): string | undefined => {
      const source = flow.taint && [...before].find(([, one]) => one === flow)?.[0];
      return source === undefined ? undefined : writers.get(source);
    };
    for (const [path, flow] of files) {
      const was = before.get(path);
      if (keepsNothing.test(path)) files.delete(path);
      else if (flow === was) continue;
      else if (was === undefined || replaces || isForeign(flow)) writers.set(path, copiedFrom(flow) ?? name);
      else if (!isKnownText(was)) files.set(path, was);
      // Either text may be there.
      else {
        if (isKnownText(flow)) files.set(path, { ...flow, text: `${was.text}\n${flow.text}` });
        writers.set(path, name);
      }
    }
    if (!replaces) continue;
    const gone = deleted.map((path) => inOwnHome(normalise(path, undefined)));
    for (const path of files.keys())
      if (gone.some((one) => inOwnHome(path) === one || inOwnHome(path).startsWith(`${one}/`))) files.delete(path);
  }
  return { files, links, writers };
}

/** A session begins in its own home; another account's is another folder. */
const inOwnHome = (path: string): string => path.replace(/^\/home\/~\//, "");

/** Whether it is one call, on this host, that writes or deletes what it names if it ends well. */
function isPlainWrite(command: string): boolean {
  const [statement, ...more] = parseShell(command).commands;
  if (!statement || more.length > 0 || statement.background) return false;
  const calls: readonly SyntaxNode[] =
    statement.command.type === "Pipeline" ? statement.command.commands : [statement.command];
  return calls.every((call) => {
    if (call.type !== "Command") return false;
    const [first, second] = [call.name?.text, call.suffix.find(({ type }) => type === "Word")];
    const program = first === "sudo" && second?.type === "Word" ? second.text : first;
    return /^(cat|echo|printf|tee|rm|unlink)$/.test(program ?? "");
  });
}

const isSame = (one: Verdict, other: Verdict): boolean =>
  one.findings.length === other.findings.length &&
  one.findings.every(({ text, risk }, at) => text === other.findings[at]?.text && risk === other.findings[at]?.risk);

const newIn = ({ findings }: Verdict, { findings: known }: Verdict): readonly Finding[] =>
  findings.filter(({ text, risk }) => !known.some((one) => one.text === text && one.risk === risk));

/** Windows programs are known by their names alone (`noteDownload`). */
const windowsKey = "windows:";

/** Each is compared by two more verdicts; those that the command names come first. */
const mostCompared = 12;

/**
 * A command's verdict behind earlier actions; it only rises. A known text in a file counts as if it stood in the command. Where running a
 * file makes the command `block` because its text was fetched or decoded, it is `high`: people see both commands before they approve.
 */
function judgeBehind(command: string, alone: Verdict, left: LeftFiles, judge: (left: LeftFiles) => Verdict): Verdict {
  const joined = judge(left);
  if (isSame(joined, alone)) return alone;
  const readable = new Map(
    [...left.files].flatMap(([path, flow]): [string, Flow][] => {
      if (!isForeign(flow)) return [[path, flow]];
      return path.startsWith(windowsKey) ? [] : [[path, unknownFlow]];
    }),
  );
  const withoutForeign = judge({ ...left, files: readable });

  const isNamed = (path: string): boolean => command.includes(path.replace(/\/\*\*$/, "").replace(/^.*[/:]/, ""));
  const byName = [...left.files.keys()].toReversed().toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
  const paths = byName.slice(0, mostCompared).toReversed();
  const isCause = (path: string): boolean =>
    !isSame(judge({ ...left, files: new Map([...left.files].filter(([one]) => one !== path)) }), joined) ||
    !isSame(judge({ ...left, files: new Map([...left.files].filter(([one]) => one === path)) }), alone);
  const causes = paths.filter(isCause);
  const writerOf = (path: string): string => left.writers.get(path) ?? "an earlier action";
  const nameOf = (path: string): string => {
    const plain = path.replace(/^\/home\/~/, "~").replace(windowsKey, "");
    const folder = plain.endsWith("/**") ? plain.slice(0, -3) : undefined;
    if (folder === undefined) return shown(plain);
    return folder === "." ? "an unpacked file" : `a file in ${shown(folder)}`;
  };

  const stays = newIn(withoutForeign, alone).filter(({ risk }) => risk === "block");
  const rises = newIn(joined, alone).filter(({ risk }) => risk !== "block" && risk !== "low");
  const foreign = newIn(joined, withoutForeign).some(({ risk }) => risk === "block")
    ? causes.filter((path) => isForeign(left.files.get(path)))
    : [];
  const [first = ""] = causes;
  const findings: readonly Finding[] = [
    ...[...stays, ...rises].map(({ ruleId, risk, text }) => ({
      ruleId,
      risk,
      text: first === "" ? text : `${text} (${writerOf(first)} writes ${nameOf(first)})`,
    })),
    ...foreign.map((path): Finding => {
      const flow = left.files.get(path);
      const from = flow?.from?.includes(":") ? ` from ${flow.from}` : "";
      const how = flow?.taint === "decoded" ? "decodes" : `fetches${from}`;
      return { ruleId: "flow.earlier", risk: "high", text: `runs ${nameOf(path)}, which ${writerOf(path)} ${how}` };
    }),
  ];
  return {
    ...alone,
    risk: findings.map(({ risk }) => risk).reduce(stricter, alone.risk),
    unknown: alone.unknown || joined.unknown,
    findings: [
      ...findings.toSorted((a, b) => (a.risk === b.risk ? 0 : stricter(a.risk, b.risk) === a.risk ? -1 : 1)),
      ...alone.findings,
    ],
    egress: further(alone.egress, joined.egress),
    sends: alone.sends || joined.sends,
    unbounded: joined.unbounded,
    ...(joined.secretAnswer === undefined ? {} : { secretAnswer: joined.secretAnswer }),
    ...(joined.reveals === undefined ? {} : { reveals: joined.reveals }),
  };
}
