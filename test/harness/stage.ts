import { sql } from "kysely";
import { afterEach, expect } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { type Action, actionOf } from "../../src/store/actions.ts";
import type { Db } from "../../src/store/database/open.ts";
import { type Incident, sessionOf } from "../../src/store/incidents.ts";
import { slots } from "../../src/store/outbox/thread-comments.ts";
import { type FakeModel, type Reply, type Step, startFakeModel } from "../agent/fake-model.ts";
import { commandsOf, type Play, saying } from "../ssh/fake-host.ts";
import { jobsIn, makeDue } from "../store/jobs.ts";
import { endpointsOf, type Playground, type PlaygroundOptions, startPlayground } from "./playground.ts";
import { until } from "./until.ts";
import { useStarted } from "./use-started.ts";

export interface Proposed {
  readonly command: string;
  /** A set of checks in place of the command. */
  readonly commands?: readonly string[];
  readonly server?: string;
  readonly title?: string;
  readonly description?: string;
  readonly check?: string | readonly string[];
  readonly expect?: object;
  readonly when?: unknown;
  /** The model's own label. */
  readonly risk?: string;
}

/** A whole bot with a model that plays a script and one server that plays commands. */
export interface Stage extends Playground {
  readonly model: FakeModel;
  /** The scripts the server was sent, without the wrapper's words around them. */
  readonly ran: () => readonly string[];
  /** How many commands the server was sent while this went on, and until all was quiet. */
  readonly sent: (work: () => Promise<unknown>) => Promise<number>;
  /** How commands go from now on; `fine`, exit 0, unless said otherwise. */
  readonly play: (play: Play) => void;
  /** Opens an incident, and resolves when everything is done; what the model says to it, if it is asked. */
  readonly opened: (
    issue?: Parameters<Playground["open"]>[0],
    ...replies: readonly (Step | Reply)[]
  ) => ReturnType<Playground["open"]>;
  /** An incident whose first card proposes these commands, numbered from 1. */
  readonly incident: (...proposed: readonly (string | Proposed)[]) => Promise<Thread & { number: number }>;
  /** Comments, and resolves with the bot's answer to it when everything is done; what the model says to it, if it is asked. */
  readonly ask: (thread: Thread, login: string, body: string, ...replies: readonly (Step | Reply)[]) => Promise<Answer>;
  /** Comments, and expects all of these words somewhere in what the bot says then. */
  readonly expectSaid: ExpectAnswer;
  /** The same of a comment that one comment answers. */
  readonly expectReply: ExpectAnswer;
  /** The same of one that is answered and marked as one by which nothing was done. */
  readonly expectRefusal: ExpectAnswer;
  /** The same of one that is done: 🚀 where it has no answer of its own. */
  readonly expectDone: ExpectAnswer;
}

type Words = string | RegExp;
type ExpectAnswer = (thread: Thread, login: string, body: string, words: Words | readonly Words[]) => Promise<Answer>;

export interface Answer {
  readonly id: number;
  readonly reactions: readonly string[];
  /** Whether a comment without an answer has 👀 and this beside it, and one with an answer nothing. */
  readonly isMarked: (outcome: "rocket" | "confused" | "-1") => boolean;
  /** What the bot has said in new comments since, in order. */
  readonly said: readonly string[];
}

/** A model's reply that proposes. */
export const proposing = (prose: string, ...proposed: readonly (string | Proposed)[]) => ({
  text: [
    prose,
    "---ACTIONS_JSON_START---",
    JSON.stringify({
      actions: proposed.map((given, index) => {
        const {
          command,
          commands,
          server = "web-1",
          title = "Look",
          description = "looks",
          check,
          expect,
          when,
          risk,
        } = asProposed(given);
        return {
          id: `${index + 1}`,
          api: "ssh.execute",
          title,
          description,
          ...(check && { check }),
          ...(expect && { expect }),
          ...(when !== undefined && { when }),
          ...(risk && { risk }),
          params: { server, ...(commands ? { commands } : { command }) },
        };
      }),
    }),
    "---ACTIONS_JSON_END---",
  ].join("\n"),
});

/** A model's reply that calls one tool. */
export const call = (name: string, args: object, text = ""): Step => ({ text, toolCalls: [{ name, arguments: args }] });

const asProposed = (given: string | Proposed): Proposed => (typeof given === "string" ? { command: given } : given);

interface StageOptions extends PlaygroundOptions {
  /** Further servers on the stage's one machine: what their entries say beside how to reach it. */
  readonly beside?: Readonly<Record<string, object>>;
  /** What the entry of its model says beside where it is. */
  readonly endpoint?: object;
}

export async function startStage({ beside = {}, endpoint = {}, ...options }: StageOptions = {}): Promise<Stage> {
  let play = saying("fine\n");
  const model = await startFakeModel();
  const playground = await startPlayground({
    // A busy machine would make the bot refuse to send (F-35); tests of that say a second.
    freshMs: 60_000,
    ...options,
    machine: { "web-1": {}, ...beside },
    play: (command, channel) => play(command, channel),
    configure: (config) => {
      config.model = {
        endpoints: endpointsOf(model, endpoint),
        deadline: "5s",
        retry: { max_retries: 0 },
      };
      options.configure?.(config);
    },
  });
  // No runbook fits it for certain: what is proposed is the model's, numbered from 1.
  const open: Playground["open"] = (issue) =>
    playground.open({ title: "Something is odd on web-1", body: "It is slow since 14:02Z.", ...issue });
  const expectAnswer =
    (isAlone: boolean, outcome?: "rocket" | "confused"): ExpectAnswer =>
    async (thread, login, body, words) => {
      const answer = await stage.ask(thread, login, body);
      if (isAlone) expect(answer.said, body).toHaveLength(1);
      for (const one of [words].flat()) expect(answer.said.join("\n\n"), body).toMatch(one);
      if (outcome) expect(answer.isMarked(outcome), `${body}: ${answer.reactions}`).toBe(true);
      return answer;
    };
  const stage: Omit<Stage, "bot"> = {
    ...playground,
    open,
    model,
    ran: () => playground.host.seen.commands,
    sent: async (work) => {
      const before = commandsOf(playground.host).length;
      await work();
      await playground.quiet();
      return commandsOf(playground.host).length - before;
    },
    play: (next) => {
      play = next;
    },
    opened: async (issue, ...replies) => {
      model.play(...replies);
      const thread = await open(issue);
      await playground.quiet();
      return thread;
    },
    incident: async (...proposed) => {
      model.play(proposing("LIKELY: looking.", ...proposed));
      const thread = await open();
      await thread.waitFor((body) => body.includes(`**${proposed.length}**`) && body.includes("```sh"), "the card");
      await playground.quiet();
      return thread;
    },
    ask: async (thread, login, body, ...replies) => {
      model.play(...replies);
      await playground.quiet();
      const before = new Set((await thread.comments()).map((comment) => comment.id));
      const id = await thread.say(login, body);
      await playground.quiet();
      const after = (await thread.comments()).filter((comment) => !before.has(comment.id) && comment.id !== id);
      const reactions = await thread.reactions(id);
      const { db } = playground.bot.deps.store;
      const reply = await db.selectFrom("comment").select("id").where("slot", "=", slots.reply(id)).executeTakeFirst();
      return {
        id,
        reactions,
        isMarked: (outcome) => reactions.join() === (reply ? [] : ["eyes", outcome]).join(),
        said: after.map((comment) => comment.body),
      };
    },
    expectSaid: expectAnswer(false),
    expectReply: expectAnswer(true),
    expectRefusal: expectAnswer(true, "confused"),
    expectDone: expectAnswer(false, "rocket"),
    close: async () => {
      await playground.close();
      await model.close();
    },
  };
  return {
    ...stage,
    get bot() {
      return playground.bot;
    },
  };
}

/**
 * A stage for the tests of a suite, which is closed behind them. Behind each of them the model has said all that it was to say, and
 * was asked for no more.
 */
export function useStage(options: () => StageOptions | Promise<StageOptions> = () => ({})): Stage {
  const stage = useStarted(async () => startStage(await options()));
  afterEach(() => stage.model.verify());
  return stage;
}

/** The rows of the audit in their order: those of one kind, or those of one issue, where it is said which. */
export async function auditOf(
  { bot }: Pick<Stage, "bot">,
  { kind, issue }: { readonly kind?: string | readonly string[]; readonly issue?: number } = {},
) {
  const kinds = kind === undefined ? [] : [kind].flat();
  const rows = await bot.deps.store.db
    .selectFrom("audit")
    .leftJoin("incident", "incident.id", "audit.incidentId")
    .select(["audit.kind as kind", "audit.body as body", "audit.at as at", "incident.number as number"])
    .orderBy("audit.seq")
    .execute();
  return rows
    .filter((row) => (issue ?? row.number) === row.number && (kinds.length === 0 || kinds.includes(row.kind)))
    .map((row) => ({ kind: row.kind, at: row.at, body: JSON.parse(row.body) }));
}

/** The newest message that is ours, of the last request to the model or of one before it; empty where there is none. */
export const newsOf = ({ model }: Pick<Stage, "model">, back = 1): string =>
  model.requests.at(-back)?.body.messages.findLast(({ role }) => role === "user")?.content ?? "";

/** The incident on an issue, as the store has it. */
export const incidentIn = (db: Db, issue: number): Promise<Incident> =>
  db.selectFrom("incident").selectAll().where("number", "=", issue).executeTakeFirstOrThrow();

/** The store's id of the incident on an issue. */
export const incidentIdOf = async (db: Db, issue: number): Promise<string> => (await incidentIn(db, issue)).id;

/** The action of an issue that has this number. */
export async function actionIn(db: Db, issue: number, number = 1): Promise<Action> {
  const action = await actionOf(db, await incidentIdOf(db, issue), number);
  if (!action) throw new Error(`#${issue} has no action ${number}`);
  return action;
}

/** The agent's session of an incident, as the store has it. */
export async function sessionIn({ bot }: Pick<Stage, "bot">, issue: number): ReturnType<typeof sessionOf> {
  const { db } = bot.deps.store;
  const id = await incidentIdOf(db, issue);
  return sessionOf(db, id);
}

/** The board's body as it reads now. */
export const boardOf = async (thread: Thread): Promise<string | undefined> =>
  (await thread.comments()).find(({ body }) => body.includes("Board of this"))?.body;

/** Comments, and the bot hears of it only when `deliver` is called. */
export async function sayUnheard(
  stage: Pick<Stage, "github" | "quiet">,
  thread: Thread,
  login: string,
  body: string,
): Promise<{ readonly deliver: () => Promise<void> }> {
  await stage.quiet();
  stage.github.fault({ event: "issue_comment.created" }, { drop: "before" });
  await thread.say(login, body);
  await stage.quiet();
  const { guid } = stage.github.deliveries().at(-1) ?? { guid: "" };
  return {
    deliver: async () => {
      await stage.github.redeliver(guid);
      await stage.quiet();
    },
  };
}

/** Whoever gave a command to which GitHub says nothing has waited for a minute. */
export async function waitInVain({ bot }: Pick<Stage, "bot">): Promise<void> {
  const { db } = bot.deps.store;
  const waiting = () => db.selectFrom("delivery").select("guid").where("state", "=", "stored").execute();
  await until(async () => expect(await waiting()).not.toEqual([]));
  await db
    .updateTable("delivery")
    .set({ receivedAt: new Date(Date.now() - 60_000) })
    .where("state", "=", "stored")
    .execute();
  await comeBack({ bot });
}

/** What waits for its next attempt waits no longer; what is under way is put back first, or it would wait all the same. */
export async function comeBack({ bot }: Pick<Stage, "bot">): Promise<void> {
  const { db, queue } = bot.deps.store;
  const underway = async () => (await jobsIn(db, "delivery")).filter(({ isServed }) => isServed);
  await until(async () => expect(await underway()).toEqual([]));
  await makeDue(db, "delivery");
  queue.wake("delivery");
}

/** Ends every hold, with the turns that wait for one: they must not ask the model in another test. */
export async function endHolds({ bot }: Pick<Stage, "bot">): Promise<void> {
  const { db } = bot.deps.store;
  await db.deleteFrom("hold").execute();
  await sql`delete from job where queue = 'turn' and alive_at is null`.execute(db);
}

/** The states of an incident's actions by number, as the store has them. */
export async function statesOf(stage: Pick<Stage, "bot">, issue: number): Promise<Readonly<Record<number, string>>> {
  const rows = await stage.bot.deps.store.db
    .selectFrom("action")
    .innerJoin("incident", "incident.id", "action.incidentId")
    .select(["action.number as number", "action.state as state"])
    .where("incident.number", "=", issue)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.number, row.state]));
}

/** A card's body as it reads now. */
export async function cardOf(thread: Thread, number: number): Promise<{ readonly id: number; readonly body: string }> {
  const shows = (body: string) => new RegExp(`^- \\[[ x]\\] (?:~~)?\\*\\*${number}\\*\\*`, "m").test(body);
  const found = (await thread.comments()).find((comment) => shows(comment.body));
  if (!found) throw new Error(`no card shows ${number}`);
  return found;
}
