import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { OperatorError } from "../base/errors.ts";
import { jsonLines } from "../base/json.ts";
import type { AgentAsk } from "../features/agents/answer-agent.ts";
import { haltEntriesSchema, haltFileOf, writeHaltFile } from "../features/incident/halt.ts";
import { type Answer, type Ask, answerAsk, socketPath } from "../features/operator/local.ts";
import { importStore } from "../store/database/dump.ts";
import { openStore } from "../store/database/open.ts";
import { writeHaltTable } from "../store/holds.ts";
import { readPlaces } from "./places.ts";
import { throwUnlessUnread } from "./terminal.ts";

interface StoreOptions {
  readonly config?: string | undefined;
}

/**
 * Yields the answer's text. A bot running on an embedded store answers; otherwise this process does. Throws an `OperatorError` for what
 * does not exist.
 */
export async function* askStore({ config }: StoreOptions, ask: Ask): AsyncGenerator<string> {
  const { storeUrl } = readPlaces(config);
  const bot = await knock(socketPath(storeUrl));
  if (bot) return yield* askBot(bot, ask);
  const store = await openStore(storeUrl);
  try {
    yield* answerAsk({ store, config: { store: { url: storeUrl } }, now: () => new Date() }, ask);
  } finally {
    await store.close();
  }
}

/** Prints the answer as it is read. */
export async function printAnswer(options: StoreOptions, ask: Ask): Promise<void> {
  try {
    await pipeline(askStore(options, ask), process.stdout, { end: false });
  } catch (error) {
    throwUnlessUnread(error);
  }
}

/** The bot's local socket; undefined if none runs. */
export function knock(door: string | undefined): Promise<Socket | undefined> {
  if (door === undefined || !existsSync(door)) return Promise.resolve(undefined);
  return new Promise((settle) => {
    const socket = connect(door);
    socket.once("connect", () => settle(socket));
    socket.once("error", () => settle(undefined));
  });
}

/** Yields text; throws the bot's errors. */
export async function* askBot(bot: Socket, ask: Ask | AgentAsk): AsyncGenerator<string> {
  bot.write(`${JSON.stringify(ask)}\n`);
  let isDone = false;
  for await (const line of jsonLines(bot)) {
    // The bot is this program.
    const answer = JSON.parse(line) as Answer;
    if ("problems" in answer) throw new OperatorError(answer.problems);
    if ("error" in answer) throw new Error(answer.error);
    if ("done" in answer) isDone = true;
    else yield answer.text;
  }
  if (!isDone) throw new Error("the bot ended before it had answered");
}

const besideSchema = z.object({ halt: z.unknown() });

/** Imports a dump and its kill switch into an empty store (SR-68). Returns what it did. */
export async function storeImport({ config }: StoreOptions, file: string): Promise<string> {
  const { storeUrl } = readPlaces(config);
  const store = await openStore(storeUrl);
  try {
    const switchFile = haltFileOf(storeUrl);
    // In or before the rows' transaction: a halted store must never exist without its halt.
    const rows = await importStore(store, file, async (tx, beside) => {
      const entries = haltEntriesSchema.parse(besideSchema.parse(beside).halt);
      if (switchFile !== undefined) await writeHaltFile(switchFile, entries);
      else for (const entry of entries) await writeHaltTable(tx, entry);
    });
    return `${rows.toLocaleString("en-US")} rows are in ${switchFile === undefined ? "the server's store" : storeUrl}`;
  } finally {
    await store.close();
  }
}
