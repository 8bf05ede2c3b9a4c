import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "ssh2";
import type { StopOrder, StopVerdict } from "../stop.ts";
import { encodePowerShell } from "./wrap.ts";

/**
 * Ends a command and its descendants, over further channels, and lists survivors (F-29, F-30). Windows has no process groups: it is found
 * among its connection's processes and ended by taskkill.
 */
export async function stopOnWindows(order: StopOrder): Promise<StopVerdict> {
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
