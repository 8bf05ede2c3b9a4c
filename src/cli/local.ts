import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { OperatorError } from "../base/errors.ts";
import { jsonLines } from "../base/json.ts";
import type { AgentAsk } from "../features/agents/answer-agent.ts";
import { haltEntriesSchema, haltFileOf, writeHaltFile } from "../features/incident/halt.ts";
import { type Ask, answerAsk } from "../features/operator/local.ts";
import { type Answer, socketPath } from "../features/operator/socket.ts";
import { importStore } from "../store/database/dump.ts";
import { openStore } from "../store/database/open.ts";
import { writeHaltTable } from "../store/holds.ts";
import { readPlaces } from "./places.ts";
import { throwUnlessUnread } from "./terminal.ts";

interface StoreOptions {
  readonly config?: string | undefined;
}

/**
 * Answers the operator's question to the store, in pieces of text. If a bot runs on an embedded store, that bot answers, else this
 * process. Throws an `OperatorError` for what does not exist.
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

/** Prints the answer as fast as it is read. */
export async function printAnswer(options: StoreOptions, ask: Ask): Promise<void> {
  try {
    await pipeline(askStore(options, ask), process.stdout, { end: false });
  } catch (error) {
    throwUnlessUnread(error);
  }
}

/** The local socket of a running bot; undefined if none runs. */
export function knock(door: string | undefined): Promise<Socket | undefined> {
  if (door === undefined || !existsSync(door)) return Promise.resolve(undefined);
  return new Promise((settle) => {
    const socket = connect(door);
    socket.once("connect", () => settle(socket));
    socket.once("error", () => settle(undefined));
  });
}

/** A running bot's answer, in pieces of text. Throws the bot's errors. */
export async function* askBot(bot: Socket, ask: Ask | AgentAsk): AsyncGenerator<string> {
  bot.write(`${JSON.stringify(ask)}\n`);
  let isDone = false;
  for await (const line of jsonLines(bot)) {
    // The bot is this very program.
    const answer = JSON.parse(line) as Answer;
    if ("problems" in answer) throw new OperatorError(answer.problems);
    if ("error" in answer) throw new Error(answer.error);
    if ("done" in answer) isDone = true;
    else yield answer.text;
  }
  if (!isDone) throw new Error("the bot ended before it had answered");
}

const besideSchema = z.object({ halt: z.unknown() });

/** Imports a dump, its kill switch too, into the empty store that the config names (SR-68). Returns what it did, in words. */
export async function storeImport({ config }: StoreOptions, file: string): Promise<string> {
  const { storeUrl } = readPlaces(config);
  const store = await openStore(storeUrl);
  try {
    const switchFile = haltFileOf(storeUrl);
    // With the rows or before them: a halted store must never exist without its halt.
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
