import { type Egress, further } from "../../base/risk.ts";
import { type Arg, type Flow, hole, shown } from "../engine/arg.ts";
import { type Grammar, type ParsedArguments, parseOptions, words } from "../engine/options.ts";
import type { Scan, SeenCall } from "../engine/scan.ts";
import { anyOptions } from "../knowledge/paths.ts";
import type { Reach } from "../program.ts";
import { type CompiledRule, hasTrait, isClient, ownGrammar, programFacts } from "../table.ts";
import { type HostKind, hostOf, hostOfAddress } from "./hosts.ts";

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
  const named = hasTrait(program, "names", scan.table) ? [] : optionTargets(program, args, scan);
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

// Which hosts a call names: by its operands, by its options, by the addresses in either.

/** A record of how a program reaches the network, ready for look-ups. */
interface ReachRecord {
  readonly reach: ReachRow;
  readonly sub: ReadonlySet<string> | undefined;
  readonly hosts: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly keeps: ReadonlySet<string>;
  readonly stays: ReadonlySet<string>;
}

type ReachRow = Reach & { readonly sub: string | undefined };

const ready = new WeakMap<ReachRow, ReachRecord>();

function knownOf(reach: ReachRow): ReachRecord {
  const found = ready.get(reach);
  if (found) return found;
  const { options, sub, stays } = reach;
  const known = {
    reach,
    sub: sub === undefined ? undefined : new Set(words(sub)),
    hosts: new Set(words(options?.host)),
    files: new Set(words(options?.["path-read"])),
    keeps: new Set(words(options?.value)),
    stays: new Set(words(stays)),
  };
  ready.set(reach, known);
  return known;
}

/** Any other program: what the addresses in its arguments name. */
const anyProgram = knownOf({ kind: "request", sub: "" });

/** How a program reaches the network; undefined if its record says nothing of it. */
export function knownReach(program: string, rule: readonly CompiledRule[] | undefined): ReachRecord | undefined {
  const [first] = programFacts(program, rule).reach;
  return first && knownOf(first);
}

/** A host that a call names, and where. */
interface ReachTarget {
  readonly arg: Arg;
  readonly kind: HostKind;
  readonly host: string;
}

/** Whether the sub-command is one that reaches out. */
function isSub(sub: ReadonlySet<string>, { operands }: ParsedArguments): boolean {
  const [first = "", second = ""] = operands.map(({ text }) => text);
  return sub.has("*") || sub.has(first) || sub.has(`${first}_${second}`);
}

/** With these it talks to a socket of this machine, and the host of the address is ignored. */
const localSockets = new Set(["--unix-socket", "--abstract-unix-socket"]);

/** Words that stand where a host could and are none. */
const noHost = /^(\+.*|\d+(-\d+)?(,\d+)*|[A-Z]+|in|ahosts|hosts|ahostsv4|ahostsv6|[\w-]+:?=.*|-)$/;

/** The hosts that a call names. */
function targetsOf(
  { options, operands }: ParsedArguments,
  { reach, hosts, keeps }: ReachRecord,
  scan: Scan,
): readonly ReachTarget[] {
  const targets: ReachTarget[] = [];
  const add = (arg: Arg, host: string): void => {
    targets.push({ arg, host, kind: scan.kindOfHost(host) });
  };
  for (const { name, value } of options) {
    if (!value || keeps.has(name)) continue;
    const address = hostOfAddress(value.text);
    if (address !== undefined) add(value, address);
    else if (hosts.has(name))
      for (const one of value.text.split(",")) {
        // Of `--resolve HOST:PORT:ADDRESS` the last is what is asked.
        const host = name === "--resolve" ? one.replace(/^[+-]?[^:]*:[^:]*:/, "") : one.replace(/\\.*/s, "");
        // A port, and this machine in the words of SQL Server.
        if (!/^(|\.|\(local(db)?\)|\d+)$/i.test(host)) add(value, hostOf(host));
      }
  }
  if (options.some(({ name }) => localSockets.has(name) || (name === "-U" && reach.kind === "lookup"))) return [];
  let isFirst = true;
  for (const operand of operands) {
    const { text } = operand;
    const address = hostOfAddress(text);
    if (reach.kind === "account") {
      const place = /^[\w.-]*:(\/\/)?[^/]*/.exec(text)?.[0] ?? "";
      const host = address ?? place.replace(/:.*$/s, "");
      if (place.includes(":")) targets.push({ arg: operand, host, kind: farOf(scan.kindOfHost(host)) });
    } else if (address !== undefined) add(operand, address);
    else if (reach.kind === "copy" && reach.operands !== "hosts") {
      // `ssh host …` and `scp file host:path`, which is no path of our own.
      const isHost = reach.operands === "host-first" ? isFirst : /^[^/]+:(?!\\)/.test(text);
      if (isHost) add(operand, hostOf(text));
    } else if (reach.kind === "service" && hostWithPort.test(text)) add(operand, hostOf(text));
    else if (reach.operands === "hosts" && !noHost.test(text)) add(operand, hostOf(text.replace(/^@/, "")));
    isFirst = false;
  }
  return targets;
}

/** An operand of a client that can be nothing else: `redis-cli --cluster info db.example:6379`. */
const hostWithPort = /^[\w-]+(\.[\w-]+)+:\d+$/;

/** A bucket's name does not say who owns it: it is a stranger's unless a list has it. */
const farOf = (kind: HostKind): HostKind => (kind === "known" ? "known" : "near");

const grammars = new WeakMap<Grammar | ReachRecord, Map<ReachRecord, Grammar>>();

/** What the program's rule knows of its options, and what is known here. */
function grammarFor(program: string, known: ReachRecord, rule: readonly CompiledRule[] | undefined): Grammar {
  const base = ownGrammar(program, rule);
  const made = grammars.get(base ?? known) ?? new Map<ReachRecord, Grammar>();
  grammars.set(base ?? known, made);
  const found = made.get(known);
  if (found) return found;
  const takes = new Set([...(base?.takes ?? []), ...known.hosts, ...known.files, ...known.keeps]);
  const grammar = { kinds: new Map(), known: new Set<string>(), completed: [], oneDash: false, ...base, takes };
  made.set(known, grammar);
  return grammar;
}

/** A host or an address behind an option by whose name one follows, where no record says what the option takes. */
function optionTargets(program: string, args: readonly Arg[], scan: Scan): readonly ReachTarget[] {
  return args.flatMap((arg, i): ReachTarget[] => {
    const written = arg.text.includes("=")
      ? (settingAddress.exec(arg.text)?.[1] ??
        connection.exec(/^(psql|pgcli|pg_\w+)$/.test(program) ? `${arg.text} ` : arg.text)?.[1])
      : undefined;
    if (written !== undefined) {
      const host = hostOf(written);
      return [{ arg, host, kind: scan.kindOfHost(host) }];
    }
    if (arg.text[0] !== "-") return [];
    const [, name = "", text] = /^(--?[A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(arg.text) ?? [];
    const value = text === undefined ? args[i + 1] : { ...arg, text };
    if (!value || value.text.startsWith("-")) return [];
    const address = text === undefined ? undefined : hostOfAddress(text);
    if (address === undefined && !(anyOptions.host.test(name) && namesHost.test(value.text.replaceAll(hole, "_"))))
      return [];
    const hosts = address === undefined ? value.text.split(",").filter(Boolean).map(hostOf) : [address];
    return hosts.map((host) => ({ arg: value, host, kind: scan.kindOfHost(host) }));
  });
}
/** What can be a host: with a dot or a port, so that a word behind a switch of the same name is none. */
const namesHost = /^([a-z][\w+.-]*:\/\/|[\w-]+(\.[\w-]+)+(:\d+)?(,|$)|[\w.-]+:\d+(,|$))/i;
/** `'host=db.example dbname=x'`, in a word or in a text of SQL; clients of PostgreSQL take one part, too. */
const connection = /(?:^(?:-d|--dbname=)?(?=.*\s)|[\s'";])(?:host|hostaddr|server|data source)=([^\s'";]*\.[^\s'";]+)/i;
/** `Acquire::http::Proxy=http://…`, `--repofrompath=x,https://…`: a setting or a list of an option that holds an address. */
const settingAddress =
  /^(?:(?:-\w|--[\w-]+=)?[\w.:-]*(?:proxy|host|server|url|uri|endpoint|registry|mirror|addr|address|brokers?)=|--?[\w-]+=[^=,/]*,)([a-z][\w+.-]*:\/\/.+)/i;

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
