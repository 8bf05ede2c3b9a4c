import { type Finding, further, stricter, type Verdict } from "../base/risk.ts";
import { type Flow, isForeign, shown, unknownFlow } from "./engine/arg.ts";
import { normalise } from "./engine/paths.ts";
import type { EarlierCommand } from "./engine/scan.ts";
import { parseShell, type SyntaxNode } from "./shell/parse.ts";

/** One judgement for an incident: what earlier actions leave in files counts when a later one runs or reads them (PA-7, SR-33). Pure. */

/** Files and links that a walk starts with. */
export interface LeftFiles {
  readonly files: ReadonlyMap<string, Flow>;
  readonly links: ReadonlyMap<string, string>;
  /** The name of the action that wrote each file. */
  readonly writers: ReadonlyMap<string, string>;
}

const isKnownText = (flow: Flow): boolean => flow.text !== undefined && flow.taint === undefined;

/** Descriptors and devices keep nothing, and the name of a temporary file is made up by the walk. */
const keepsNothing = /^\/(dev\/(?!shm\/)|proc\/)|(^|\/)tmp\.\d+$/;

/** `walk` judges one command silently, changes the files as the command does, and returns the paths it deletes. */
export function filesLeft(
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
export function judgeBehind(
  command: string,
  alone: Verdict,
  left: LeftFiles,
  judge: (left: LeftFiles) => Verdict,
): Verdict {
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
