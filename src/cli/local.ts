import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { parseAlert } from "../alert/sources.ts";
import { OperatorError } from "../base/errors.ts";
import { jsonLines } from "../base/json.ts";
import { nearest } from "../base/problems.ts";
import type { AgentAsk } from "../features/agents/answer-agent.ts";
import { haltEntriesSchema, haltFileOf, writeHaltFile } from "../features/incident/halt.ts";
import { type Ask, answerAsk } from "../features/operator/local.ts";
import { type Answer, socketPath } from "../features/operator/socket.ts";
import { importStore } from "../store/database/dump.ts";
import { openStore } from "../store/database/open.ts";
import { writeHaltTable } from "../store/holds.ts";
import { alertArrival } from "../store/queue/arrival.ts";
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

/**
 * Builds the request to take in an alert from a cron job or a pipe. Needs no secret, because the account can read the operator's file.
 * Throws an `OperatorError` for an unknown source or an invalid alert.
 */
export function alertAsk({ config }: { readonly config?: string | undefined }, name: string, text: string): Ask {
  const { alertKinds } = readPlaces(config);
  const kind = alertKinds.get(name);
  if (kind === undefined) {
    const near = nearest(name, [...alertKinds.keys()]);
    const remedy = near ? `did you mean \`${near}\`?` : "add it there";
    throw new OperatorError({ place: "alerts.sources", message: `there is no source \`${name}\``, remedy });
  }
  const parsed = parseAlert(kind, text);
  if (parsed.kind !== "alert") {
    const message = parsed.kind === "ignored" ? parsed.why : `this is no ${kind} alert: ${parsed.why}`;
    throw new OperatorError({ place: "standard input", message });
  }
  return { ask: "alert", arrival: alertArrival(name, parsed.alert) };
}

/**
 * Builds the request for a first passkey's link, the list, or a revocation. A link needs login and id, because a login can change hands.
 * Throws an `OperatorError` for wrong arguments.
 */
export function keysAsk(
  { config }: { readonly config?: string | undefined },
  what: string,
  [first, second = ""]: readonly string[],
): Ask {
  if (what === "list") return { ask: "keys" };
  if (what === "revoke" && first !== undefined) return { ask: "keys", revoke: first };
  if (what === "revoke") throw wrongKeys("it takes the fingerprint of a key", "`keys list` shows them");
  if (what !== "add") throw wrongKeys(`there is no \`keys ${what}\``, "write `keys add`, `keys list` or `keys revoke`");
  const usage = "write `keys add mona 1234567`; `gh api users/mona --jq .id` prints the id";
  if (first === undefined) throw wrongKeys("it takes a login and a GitHub id", usage);
  if (!/^[1-9]\d{0,14}$/.test(second)) throw wrongKeys(`\`${second}\` is not the GitHub id of ${first}`, usage);
  const { publicUrl } = readPlaces(config);
  if (publicUrl === undefined)
    throw wrongKeys(
      "the config has no `server.public_url`, where the link would lead",
      "write it: https://bot.example.com",
    );
  return {
    ask: "keys",
    add: { id: Number(second), login: first.replace(/^@/, ""), origin: new URL(publicUrl).origin },
  };
}

const wrongKeys = (message: string, remedy: string): OperatorError =>
  new OperatorError({ place: "keys", message, remedy });
