import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "ssh2";
import { type StopOrder, type StopReport, type StopVerdict, signalOnly } from "../stop.ts";
import { encodePowerShell } from "./wrap.ts";

/**
 * Ends a command on Windows with all below it, over further channels, and looks what is left (F-29, F-30). There are no
 * process groups there: it is looked up among the processes of its connection and ended by taskkill. If it cannot be
 * found, signals go over its own channel, and sshd does with them what it can. Never throws.
 */
export async function stopOnWindows(order: StopOrder): Promise<StopReport> {
  await order.stops.enter();
  const verdict = await verify(order);
  order.stops.leave();
  return verdict.kind === "unverified" ? signalOnly(order, verdict.why) : verdict;
}

async function verify(order: StopOrder): Promise<StopVerdict> {
  const unverified = (why: string): StopVerdict => ({ kind: "unverified", why });
  const found = (await find(order)) ?? { kind: "silent" };
  if (found.kind === "silent") return unverified("the server did not list its processes");
  if (found.kind === "absent") return found;
  if (found.kind === "unsure") return unverified("its process could not be told from others on this connection");
  await ask(order, killLine(found.leader.pid));
  for (let looks = 0; ; looks++) {
    const left = readProcesses(await ask(order, processQuery));
    if (left === undefined) return unverified("taskkill was sent, and the server did not list its processes after it");
    const survivors = survivorsOf(found.tree, left);
    // What is being ended stays in the list for a moment.
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
    // A neighbour may have ended between our count and the server's.
    if (found.kind !== "unsure" || !again) return found;
    await sleep(100);
  }
}

/** PowerShell alone may take some seconds to start on a busy machine. */
const answerMs = 15_000;
const answerMaxCharacters = 1024 * 1024;

/** What a housekeeping line prints; "" if it gets no second session or no answer. */
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

/**
 * Housekeeping (AR-08), without any text of the model: lists the processes of a Windows server, and which one asks. What
 * to do about them is decided here, so that it can be tested without Windows.
 */
export const processQuery: string = encodePowerShell(
  [
    "$ErrorActionPreference='Stop';$ProgressPreference='SilentlyContinue'",
    "'@countersign self '+$PID",
    "Get-CimInstance Win32_Process|%{'@countersign process '+$_.ProcessId+' '+$_.ParentProcessId+' '+$(if($_.CreationDate){$_.CreationDate.ToUniversalTime().Ticks}else{0})+' '+$_.Name}",
    "'@countersign done'",
  ].join(";"),
);

/** Housekeeping: ends a process and all below it. */
const killLine = (pid: number): string => `taskkill.exe /PID ${pid} /T /F`;

export interface WindowsProcess {
  readonly pid: number;
  readonly parent: number;
  /** In ticks of 100 ns, too many for a number; a pid is used again, pid and start are not. */
  readonly started: bigint;
  readonly name: string;
}

interface ProcessList {
  /** The process that made the list. */
  readonly self: number;
  readonly processes: readonly WindowsProcess[];
}

/** Reads an answer to {@link processQuery}; undefined if it is not whole. Skips everything else that is printed. */
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
 * The `index`th of `count` commands of a connection, and all below it: sshd starts each command of a connection as a child
 * of one process, which is also above the one that made the list. If the count differs, nothing is found. Pure.
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
  const commands = processes
    .filter((process) => process !== own && isChild(process, server) && !isConsole(process, processes))
    .sort(byStart);
  if (commands.length === 0) return { kind: "absent" };
  const leader = commands[index];
  if (commands.length !== count || leader === undefined) return { kind: "unsure" };
  return { kind: "found", leader, tree: treeOf(leader, processes) };
}

/** What of a command's tree, or started by it since, still runs. Pure. */
export function survivorsOf(tree: readonly WindowsProcess[], { processes }: ProcessList): readonly WindowsProcess[] {
  const alive = processes.filter((process) => tree.some((known) => isSame(known, process)));
  const since = processes.filter((process) => tree.some((known) => isChild(process, known)));
  return [...new Set([...alive, ...since])].flatMap((process) => treeOf(process, processes)).filter(isFirst);
}

function parentOf(process: WindowsProcess, byPid: ReadonlyMap<number, WindowsProcess>): WindowsProcess | undefined {
  const parent = byPid.get(process.parent);
  return parent !== undefined && parent !== process && isChild(process, parent) ? parent : undefined;
}

/** A parent's pid may belong to a new process by now; that one is younger than the child. */
const isChild = (process: WindowsProcess, parent: WindowsProcess): boolean =>
  process.parent === parent.pid && process.pid !== parent.pid && process.started >= parent.started;

/** The window of a program without one; with a terminal it stands above its program, and then it counts. */
const isConsole = (process: WindowsProcess, all: readonly WindowsProcess[]): boolean =>
  /^conhost/i.test(process.name) && !all.some((other) => isChild(other, process));

function treeOf(root: WindowsProcess, all: readonly WindowsProcess[]): readonly WindowsProcess[] {
  const tree = [root];
  for (const parent of tree) tree.push(...all.filter((child) => isChild(child, parent) && !tree.includes(child)));
  return tree;
}

const byStart = (a: WindowsProcess, b: WindowsProcess): number =>
  a.started < b.started ? -1 : a.started > b.started ? 1 : a.pid - b.pid;

const isSame = (a: WindowsProcess, b: WindowsProcess): boolean => a.pid === b.pid && a.started === b.started;

const isFirst = (process: WindowsProcess, at: number, all: readonly WindowsProcess[]): boolean =>
  all.findIndex((other) => isSame(other, process)) === at;
