import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "ssh2";
import { type StopOrder, type StopReport, signalOnly } from "../stop.ts";
import type { StopVerdict } from "../stop-script.ts";
import { findCommand, killLine, processQuery, readProcesses, survivorsOf } from "./processes.ts";

/**
 * Ends a command on Windows with all below it, over further channels, and looks what is left (F-29, F-30). There are no
 * process groups there: it is looked up among the processes of its connection and ended by taskkill. Where it cannot be
 * found, signals go over its own channel, of which sshd makes what it can. Never throws.
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

/** What a housekeeping line prints; "" where no second session, or no answer, is to be had. */
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
