import { setTimeout as sleep } from "node:timers/promises";
import type { Client, ClientChannel } from "ssh2";
import type { SshLimits } from "./limits.ts";
import type { WaitingLine } from "./line.ts";
import { parseStopOutput, type StopVerdict, stopScript } from "./stop-script.ts";
import { leaderHere, signalOnWire } from "./wire.ts";

/** What came of ending a command. `unverified`: only signals were sent; `ended` says whether the command's end was seen. */
export type StopReport =
  | Exclude<StopVerdict, { kind: "unverified" }>
  | { readonly kind: "unverified"; readonly why: string; readonly ended: boolean };

export interface StopOrder {
  readonly client: Client;
  readonly channel: ClientChannel;
  /** Where the command stands among those running on this connection, in order of start; asked when it is its turn. */
  readonly position: () => { readonly index: number; readonly count: number };
  /** One stop at a time on a connection: two scripts would count each other. */
  readonly stops: WaitingLine;
  /** Resolves when the command's end was seen. */
  readonly ended: Promise<void>;
  readonly limits: SshLimits;
}

/**
 * Ends a command's process group with TERM, after the grace with KILL, over a second channel, and looks what is left
 * (F-29, F-30). Where that cannot be done, signals go over the command's own channel and the report says
 * that nothing was verified. Never throws.
 */
export async function stopCommand(order: StopOrder): Promise<StopReport> {
  await order.stops.enter();
  const verdict = await verify(order);
  order.stops.leave();
  return verdict.kind === "unverified" ? signalOnly(order, verdict.why) : verdict;
}

async function verify(order: StopOrder): Promise<StopVerdict> {
  const verdict = await runStopScript(order);
  if (verdict.kind !== "unverified") return verdict;
  // A neighbour may have ended between our count and the server's.
  await sleep(100);
  return runStopScript(order);
}

/** Where nothing can be verified: signals over the command's own channel, and whether its end was seen. */
export async function signalOnly(order: StopOrder, why: string): Promise<StopReport> {
  for (const signal of ["TERM", "KILL"] as const) {
    signalOnWire(order.client, order.channel, signal);
    if (await within(order.limits.graceMs, order.ended)) return { kind: "unverified", why, ended: true };
  }
  return { kind: "unverified", why, ended: false };
}

function runStopScript({ client, channel, position, limits }: StopOrder): Promise<StopVerdict> {
  const leader = leaderHere(client, channel);
  const script = stopScript({ ...(leader === undefined ? position() : { leader }), graceMs: limits.graceMs });
  return new Promise((resolve) => {
    const give = (why: string): void => resolve({ kind: "unverified", why });
    // The script's own waits: the grace, two seconds after KILL, and the scans on a busy machine.
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

/** Whether the promise settled within the time. */
export async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return inTime;
}
