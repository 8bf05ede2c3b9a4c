import { setTimeout as sleep } from "node:timers/promises";
import { createThread, openIssue } from "../../demo/thread.ts";
import { openStore, type Store } from "../../src/store/database/open.ts";
import { type Ground, incident } from "../harness/playground.ts";
import type { FakeHost } from "../ssh/fake-host.ts";
import { type History, ordinary, readGitHub, readKept } from "./history.ts";
import { checkRest, judge } from "./judge.ts";

/** Five hundred incidents at once keep two cores busy for twenty minutes. */
export const patienceMs = 2_400_000;
/** Who hears nothing, or that it could not be done just now, says it again, and waits twice as long each time. */
const usualSayAgainMs = 45_000;

/** The two commands of an incident, which run in this order: one is a job that is found again, the other is not. */
const commandsOf: CommandsOf = (n) => [`touch /srv/token-${n}-a`, `echo token-${n}-b`];
/** The two commands of the incident of a number; each names its token. */
export type CommandsOf = (n: number) => readonly [string, string];

export interface Played {
  readonly n: number;
  readonly repo: string;
  readonly number: number;
  /** How each command ended, as its run card tells. */
  readonly endings: readonly string[];
}

/** One incident from its opening to the end of the two commands that are approved in it. */
export async function playIncident(
  {
    ground,
    posted,
    repo,
    server = "web-1",
    sayAgainMs = usualSayAgainMs,
    commands = commandsOf,
  }: {
    readonly ground: Ground;
    readonly commands?: CommandsOf;
    readonly posted: Posted;
    readonly repo: string;
    readonly server?: string;
    readonly sayAgainMs?: number | undefined;
  },
  n: number,
): Promise<Played> {
  const issue = { ...incident, title: `SpoolAlmostFull on web-1, the ${n}th` };
  const number = await openIssue(ground.github, repo, issue);
  const thread = createThread(ground.github, repo, number);
  const at = { repo, number };
  const numbers: string[] = [];
  for (const command of commands(n)) {
    const isCard = (body: string) => body.includes(command) && body.includes("Proposed by");
    const say = () => thread.say("sam", `/run ${server}\n\`\`\`sh\n${command}\n\`\`\``);
    const card = await insist({ say, sayAgainMs }, () => posted.find(at, isCard), `the card of ${command}`);
    numbers.push(/\*\*(\d+)\*\*/.exec(card)?.[1] ?? "");
  }
  const endOf = (one: string) => new RegExp(`\\*\\*${one}\\*\\* (✅|❓|🔌)`);
  const isOver = (body: string) => numbers.every((one) => endOf(one).test(body));
  const approve = () => thread.say("lee", `/approve ${numbers.join(" ")}`);
  const body = await insist({ say: approve, sayAgainMs }, () => posted.find(at, isOver), `the results of ${n}`);
  return { n, ...at, endings: numbers.map((one) => endOf(one).exec(body)?.[1] ?? "") };
}

/** Says something until it has come to what is waited for. */
async function insist(
  { say, sayAgainMs }: { readonly say: () => Promise<unknown>; readonly sayAgainMs: number },
  look: () => string | undefined | Promise<string | undefined>,
  what: string,
): Promise<string> {
  const until = performance.now() + patienceMs;
  let sayAt = 0;
  for (let waitMs = sayAgainMs; performance.now() < until; await sleep(250)) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() < sayAt) continue;
    await say();
    sayAt = performance.now() + waitMs;
    waitMs *= 2;
  }
  throw new Error(`waited ${patienceMs} ms for ${what}`);
}

/** The comments of ours that GitHub has taken. */
export interface Posted {
  readonly find: (
    issue: { readonly repo: string; readonly number: number },
    fits: (body: string) => boolean,
  ) => string | undefined | Promise<string | undefined>;
}

/** Reads the issue itself: for a few players at once. */
export const readPosted = ({ github }: Pick<Ground, "github">): Posted => ({
  find: async ({ repo, number }, fits) =>
    (await createThread(github, repo, number).comments()).find(
      ({ login, body }) => login.endsWith("[bot]") && fits(body),
    )?.body,
});

/** Asks the store for all players together: GitHub lets nobody ask so often, and each by himself is what a machine is busy with then. */
export function watchPosted({ db }: Store): Posted & { readonly stop: () => Promise<void> } {
  const versions = new Map<string, number>();
  /** By issue, and there by the comment's id. */
  const bodies = new Map<string, Map<string, string>>();
  const look = async (): Promise<void> => {
    const all = await db.selectFrom("comment").select(["id", "postedVersion"]).where("postedVersion", ">", 0).execute();
    const changed = all.filter(({ id, postedVersion }) => versions.get(id) !== postedVersion).map(({ id }) => id);
    if (changed.length === 0) return;
    const rows = await db.selectFrom("comment").selectAll().where("id", "in", changed).execute();
    for (const { id, repo, issue, postedVersion, postedBody } of rows) {
      versions.set(id, postedVersion);
      const ofIssue = bodies.get(`${repo}#${issue}`) ?? new Map<string, string>();
      bodies.set(`${repo}#${issue}`, ofIssue.set(id, postedBody ?? ""));
    }
  };
  let isOver = false;
  const watching = (async () => {
    // A database that is away for a moment is looked at again.
    for (; !isOver; await sleep(250)) await look().catch(() => undefined);
  })();
  return {
    find: ({ repo, number }, fits) => bodies.get(`${repo}#${number}`)?.values().find(fits),
    stop: () => {
      isOver = true;
      return watching;
    },
  };
}

const tokenIn = (text: string): string => /token-\d+-[ab]/.exec(text)?.[0] ?? "nothing of the players";

/** What is wrong with a life in which nothing but such incidents was played, `opened` of them; nothing is right. */
export async function judgePlayed(
  { github }: Pick<Ground, "github">,
  {
    storeUrl,
    host,
    played,
    opened,
    commands = commandsOf,
  }: {
    readonly commands?: CommandsOf;
    readonly storeUrl: string;
    readonly host: { readonly seen: Pick<FakeHost["seen"], "commands"> };
    readonly played: readonly Played[];
    readonly opened: number;
  },
): Promise<readonly string[]> {
  const store = await openStore(storeUrl);
  try {
    const history: History = {
      ...ordinary,
      ...(await readKept(store.db)),
      ...(await readGitHub(github, played)),
      // Whatever else is asked about a job does not name its command.
      begun: host.seen.commands.filter((line) => line.includes("token-")).map(tokenIn),
      wordOf: (_, { command }) => tokenIn(command),
      approvers: ["lee"],
    };
    const sent = history.audit.filter(({ kind }) => kind === "command_dispatched").length;
    return [
      ...judge(history),
      ...played.flatMap((one) => faultsOfEndings(one, { begun: history.begun, commands: commands(one.n) })),
      ...(sent === 2 * opened ? [] : [`${sent} of ${2 * opened} actions were dispatched`]),
    ];
  } finally {
    await store.close();
  }
}

/** What people are told of the commands of an incident is what became of them. */
const faultsOfEndings = (
  { endings }: Played,
  { begun, commands }: Pick<History, "begun"> & { readonly commands: readonly string[] },
): readonly string[] =>
  commands.flatMap((command, at) => {
    const times = begun.filter((word) => word === tokenIn(command)).length;
    const ending = endings[at] ?? "";
    return [
      ...(ending.startsWith("✅") && times !== 1 ? [`${command} went well without being sent`] : []),
      ...(ending.startsWith("🔌") && times > 0 ? [`${command} was sent and is said not to be`] : []),
      // A job is found again on its server, whatever becomes of the bot.
      ...(command.startsWith("touch") && ending.includes("❓") ? [`${command} is a job and ended unknown`] : []),
    ];
  });

/** Waits until nothing moves any more; gives up in silence, since what still does is found afterwards. */
export async function untilRest({ db }: Pick<Store, "db">): Promise<void> {
  const until = performance.now() + 180_000;
  while (performance.now() < until && checkRest(await readKept(db)).length > 0) await sleep(2_000);
}
