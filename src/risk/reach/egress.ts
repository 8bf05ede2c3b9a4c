/**
 * What a command reaches over the network, and whether anything that is no literal of the command goes along: a substitution, a
 * variable, a file, a pattern of names, what comes in on its standard input. Such data could be a secret on its way out.
 */
import { type Egress, further } from "../../base/risk.ts";
import { type Arg, hole, shown } from "../engine/arg.ts";
import { parseOptions } from "../engine/options.ts";
import type { Scan, SeenCall } from "../engine/scan.ts";
import type { Reach } from "../program.ts";
import { hasTrait, isClient } from "../table.ts";
import { type HostKind, hostOfAddress } from "./hosts.ts";
import { isData, sentBy } from "./sent.ts";
import { anyProgram, grammarFor, isSub, knownReach, optionTargets, type ReachTarget, targetsOf } from "./targets.ts";

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
