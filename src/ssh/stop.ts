import { setTimeout as sleep } from "node:timers/promises";
import type { Client, ClientChannel } from "ssh2";
import type { WaitingLine } from "../base/line.ts";
import type { SshLimits } from "./limits.ts";
import { stopOnWindows } from "./windows/stop.ts";
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
 * Housekeeping (AR-08): ends a process group on its server and lists survivors. Holds numbers, no text of the model. sshd starts all
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
