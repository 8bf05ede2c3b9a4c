/** What Windows commands reach over the network: by a cmdlet's parameters, a program's options, addresses and `\\host\share` in either. */
import { further } from "../../base/risk.ts";
import { type Arg, hole, literal, shown } from "../engine/arg.ts";
import type { Scan } from "../engine/scan.ts";
import type { Reach } from "../program.ts";
import { egressOf, report } from "../reach/egress.ts";
import { hostOf, hostOfAddress } from "../reach/hosts.ts";
import type { NamedCommand } from "./command.ts";
import { type Argument, operandsOf, type Value, valueAt } from "./words.ts";

type Kind = Reach["kind"];
/** What goes along that is no literal of the command: an argument, or words for it. */
type FlowingWord = Arg | string | undefined;

/** A word with its open parts (`$x`, `$(…)`, `%x%`, `!x!`, `%i`) marked as such. */
export const argOf = (text: string): Arg => {
  const marked = text.replace(
    /\$\([^()]*\)|\$\{[^}]*\}|\$(?:\w+:)?\w+|%(?![\da-f]{2}%)[a-z_(][\w()]*(?::[^%]*)?%|![\w]+!|%~?[a-z]\b(?!%)|^\(.*\)$/gi,
    (open) => (/computername/i.test(open) && /^[\\]*$/.test(text.slice(0, text.indexOf(open))) ? "localhost" : hole),
  );
  return marked === text ? literal(text) : { text: marked, dynamic: true, glob: false };
};

/** The words of a cmdlet's argument; one that is known only when it runs and shows nothing of itself is open as a whole. */
export const argsOf = ({ texts, origin }: Value): readonly Arg[] =>
  texts.map((text) => {
    const arg = argOf(text);
    if (origin === "literal" || origin === "made") return literal(text);
    return arg.dynamic || arg.text === "localhost" ? arg : { text: hole, dynamic: true, glob: false };
  });

/** `\\host\share`; undefined for what is no path of another host. */
export const shareHost = (text: string): string | undefined =>
  /^\\\\(?:[?.]\\unc\\)?([^\\/?.][^\\/]*|\.[^\\/]+)/i.exec(text)?.[1]?.replace(/@(ssl|\d+).*/i, "");

/** Notes that these hosts are reached; `data` is what goes along besides open parts of the addresses. */
export function reachHosts(hosts: readonly Arg[], kind: Kind, scan: Scan, data?: FlowingWord) {
  const targets = hosts.map((arg) => {
    const host = shareHost(arg.text) ?? hostOf(arg.text);
    return { arg, host, kind: host === "." ? "own" : scan.kindOfHost(host) } as const;
  });
  const isOpen = ({ arg, host, kind: far }: (typeof targets)[number]): boolean =>
    (far === "unseen" ? arg.text.replace(host, "") : arg.text).includes(hole);
  if (targets.length === 0) return;
  const flowing = data ?? targets.find(isOpen)?.arg;
  const farthest = targets.map((target) => egressOf[target.kind]).reduce(further, "none");
  scan.reach(farthest, flowing !== undefined || targets.some((target) => target.kind === "unseen"));
  report({ targets, flowing, reach: { kind }, scan, said: false });
}

/** Parameters that name a host, and those whose value goes along; with `operand` the first operand may name the host. */
interface Way {
  readonly kind: Kind;
  readonly hosts: string;
  readonly data: string;
  readonly operand: boolean;
}

const lookup: Way = { kind: "lookup", hosts: "name computername targetname server", data: "", operand: true };
const request: Way = { kind: "request", hosts: "uri proxy", data: "body form headers infile", operand: true };
const ways: Readonly<Record<string, Way | undefined>> = {
  "resolve-dnsname": lookup,
  "test-netconnection": lookup,
  "test-connection": lookup,
  "test-wsman": lookup,
  "invoke-webrequest": request,
  "invoke-restmethod": request,
  "new-webserviceproxy": request,
  "start-bitstransfer": { ...request, hosts: "source destination", data: "" },
  "send-mailmessage": { kind: "copy", hosts: "smtpserver to", data: "attachments body subject", operand: false },
};
/** Any other cmdlet asks the host that it is told to. */
const asked =
  "domaincontroller updateserver ldapserver smbserver computername serverinstance connectionuri server session cimsession";
const service: Way = { kind: "service", hosts: asked, data: "", operand: false };

/** What is no literal of the command: a file, or a value that only the server knows. */
function flowIn(word: Argument | undefined, name: string): FlowingWord {
  const [text = ""] = word?.texts ?? [];
  if (word && /file|attach/.test(name)) return `the file ${shown(text)}`;
  return word && word.origin !== "literal" ? { text: hole, dynamic: true, glob: false } : undefined;
}

/** Cmdlets that always ask a module gallery or a cloud. */
const remote = /^(find-(module|package|script|command|dscresource)|get-(az|ec2|s3|rds|elb)\w+)$/;

/** Notes what a cmdlet reaches. */
export function reachCmdlet({ name, words, isPiped }: NamedCommand, isText: boolean, scan: Scan) {
  if (remote.test(name)) scan.reach("outside", false);
  const way = ways[name] ?? service;
  const at = (list: string, least: number) => list.split(" ").map((one) => [one, valueAt(words, one, least)] as const);
  const named = at(way.hosts, way === service ? 4 : 1).flatMap(([, word]) => word ?? []);
  const first = operandsOf(words)[0] ?? words.find(({ parameter }) => parameter === undefined);
  const hosts = (named.length > 0 || !way.operand || !first ? named : [first]).filter(({ texts }) =>
    /\w|\$/.test(texts.join("")),
  );
  // A name is looked up and pinged; a port is connected to.
  const port = name === "test-netconnection" ? valueAt(words, "port", 1) : undefined;
  const isUpload = name === "start-bitstransfer" && words.some(({ texts }) => /^upload/i.test(texts.join("")));
  const data = at(way.data, 1).flatMap(([one, word]) => flowIn(word, one) ?? [])[0];
  const piped = way === request && isPiped ? "what comes in by a pipe" : undefined;
  const far = port && hosts.flatMap(argsOf).find(({ text }) => scan.kindOfHost(hostOf(text)) === "outside");
  if (far)
    scan.report("medium", "reach.outside", `connects to ${shown(far.text)}, which policy.egress does not list`, far);
  reachHosts(hosts.flatMap(argsOf), way.kind, scan, isUpload ? "a file" : (data ?? piped));
  if (isText) return;
  const others = words.filter((word) => word.texts.some(isAddressLike) && !hosts.includes(word));
  if (others.length > 0) reachWritten(others.flatMap(argsOf), scan);
}

/** Tells cheaply what could name another host. */
const isAddressLike = (text: string): boolean => text.startsWith("\\\\") || text.includes("://");

/** Notes the addresses and shares that stand among arguments. */
export function reachWritten(args: readonly Arg[], scan: Scan) {
  const isAddress = ({ text }: Arg): boolean => hostOfAddress(text) !== undefined && /^["']?\w+:\/\/[^/]/.test(text);
  reachHosts(args.filter(isAddress), "request", scan);
  const shares = args.filter(({ text }) => shareHost(text) !== undefined);
  reachHosts(shares, "service", scan);
}

/** Programs that ask for a name or a way, those that ask a host they are told, those that copy to their last operand, and those that only print. */
const lookups = /^(ping|tracert|pathping|nslookup|portqry|psping)$/;
const hosted =
  /^(tasklist|systeminfo|getmac|driverquery|gpresult|openfiles|schtasks|quser|qwinsta|query|nltest|wmic|w32tm|dcdiag|msinfo32|nbtstat|taskkill|winrs|repadmin|wevtutil|winrm)$/;
/** Programs whose first operand is a host, in such a call. */
const hostFirst: Readonly<Record<string, RegExp | undefined>> = {
  dnscmd: /^\w/,
  repadmin: /^\/(show|queue|bind|failcache)/i,
  certutil: /[-/]ping\b/i,
};
const copies = /^(copy|xcopy|robocopy|move|replace)$/;
const galleries = /^(winget|choco|scoop|nuget)$/;
const prints = /^(echo\.?|rem|title|prompt|find|findstr|set|color)$/;

/** Notes what a program of Windows reaches. */
export function reachNative(program: string, args: readonly string[], isPiped: boolean, scan: Scan) {
  if (prints.test(program)) return;
  if (galleries.test(program) && /^(search|find|show|info|outdated)$/i.test(args[0] ?? ""))
    scan.reach("outside", false);
  if (lookups.test(program)) {
    const operands = args.filter((arg) => !/^[-/]|^\d+$/.test(arg)).map(argOf);
    // Without a name it asks for the lines that come in.
    const isAsking = program === "nslookup" && isPiped && operands.length === 0;
    if (isAsking) reachHosts([argOf("%lines%.")], "lookup", scan, "what comes in by a pipe");
    return reachHosts(operands, "lookup", scan);
  }
  const hosts = (hosted.test(program) ? args : []).flatMap((arg, i) => {
    const [, option, value] = /^[-/](s|server|node|computer|a|r)(?::(.*))?$/i.exec(arg) ?? [];
    return option === undefined ? [] : (value ?? args[i + 1] ?? []);
  });
  const named = hostFirst[program];
  const host = named?.test(args.join(" ")) ? args.find((arg) => /^\w/.test(arg)) : undefined;
  reachHosts([...hosts, ...(host === undefined ? [] : [host])].map(argOf), "service", scan);
  const to = copies.test(program) ? args.filter((arg) => !/^\/\w/.test(arg)).slice(1) : [];
  const shares = to.filter((arg) => shareHost(arg) !== undefined);
  reachHosts(shares.map(argOf), "copy", scan, `the file ${shown(args[0] ?? "")}`);
  reachWritten(args.filter(isAddressLike).map(argOf), scan);
}
