import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Thread } from "../../../demo/thread.ts";
import type { Server } from "../../../src/base/server.ts";
import { loadConfig } from "../../../src/config/load.ts";
import type { Bot } from "../../../src/service/start.ts";
import { entryOf, type Playground, repo, startPlayground } from "../../harness/playground.ts";
import { incidentIdOf } from "../../harness/stage.ts";
import { type FakeHost, startFakeHost } from "../../ssh/fake-host.ts";
import { type Switchboard, startSwitchboard } from "../../ssh/switchboard.ts";
import { makeDue } from "../../store/jobs.ts";

/** An approved command that waits at one of the moments. */
export interface Cell {
  readonly thread: Thread & { readonly number: number };
  /** The number of the command that may not be sent. */
  readonly number: number;
  /** What lee writes to approve it. */
  readonly approval: string;
  /** A word of the command that is in no other one. */
  readonly token: string;
  /** How often it has begun where that was right, before anything was flipped. */
  begunBefore: number;
  /** The comment in which lee approves it. */
  approvedBy: number;
}

type OperatorFile = Readonly<Record<string, unknown>>;

/** Changes to the operator's file, as it was at first. */
export interface OperatorHand {
  /** Puts the file, changed so, in force; as it was at first where nothing is said. */
  readonly reload: (change?: (file: OperatorFile) => OperatorFile) => void;
  /** Writes the file, and the bot has to notice. */
  readonly rewrite: (change: (file: OperatorFile) => OperatorFile) => void;
}

export function operatorHand(bot: Bot): OperatorHand {
  const { file } = bot.deps.config;
  const first: OperatorFile = JSON.parse(readFileSync(file, "utf8"));
  return {
    reload: (change = (same) => same) => {
      const aside = `${file}.aside`;
      writeFileSync(aside, JSON.stringify(change(first)), { mode: 0o600 });
      // The file that is followed stays the one that it is.
      bot.reload({ ...loadConfig({ file: aside }), file });
    },
    rewrite: (change) => writeFileSync(file, JSON.stringify(change(first)), { mode: 0o600 }),
  };
}

/** A bot whose servers can be made to wait in every way, each behind a switchboard of its own. */
export interface LookGround extends Playground, OperatorHand {
  readonly board: (server: string) => Switchboard;
  readonly server: (name: string) => Server;
  /** A machine with another host key. */
  readonly stranger: FakeHost;
  /** How often a command with this word has begun. */
  readonly begun: (token: string) => number;
  /** Each server's address leads to its own machine again, and to none by an old connection. */
  readonly comeHome: () => void;
  /** A command with this word begins and does not end before it is let go. */
  readonly stall: (token: string) => { readonly letGo: () => void };
  /** What speaks against a command, in all words that there are of it. */
  readonly against: (cell: Cell) => Promise<string>;
  /** Takes a session of the server, which `retire` gives back if nobody has. */
  readonly take: (server: string) => Promise<{ readonly letGo: () => void }>;
  /** Nothing that waits may be sent any more, whatever is put right now, and nothing is held up. */
  readonly retire: () => Promise<void>;
}

export const plainServers = ["sessions", "slow", "drops", "jump", "line", "asked", "told", "own", "hold", "batch"];
export const fan = ["fan-1", "fan-2"];

export async function startLookGround(storeUrl: string | undefined): Promise<LookGround> {
  const begun: string[] = [];
  const stalled = new Map<string, PromiseWithResolvers<void>>();
  const taken = new Set<() => void>();
  const play = async (command: string): Promise<number> => {
    const token = /\w+-token/.exec(command)?.[0];
    if (!token) return 0;
    begun.push(token);
    await stalled.get(token)?.promise;
    return 0;
  };
  const [wide, narrow, bastion, stranger] = await Promise.all([
    startFakeHost(play),
    startFakeHost(play, { maxSessions: 1 }),
    startFakeHost(play, { forwards: true }),
    startFakeHost(play),
  ]);
  const hostOf = (name: string): FakeHost => (name === "sessions" ? narrow : name === "bastion" ? bastion : wide);
  const boards = new Map<string, Switchboard>();
  for (const name of [...plainServers, ...fan, "bastion"])
    boards.set(name, await startSwitchboard(hostOf(name).entry.port));
  const board = (name: string): Switchboard => boards.get(name) ?? never(name);
  const servers = Object.fromEntries(
    [...boards].map(([name, { port }]) => [
      name,
      {
        ...entryOf(hostOf(name)),
        port,
        ...(fan.includes(name) ? { groups: ["fan"] } : {}),
        ...(name === "jump" ? { jump: "bastion" } : {}),
      },
    ]),
  );
  const playground = await startPlayground({
    servers,
    ...(storeUrl === undefined ? {} : { storeUrl }),
    follow: true,
    config: { execution: { at_once: 1 } },
  });
  const { bot } = playground;
  const { db, queue } = bot.deps.store;
  // What looks again in a while does it soon, so that nothing is taken for refused that only waits.
  const waking = setInterval(() => {
    void makeDue(db, "execute").then(() => queue.wake("execute"));
  }, 3_000);
  // What a fact's webhooks were to tell is lost for good: redelivered five minutes later it would void what another fact is about.
  const forgetLost = (): void =>
    playground.github.fault(
      { method: "GET", path: /^\/app\/hook\/deliveries/, times: 1_000_000 },
      { status: 200, body: [] },
    );
  forgetLost();
  return {
    ...playground,
    ...operatorHand(bot),
    bot,
    board,
    stranger,
    server: (name) => bot.deps.config.servers.get(name) ?? never(name),
    begun: (token) => begun.filter((one) => one === token).length,
    comeHome: () => {
      for (const [name, one] of boards) {
        one.switchTo(hostOf(name).entry.port);
        one.cut();
      }
    },
    stall: (token) => {
      const gate = Promise.withResolvers<void>();
      stalled.set(token, gate);
      return { letGo: gate.resolve };
    },
    take: async (name) => {
      const server = bot.deps.config.servers.get(name) ?? never(name);
      const { release } = await bot.deps.reserve({ server, wrapped: "true" }, new AbortController().signal);
      const letGo = (): void => {
        if (taken.delete(letGo)) release();
      };
      taken.add(letGo);
      return { letGo };
    },
    against: async ({ thread, number }) => {
      const id = await incidentIdOf(db, thread.number);
      const audit = await db.selectFrom("audit").select(["kind", "body"]).where("incidentId", "=", id).execute();
      const runs = await db
        .selectFrom("run")
        .innerJoin("action", "action.id", "run.actionId")
        .select("run.ending as ending")
        .where("action.incidentId", "=", id)
        .execute();
      const states = await db.selectFrom("action").select(["number", "state"]).where("incidentId", "=", id).execute();
      const notes = await db.selectFrom("batch").select(["note", "waitsFor"]).where("incidentId", "=", id).execute();
      const said = await db.selectFrom("comment").select("body").where("incidentId", "=", id).execute();
      return [
        ...states.filter((action) => action.number === number).map(({ state }) => `state ${state}`),
        ...audit.map(({ kind, body }) => `${kind} ${JSON.parse(body).reason ?? ""}`),
        ...runs.map(({ ending }) => JSON.stringify(ending)),
        ...notes.map(({ note, waitsFor }) => `${note} ${waitsFor}`),
        ...said.map(({ body }) => body),
        ...playground.log.flatMap(({ event, issue }) =>
          event === "facts_failed" && issue === thread.number ? event : [],
        ),
      ].join("\n");
    },
    retire: async () => {
      await sql`update action set expires_at = now() - interval '1 minute' where state in ('approved', 'proposed')`.execute(
        db,
      );
      playground.github.clearFaults();
      forgetLost();
      for (const one of boards.values()) one.pass();
      for (const { resolve } of stalled.values()) resolve();
      for (const letGo of taken) letGo();
      const { running } = bot.deps;
      for (const incident of running.incidents())
        running.stop(incident, { by: { by: "the test", operator: true }, which: "all" });
      await soon("all has ended", () => running.actionIds().length === 0 || undefined);
    },
    close: async () => {
      clearInterval(waking);
      for (const one of boards.values()) one.close();
      await playground.close();
      await Promise.all([wide, narrow, bastion, stranger].map((host) => host.close()));
    },
  };
}

let words = 0;

/** Opens an incident in which sam proposes commands with a word of their own, the last of which is the one in question. */
export async function propose(
  ground: LookGround,
  server: string,
  given: { readonly before?: boolean; readonly medium?: boolean } = {},
): Promise<Cell> {
  const thread = await ground.open({ title: "Odd noises", body: "From the cellar." });
  const token = `cell${++words}-token`;
  const command = `${given.medium ? "systemctl restart" : "echo"} ${token}`;
  const all = given.before ? [`echo before${words}-token`, command] : [command];
  let number = 0;
  // One after the other: webhooks of two comments may come in any order.
  for (const one of all) {
    await thread.say("sam", `/run ${server}\n\`\`\`sh\n${one}\n\`\`\``);
    number = await soon(`${one} is proposed`, async () => {
      const rows = await ground.bot.deps.store.db.selectFrom("action").select(["number", "spec"]).execute();
      return rows.find(({ spec }) => spec.command === one)?.number;
    });
  }
  await soon(`the card of ${token}`, async () => {
    const cards = ground.bot.deps.store.db.selectFrom("comment").select("id").where("slot", "!=", "board");
    // The board names it too, and may be posted before; an approval counts only if it is younger than the card.
    return cards.where("postedBody", "like", `%${token}%`).executeTakeFirst();
  });
  const approval = `/approve ${given.before ? `${number - 1} ` : ""}${number}`;
  return { thread, number, approval, token, begunBefore: 0, approvedBy: 0 };
}

/** Waits until there is something. */
export async function soon<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  known: () => Promise<string> | string = () => "",
): Promise<T> {
  const ms = 180_000;
  for (const until = performance.now() + ms; ; await sleep(10)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > until) throw new Error(`waited ${ms} ms in vain: ${what}\n${await known()}`);
  }
}

/** A connection to the server stands open, as after an earlier command. */
export async function warmUp(ground: LookGround, name: string): Promise<void> {
  const { letGo } = await ground.take(name);
  letGo();
}

export const pathOf = (issue: number): string => `/repos/${repo}/issues/${issue}`;

export function never(what: string): never {
  throw new Error(`there is no ${what}`);
}
