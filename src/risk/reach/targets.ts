/** Which hosts a call names: by its operands, by its options, by the addresses in either. */
import { type Arg, hole } from "../engine/arg.ts";
import { type Grammar, type ParsedArguments, words } from "../engine/options.ts";
import type { Scan } from "../engine/scan.ts";
import { anyOptions } from "../knowledge/paths.ts";
import type { Reach } from "../program.ts";
import { type CompiledRule, ownGrammar, programFacts } from "../table.ts";
import { type HostKind, hostOf, hostOfAddress } from "./hosts.ts";

/** A record of how a program reaches the network, ready for look-ups. */
export interface ReachRecord {
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
export const anyProgram = knownOf({ kind: "request", sub: "" });

/** How a program reaches the network; undefined if its record says nothing of it. */
export function knownReach(program: string, rule: readonly CompiledRule[] | undefined): ReachRecord | undefined {
  const [first] = programFacts(program, rule).reach;
  return first && knownOf(first);
}

/** A host that a call names, and where. */
export interface ReachTarget {
  readonly arg: Arg;
  readonly kind: HostKind;
  readonly host: string;
}

const grammars = new WeakMap<Grammar | ReachRecord, Map<ReachRecord, Grammar>>();

/** What the program's rule knows of its options, and what is known here. */
export function grammarFor(program: string, known: ReachRecord, rule: readonly CompiledRule[] | undefined): Grammar {
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

/** Whether the sub-command is one that reaches out. */
export function isSub(sub: ReadonlySet<string>, { operands }: ParsedArguments): boolean {
  const [first = "", second = ""] = operands.map(({ text }) => text);
  return sub.has("*") || sub.has(first) || sub.has(`${first}_${second}`);
}

/** A host or an address behind an option by whose name one follows, where no record says what the option takes. */
export function optionTargets(args: readonly Arg[], scan: Scan): readonly ReachTarget[] {
  return args.flatMap((arg, i): ReachTarget[] => {
    const written = arg.text.includes("=")
      ? (settingAddress.exec(arg.text)?.[1] ?? connection.exec(arg.text)?.[1])
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
/** `'host=db.example dbname=x'`, in a word or in a text of SQL. */
const connection = /(?:^(?=.*\s)|[\s'";])(?:host|hostaddr|server|data source)=([^\s'";]*\.[^\s'";]+)/i;
/** `Acquire::http::Proxy=http://…`, `--repofrompath=x,https://…`: a setting or a list of an option that holds an address. */
const settingAddress =
  /^(?:(?:-\w|--[\w-]+=)?[\w.:-]*(?:proxy|host|server|url|uri|endpoint|registry|mirror|addr|address|brokers?)=|--?[\w-]+=[^=,/]*,)([a-z][\w+.-]*:\/\/.+)/i;

/** With these it talks to a socket of this machine, and the host of the address is ignored. */
const localSockets = new Set(["--unix-socket", "--abstract-unix-socket"]);

/** Words that stand where a host could and are none. */
const noHost = /^(\+.*|\d+(-\d+)?(,\d+)*|[A-Z]+|in|ahosts|hosts|ahostsv4|ahostsv6|[\w-]+:?=.*|-)$/;

/** The hosts that a call names. */
export function targetsOf(
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
    } else if (reach.operands === "hosts" && !noHost.test(text)) add(operand, hostOf(text.replace(/^@/, "")));
    isFirst = false;
  }
  return targets;
}

/** A bucket's name does not say who owns it: it is a stranger's unless a list has it. */
const farOf = (kind: HostKind): HostKind => (kind === "known" ? "known" : "near");
