import { once } from "node:events";
import { rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import * as z from "zod";
import { createRate } from "../../base/clock.ts";
import { messageOf, OperatorError } from "../../base/errors.ts";
import { jsonLines } from "../../base/json.ts";
import { type AgentAnswer, agentAskSchema, answerAloud, callerNamed } from "../agents/answer-agent.ts";
import type { Deps } from "../context.ts";
import { answerAsk, askSchema } from "./local.ts";

/**
 * Returns an embedded store's socket, because no other process can open the store; undefined on a server. Only the bot's user may enter its
 * folder.
 */
export const socketPath = (storeUrl: string): string | undefined =>
  storeUrl.startsWith("file:") ? join(storeUrl.slice("file:".length), "door") : undefined;

export type Answer =
  | { readonly text: string }
  | { readonly problems: OperatorError["problems"] }
  | { readonly error: string }
  | { readonly done: true };

/** Opens the socket; only logs a failure. */
export async function keepLocalDoor(deps: Deps): Promise<{ readonly stop: () => Promise<void> }> {
  const path = socketPath(deps.config.store.url);
  if (path === undefined) return { stop: async () => {} };
  // A killed bot leaves its socket behind. The store's lock shows that no other bot runs.
  rmSync(path, { force: true });
  const guests = new Set<Socket>();
  const mayCall = createRate(deps.now);
  const server = createServer((guest) => {
    guests.add(guest);
    guest.on("error", () => guest.destroy()).on("close", () => guests.delete(guest));
    void serve(deps, guest, mayCall);
  });
  try {
    server.listen(path);
    await once(server, "listening");
    await chmod(path, 0o600);
  } catch (error) {
    deps.log.warn({ module: "store", event: "local_door_closed", reason: messageOf(error) });
    return { stop: async () => {} };
  }
  return {
    stop: async () => {
      for (const guest of guests) guest.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(deps: Deps, guest: Socket, mayCall: ReturnType<typeof createRate>): Promise<void> {
  const say = async (answer: Answer): Promise<void> => {
    if (guest.destroyed || guest.write(`${JSON.stringify(answer)}\n`)) return;
    // The guest may leave before the end.
    await Promise.race([once(guest, "drain"), once(guest, "close")]);
    if (guest.destroyed) throw new Error("whoever asked is gone");
  };
  try {
    // The socket must stay open for the answer after the last read.
    for await (const line of jsonLines(guest.iterator({ destroyOnReturn: false }))) {
      const asked = z.union([agentAskSchema, askSchema]).parse(JSON.parse(line));
      if (asked.ask === "agent") {
        // `countersign mcp` has the same limits as HTTP.
        const { callsPerMinute = 0 } = callerNamed(deps.config, asked.agent) ?? {};
        const isTooOften = callsPerMinute > 0 && !mayCall(asked.agent, callsPerMinute);
        const answer: AgentAnswer = isTooOften
          ? { ok: false, why: "Too many calls. Try again in a minute." }
          : await answerAloud(deps, asked);
        await say({ text: JSON.stringify(answer) });
      } else for await (const text of answerAsk(deps, asked)) await say({ text });
      await say({ done: true });
      break;
    }
  } catch (error) {
    await say(error instanceof OperatorError ? { problems: error.problems } : { error: messageOf(error) });
  } finally {
    guest.end();
  }
}
