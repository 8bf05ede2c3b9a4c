import { type Egress, further } from "../../base/risk.ts";
import { type Arg, type Flow, hole, shown } from "../engine/arg.ts";
import { type ParsedArguments, parseOptions } from "../engine/options.ts";
import type { Scan, SeenCall } from "../engine/scan.ts";
import type { Reach } from "../program.ts";
import { hasTrait, isClient } from "../table.ts";
import { type HostKind, hostOfAddress } from "./hosts.ts";
import {
  anyProgram,
  grammarFor,
  isSub,
  knownReach,
  optionTargets,
  type ReachRecord,
  type ReachTarget,
  targetsOf,
} from "./targets.ts";

/**
 * What a command reaches over the network, and whether anything that is no literal of the command goes along: a substitution, a
 * variable, a file, a pattern of names, what comes in on its standard input. Such data could be a secret on its way out.
 */

/** Reports what a call reaches, and raises its level where data goes out or an unknown host is asked. */
export function checkReach({ program, args, stdin, scan, rule }: SeenCall): void {
  if (scan.trials > 0) return;
  const known = knownReach(program, rule) ?? anyProgram;
  // No record says for every client which of its words end up in a name, an address or a question.
  const isOpen = !known.sub?.size && args.some(isOpenWord) && isClient(program, rule);
  const named = hasTrait(program, "names", scan.table) ? [] : optionTargets(args, scan);
  if (
    known === anyProgram &&
    named.length === 0 &&
    (hasTrait(program, "text", scan.table) || !args.some((arg) => hostOfAddress(arg.text) !== undefined))
  ) {
    if (isOpen) scan.reach("outside", true);
    return;
  }
  const { reach } = known;
  const parsed = parseOptions(args, grammarFor(program, known, rule));
  if (parsed.options.some(({ name }) => known.stays.has(name)) || args.some(({ text }) => known.stays.has(text))) {
    scan.reach("outside", false);
    return;
  }
  const isReached = known.sub === undefined || isSub(known.sub, parsed);
  // What stands behind another sub-command is no host.
  if (!isReached && reach.operands === "hosts") return;
  const found = targetsOf(parsed, known, scan);
  const isNew = ({ arg, host }: ReachTarget): boolean =>
    !known.keeps.has(arg.text) && !found.some((one) => one.arg === arg || one.host === host);
  const targets = reach.kind === "copy" ? found : [...found, ...named.filter(isNew)];
  if (targets.length === 0) {
    if (isOpen) scan.reach("outside", true);
    // What it is to reach stands in a file, or in what it was set up with.
    const isListed = parsed.options.some(({ name, value }) => value !== undefined && known.files.has(name));
    // What is searched, fetched or shown by its name is asked of a registry, where anybody may read what was asked.
    const asked = isReached && known.sub && reach.kind === "service" ? parsed.operands.find(isData) : undefined;
    if (isListed || (isReached && reach.kind !== "lookup" && reach.kind !== "request"))
      scan.reach("outside", isListed || asked !== undefined);
    if (asked)
      scan.report("medium", "reach.name", `asks elsewhere for ${shown(asked.text)}, known only when it runs`, asked);
    return;
  }
  const flowing = sentBy({ program, parsed, known, targets, stdin });
  const kinds = new Set(targets.map(({ kind }) => kind));
  const farthest = targets.map(({ kind }) => egressOf[kind]).reduce(further, "none");
  scan.reach(farthest, flowing !== undefined || kinds.has("unseen"));
  report({ targets, flowing, reach, scan, said: stdin.text !== undefined && stdin.text.trim() !== "" });
}

/** An unquoted `?` or `[…]` is mostly part of an address or of an index. Within brackets `*` is a character, no wildcard. */
const isOpenWord = (arg: Arg): boolean =>
  isData(arg) &&
  (!arg.glob || arg.dynamic || arg.text.includes(hole) || arg.text.replace(/\[[^\][]*\]/g, "").includes("*"));

/** How far each kind of host is. */
export const egressOf: Readonly<Record<HostKind, Egress>> = {
  own: "none",
  known: "known",
  near: "outside",
  unseen: "outside",
  outside: "outside",
};

/** Reports the hosts that a call reaches, and what goes to them that is no literal. */
export function report({
  targets,
  flowing,
  reach,
  scan,
  said,
}: {
  readonly targets: readonly ReachTarget[];
  readonly flowing: Arg | string | undefined;
  readonly reach: Reach;
  readonly scan: Scan;
  /** Whether a text stands on its input. */
  readonly said: boolean;
}): void {
  // A service nearby is asked by variables every day; the question stays within a network of one's own.
  const isOut = ({ kind }: ReachTarget): boolean =>
    kind === "outside" || (kind === "near" && (reach.kind === "request" || reach.kind === "account"));
  const out = targets.find(isOut);
  if (out && flowing !== undefined) {
    const what = typeof flowing === "string" ? flowing : `what only the server knows (${shown(flowing.text)})`;
    scan.report(
      "high",
      "reach.data",
      `sends ${what} to ${shown(out.host)}, which policy.egress does not list`,
      out.arg,
    );
    return;
  }
  // A word that is sent is more than a look-up of the name.
  if (reach.kind === "lookup" && !(reach.stdin && said)) return;
  const unlisted = targets.find(({ kind }) => kind === "outside");
  if (unlisted)
    scan.report(
      "medium",
      "reach.outside",
      `reaches ${shown(unlisted.host)}, which policy.egress does not list`,
      unlisted.arg,
    );
  const unseen = targets.find(({ kind }) => kind === "unseen");
  if (unseen && reach.kind === "request")
    scan.report("medium", "reach.unseen", `reaches a host that is known only when it runs`, unseen.arg);
}

/** What goes along with a call that is no literal of it: the argument, or words for a file or a pipe; undefined if nothing does. */
function sentBy({
  program,
  parsed,
  known,
  targets,
  stdin,
}: {
  readonly program: string;
  readonly parsed: ParsedArguments;
  readonly known: ReachRecord;
  readonly targets: readonly ReachTarget[];
  readonly stdin: Flow;
}): Arg | string | undefined {
  const { reach, files, keeps } = known;
  const { options, operands } = parsed;
  for (const { name, value } of options) {
    if (!value || keeps.has(name)) continue;
    const file = files.has(name) ? value.text : fileIn(name, value.text);
    if (file === undefined) {
      if (isData(value)) return value;
    } else if (file !== "-" && file !== "") return `the file ${shown(file)}`;
    else if (isFed(stdin)) return "what comes in by a pipe";
  }
  if (reach.kind === "account") {
    // The name of a bucket that data is a part of: who owns it reads the name.
    const named = targets.find(({ host }) => host.includes(hole) && host.replaceAll(hole, "") !== "");
    if (named) return named.arg;
    const verb = operands.findIndex(({ text }) => uploading.test(text));
    const from = verb < 0 ? undefined : operands[verb + 1];
    if (from && targets.length > 0 && !targets.some(({ arg }) => arg === from)) return `the file ${shown(from.text)}`;
  } else if (reach.kind === "copy" && !reach.operands) {
    const last = operands.at(-1);
    const from = operands.slice(0, -1).find((operand) => !targets.some(({ arg }) => arg === operand));
    if (from && targets.some(({ arg }) => arg === last)) return `the file ${shown(from.text)}`;
  } else {
    // What a shell on the other host is given is judged as a command; the other operands of a copy are its own matter.
    const given = reach.kind === "copy" && reach.operands !== "hosts" ? operands.slice(0, 1) : operands;
    const data = given.find((operand) => isDataBesideHost(operand, targets));
    if (data) return data;
  }
  if (program === "git" && /^(push|send-pack|send-email)$/.test(operands[0]?.text ?? ""))
    return "the repository's commits";
  return reach.stdin && isFed(stdin) ? "what comes in by a pipe" : undefined;
}

/** `@file`, `name=@file`, `<file` in the value of an option that sends. */
const fileIn = (name: string, value: string): string | undefined =>
  name === "--data-raw" || name === "--form-string"
    ? undefined
    : (/^(-H|--header|--proxy-header)$/.test(name)
        ? /^@(.+)/
        : name === "--data-urlencode"
          ? /^[^=@]*@(.+)/
          : /(?:^|=)[@<]([^;]+)/
      ).exec(value)?.[1];

/** Verbs of cloud clients that copy their first operand to the place that the next one names. */
const uploading = /^(cp|copy|copyto|sync|mv|move|moveto|put|upload|rsync|upload-batch|put-object|bisync|mirror)$/;

const isFed = ({ present, text, taint }: Flow): boolean => present && (text === undefined || taint !== undefined);

/** Whether a word holds what is no literal of the command. */
const isData = ({ text, dynamic, taint, glob }: Arg): boolean =>
  dynamic || taint !== undefined || text.includes(hole) || (glob && hostOfAddress(text) === undefined);

/** A host that is known only when the command runs is no data by itself: it cannot have been chosen to receive data. */
function isDataBesideHost(arg: Arg, targets: readonly ReachTarget[]): boolean {
  if (!isData(arg)) return false;
  const target = targets.find((one) => one.arg === arg);
  // What stands for a host is no pattern of file names (`es:9200/_tasks?detailed`).
  if (target && !isData({ ...arg, glob: false })) return false;
  if (target?.kind !== "unseen" || targets.some(({ kind }) => kind === "outside" || kind === "near")) return true;
  return arg.taint === "secret" || arg.text.replace(target.host, "").includes(hole);
}
