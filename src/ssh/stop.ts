import { setTimeout as sleep } from "node:timers/promises";
import type { Client, ClientChannel } from "ssh2";
import type { WaitingLine } from "../base/line.ts";
import type { SshLimits } from "./limits.ts";
import { encodePowerShell } from "./windows/wrap.ts";
import { leaderHere, signalOnWire } from "./wire.ts";

/** `unverified`: signals were sent; `ended` says if the end was seen. */
export type StopReport =
  | Exclude<StopVerdict, { kind: "unverified" }>
  | { readonly kind: "unverified"; readonly why: string; readonly ended: boolean };

export interface StopOrder {
  readonly client: Client;
  readonly channel: ClientChannel;
  /** Among its connection's commands, in order of start. */
  readonly position: () => { readonly index: number; readonly count: number };
  /** One stop at a time, because two scripts would count each other. */
  readonly stops: WaitingLine;
  readonly ended: Promise<void>;
  readonly limits: SshLimits;
}

/**
 * Ends a command with TERM, after the grace with KILL, over a second channel, and lists survivors (F-29, F-30). If that fails, signals over
 * the command's own channel, unverified. Never throws.
 */
export async function stopCommand(order: StopOrder, isWindows: boolean): Promise<StopReport> {
  await order.stops.enter();
  let verdict = await (isWindows ? stopOnWindows(order) : runStopScript(order));
  if (!isWindows && verdict.kind === "unverified") {
    // A neighbor may have ended between our count and the server's.
    await sleep(100);
    verdict = await runStopScript(order);
  }
  order.stops.leave();
  if (verdict.kind !== "unverified") return verdict;
  for (const signal of ["TERM", "KILL"] as const) {
    signalOnWire(order.client, order.channel, signal);
    if (await within(order.limits.graceMs, order.ended)) return { ...verdict, ended: true };
  }
  return { ...verdict, ended: false };
}

/**
 * Ends a command and its descendants, over further channels, and lists survivors. Windows has no process groups: it is found
 * among its connection's processes and ended by taskkill.
 */
async function stopOnWindows(order: StopOrder): Promise<StopVerdict> {
  const unverified = (why: string): StopVerdict => ({ kind: "unverified", why });
  const found = (await find(order)) ?? { kind: "silent" };
  if (found.kind === "silent") return unverified("the server did not list its processes");
  if (found.kind === "absent") return found;
  if (found.kind === "unsure") return unverified("its process could not be told from others on this connection");
  await ask(order, `taskkill.exe /PID ${found.leader.pid} /T /F`);
  for (let looks = 0; ; looks++) {
    const left = readProcesses(await ask(order, processQuery));
    if (left === undefined) return unverified("taskkill was sent, and the server did not list its processes after it");
    const survivors = survivorsOf(found.tree, left);
    // An ending process stays listed for a moment.
    if (survivors.length > 0 && looks < maxLooks) await sleep(lookAgainMs);
    else return { kind: "stopped", killed: true, survivors: survivors.map(({ pid, name }) => `pid ${pid} (${name})`) };
  }
}

const maxLooks = 4;

const lookAgainMs = 250;

async function find(order: StopOrder) {
  for (let again = true; ; again = false) {
    const list = readProcesses(await ask(order, processQuery));
    if (list === undefined) return undefined;
    const found = findCommand(list, order.position());
    // A neighbor may have ended between our count and the server's.
    if (found.kind !== "unsure" || !again) return found;
    await sleep(100);
  }
}

/** PowerShell may take seconds to start. */
const answerMs = 15_000;

const answerMaxCharacters = 1024 * 1024;

/** "" without a second session or an answer. */
function ask({ client }: { readonly client: Client }, line: string): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, answerMs, "");
    const give = (answer: string): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    try {
      client.exec(line, (error, channel) => {
        if (error) return give("");
        let answer = "";
        channel.on("data", (chunk: Buffer) => {
          if (answer.length < answerMaxCharacters) answer += chunk.toString("latin1");
        });
        channel.on("error", () => give(""));
        channel.on("close", () => give(answer));
        channel.stderr.resume();
        channel.end();
      });
    } catch {
      give(""); // exec throws only for a closed connection
    }
  });
}

/** Housekeeping (AR-08), without text of the model: lists the processes and which one asks. We decide here, to test without Windows. */
export const processQuery: string = encodePowerShell(
  [
    "$ErrorActionPreference='Stop';$ProgressPreference='SilentlyContinue'",
    "'@countersign self '+$PID",
    "Get-CimInstance Win32_Process|%{'@countersign process '+$_.ProcessId+' '+$_.ParentProcessId+' '+$(if($_.CreationDate){$_.CreationDate.ToUniversalTime().Ticks}else{0})+' '+$_.Name}",
    "'@countersign done'",
  ].join(";"),
);

export interface WindowsProcess {
  readonly pid: number;
  readonly parent: number;
  /** In ticks of 100 ns, too many for a number; pids are reused, pid and start are not. */
  readonly started: bigint;
  readonly name: string;
}

interface ProcessList {
  /** The one that made the list. */
  readonly self: number;
  readonly processes: readonly WindowsProcess[];
}

/** Reads an answer to {@link processQuery}, without other text; undefined if incomplete. */
export function readProcesses(answer: string): ProcessList | undefined {
  const self = /^@countersign self (\d{1,10})\s*$/m.exec(answer)?.[1];
  if (self === undefined || !/^@countersign done\s*$/m.test(answer)) return undefined;
  const lines = answer.matchAll(/^@countersign process (\d{1,10}) (\d{1,10}) (\d{1,20}) ([^\r\n]*)/gm);
  const processes = [...lines].map(([, pid, parent, started = "0", name = ""]) => ({
    pid: Number(pid),
    parent: Number(parent),
    started: BigInt(started),
    name: name
      .replace(/[^\x20-\x7e]/g, "?")
      .trim()
      .slice(0, 64),
  }));
  return { self: Number(self), processes };
}

type FoundProcess =
  | { readonly kind: "found"; readonly leader: WindowsProcess; readonly tree: readonly WindowsProcess[] }
  | { readonly kind: "absent" }
  | { readonly kind: "unsure" };

/**
 * The `index`th of `count` commands and its descendants. sshd starts all commands of a connection, also the one that asks, as children of
 * one process. Finds nothing if the count differs. Pure.
 */
export function findCommand(
  { self, processes }: ProcessList,
  { index, count }: { readonly index: number; readonly count: number },
): FoundProcess {
  const byPid = new Map(processes.map((process) => [process.pid, process]));
  let own = byPid.get(self);
  let above = own && parentOf(own, byPid);
  while (own && above && !/^sshd/i.test(above.name)) [own, above] = [above, parentOf(above, byPid)];
  if (!own || !above) return { kind: "unsure" };
  const server = above;
  // The console of a program without a terminal; with one it is the program's parent, and counts.
  const isConsole = (process: WindowsProcess): boolean =>
    /^conhost/i.test(process.name) && !processes.some((other) => isChild(other, process));
  const commands = processes
    .filter((process) => process !== own && isChild(process, server) && !isConsole(process))
    .sort((a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : a.pid - b.pid));
  if (commands.length === 0) return { kind: "absent" };
  const leader = commands[index];
  if (commands.length !== count || leader === undefined) return { kind: "unsure" };
  return { kind: "found", leader, tree: treeOf(leader, processes) };
}

/** Processes of the tree, or started by it since. Pure. */
export function survivorsOf(tree: readonly WindowsProcess[], { processes }: ProcessList): readonly WindowsProcess[] {
  const alive = processes.filter((process) => tree.some((known) => isSame(known, process)));
  const since = processes.filter((process) => tree.some((known) => isChild(process, known)));
  return [...new Set([...alive, ...since])].flatMap((process) => treeOf(process, processes)).filter(isFirst);
}

function parentOf(process: WindowsProcess, byPid: ReadonlyMap<number, WindowsProcess>): WindowsProcess | undefined {
  const parent = byPid.get(process.parent);
  return parent !== undefined && parent !== process && isChild(process, parent) ? parent : undefined;
}

/** A younger process may reuse the parent's pid. */
const isChild = (process: WindowsProcess, parent: WindowsProcess): boolean =>
  process.parent === parent.pid && process.pid !== parent.pid && process.started >= parent.started;

function treeOf(root: WindowsProcess, all: readonly WindowsProcess[]): readonly WindowsProcess[] {
  const tree = [root];
  for (const parent of tree) tree.push(...all.filter((child) => isChild(child, parent) && !tree.includes(child)));
  return tree;
}

const isSame = (a: WindowsProcess, b: WindowsProcess): boolean => a.pid === b.pid && a.started === b.started;

const isFirst = (process: WindowsProcess, at: number, all: readonly WindowsProcess[]): boolean =>
  all.findIndex((other) => isSame(other, process)) === at;

function runStopScript({ client, channel, position, limits }: StopOrder): Promise<StopVerdict> {
  const leader = leaderHere(client, channel);
  const script = stopScript({ ...(leader === undefined ? position() : { leader }), graceMs: limits.graceMs });
  return new Promise((resolve) => {
    const give = (why: string): void => resolve({ kind: "unverified", why });
    // The grace, two seconds after KILL, and scans on a busy machine.
    const timer = setTimeout(give, limits.graceMs + 10_000, "the server did not answer");
    const done = (): void => clearTimeout(timer);
    try {
      client.exec(script, (error, channel) => {
        if (error) {
          done();
          return give("no second session could be opened on the server");
        }
        let output = "";
        channel.on("data", (chunk: Buffer) => {
          if (output.length < 65_536) output += chunk.toString("latin1");
        });
        channel.on("error", () => give("the connection was lost"));
        channel.on("close", () => {
          done();
          resolve(parseStopOutput(output));
        });
        channel.stderr.resume();
        channel.end();
      });
    } catch {
      done();
      give("the connection is gone"); // exec throws only for a closed connection
    }
  });
}

/** Returns true if it resolves in time. */
export async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return inTime;
}

/**
 * Housekeeping: ends a process group on its server and lists survivors. Holds numbers, no text of the model. sshd starts all
 * commands of a connection, this script too, as children of one process, so the command is the INDEXth of COUNT siblings by start; if the
 * count differs nothing is touched. On the runner's own machine the leader L is known. Needs sh, /proc, sort, sleep; its loops do not fork,
 * because the server may be busy. Must not contain single quotes.
 */
const stopText = `
all() { for f in /proc/[0-9]*/stat; do read -r l < $f || continue; p=\${l%% *}; set -- \${l##*) }
  [ "$1" = Z ] || echo "$p $2 $3 $4 \${20}"; done 2>/dev/null; }
say() { echo "@countersign $*"; }
leaders() { all | while read -r p pp g s t; do [ "$pp" = $PPID ] && [ "$p" != $$ ] && echo "$t $p"; done | sort -n -k1,1 -k2,2; }
if [ -z "$L" ]; then
  set -- $(leaders)
  [ $(($# / 2)) -eq 0 ] && { say absent; exit; }
  [ $(($# / 2)) -eq $COUNT ] || { say unsure $(($# / 2)); exit; }
  shift $((INDEX * 2)); L=$2
elif ! kill -0 $L 2>/dev/null; then
  say absent; exit
fi
T=" "
look() { A=$(all); G=; n=
  while [ "$n" != "$T" ]; do n=$T
    while read -r p pp g s t; do case $T in *" $p:$t "*) continue;; esac
      case $T in *" $pp:"*) T="$T$p:$t ";; *) [ "$s" = $L ] || [ "$g" = $L ] && T="$T$p:$t ";; esac
    done <<E
$A
E
  done
  while read -r p pp g s t; do [ "$g" = $L ] && G=1; done <<E
$A
E
}
hit() { kill -s $1 -- -$L 2>/dev/null || kill -$1 -$L 2>/dev/null; }
look; hit TERM || say refused
i=0; while look; [ -n "$G" ] && [ $i -lt $GRACE ]; do sleep 0.1 2>/dev/null || { sleep 1; i=$((i + 9)); }; i=$((i + 1)); done
if [ -n "$G" ]; then hit KILL; say killed
  i=0; while look; [ -n "$G" ] && [ $i -lt 20 ]; do sleep 0.1 2>/dev/null || { sleep 1; i=$((i + 9)); }; i=$((i + 1)); done; fi
while read -r p pp g s t; do case $T in *" $p:$t "*) [ $p = $$ ] || say survivor $p $(stat -c %U /proc/$p) $(cat /proc/$p/comm);; esac; done 2>/dev/null <<E
$A
E
say done
`;

/** `leader` on this machine. */
type StopTarget = { readonly index: number; readonly count: number } | { readonly leader: number };

/** Makes the script's command line; `graceMs` from TERM to KILL. */
export function stopScript(which: StopTarget & { readonly graceMs: number }): string {
  const place = "leader" in which ? `L=${which.leader}` : `L=; INDEX=${which.index}; COUNT=${which.count}`;
  const numbers = `${place}; GRACE=${Math.ceil(which.graceMs / 100)}`;
  return `exec sh -c '${numbers}${stopText}'`;
}

export type StopVerdict =
  | { readonly kind: "stopped"; readonly killed: boolean; readonly survivors: readonly string[] }
  | { readonly kind: "absent" }
  | { readonly kind: "unverified"; readonly why: string };

/** Skips other text, such as a noisy login's. */
export function parseStopOutput(output: string): StopVerdict {
  const lines = [...output.matchAll(/^@countersign (\w+) ?([^\n]*)$/gm)].map(([, word = "", rest = ""]) => ({
    word,
    rest,
  }));
  return readVerdict(lines);
}

/** Reads a stop's verdict from its words. */
export function readVerdict(lines: readonly { readonly word: string; readonly rest: string }[]): StopVerdict {
  const has = (word: string): boolean => lines.some((line) => line.word === word);
  if (has("absent")) return { kind: "absent" };
  if (has("unsure")) return { kind: "unverified", why: "its process could not be told from others on this connection" };
  if (!has("done")) return { kind: "unverified", why: "the check could not run on this server" };
  const survivors = lines.flatMap(({ word, rest }) => {
    // `123 root sleep` → `pid 123 (root, sleep)`. The process chose its name, so it is cleaned.
    const [pid = "?", user = "?", ...name] = rest.replace(/[^\x20-\x7e]/g, "?").split(" ");
    return word === "survivor" ? [`pid ${pid} (${user}, ${name.join(" ").slice(0, 32)})`] : [];
  });
  return { kind: "stopped", killed: has("killed"), survivors };
}
