import { setTimeout as sleep } from "node:timers/promises";
import { createThread, openIssue, type Thread } from "../../demo/thread.ts";
import { verifyAudit } from "../../src/store/audit/chain.ts";
import { openStore, type Store } from "../../src/store/database/open.ts";
import type { FakeHost } from "../ssh/fake-host.ts";
import { type Ground, incident, keptOf } from "./playground.ts";

/** Five hundred incidents at once keep two cores busy for twenty minutes. */
export const patienceMs = 2_400_000;
/** Who hears nothing, or that it could not be done just now, says it again, and waits twice as long each time. */
const usualSayAgainMs = 45_000;

/** The two commands of an incident, which run in this order: one is a job that is found again, the other is not. */
const commandsOf = (n: number) => [`touch /srv/token-${n}-a`, `echo token-${n}-b`] as const;

export interface Played {
  readonly n: number;
  readonly thread: Thread;
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
  }: {
    readonly ground: Ground;
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
  for (const command of commandsOf(n)) {
    const isCard = (body: string) => body.includes(command) && body.includes("Proposed by");
    const say = () => thread.say("sam", `/run ${server}\n\`\`\`sh\n${command}\n\`\`\``);
    const card = await insist({ say, sayAgainMs }, () => posted.find(at, isCard), `the card of ${command}`);
    numbers.push(/\*\*(\d+)\*\*/.exec(card)?.[1] ?? "");
  }
  const endOf = (one: string) => new RegExp(`\\*\\*${one}\\*\\* (✅|❓|🔌)`);
  const isOver = (body: string) => numbers.every((one) => endOf(one).test(body));
  const approve = () => thread.say("lee", `/approve ${numbers.join(" ")}`);
  const body = await insist({ say: approve, sayAgainMs }, () => posted.find(at, isOver), `the results of ${n}`);
  return { n, thread, endings: numbers.map((one) => endOf(one).exec(body)?.[1] ?? "") };
}

/** Says something until it has come to what is waited for. */
async function insist(
  { say, sayAgainMs }: { readonly say: () => Promise<unknown>; readonly sayAgainMs: number },
  look: () => string | undefined,
  what: string,
): Promise<string> {
  const until = performance.now() + patienceMs;
  let sayAt = 0;
  for (let waitMs = sayAgainMs; performance.now() < until; await sleep(250)) {
    const found = look();
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
  ) => string | undefined;
  readonly stop: () => Promise<void>;
}

/** Asks the store for all players together: GitHub lets nobody ask so often, and each by himself is what a machine is busy with then. */
export function watchPosted({ db }: Store): Posted {
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

/** What a server was sent: nothing twice, nothing that is said to have run and did not, nothing before what stands before it. */
export async function wrongOnHost(played: readonly Played[], host: FakeHost): Promise<readonly string[]> {
  // Whatever else is asked about a job does not name its command.
  const sent = host.seen.commands;
  return played.flatMap(({ n, endings }) => {
    const places = commandsOf(n).map((command) => {
      const token = command.slice(command.indexOf("token"));
      return sent.flatMap((line, at) => (new RegExp(`${token}(?!\\w)`).test(line) ? [at] : []));
    });
    const times = places.map(({ length }) => length);
    const [first = [], second = []] = places;
    return [
      ...times.flatMap((count, at) => (count > 1 ? [`command ${at} of ${n} was sent ${count} times`] : [])),
      ...times.flatMap((count, at) =>
        endings[at]?.startsWith("✅") && count !== 1 ? [`command ${at} of ${n} went well without being sent`] : [],
      ),
      ...times.flatMap((count, at) =>
        endings[at]?.startsWith("🔌") && count > 0 ? [`command ${at} of ${n} was sent and is said not to be`] : [],
      ),
      ...((first[0] ?? -1) > (second[0] ?? Number.POSITIVE_INFINITY) ? [`the commands of ${n} ran out of order`] : []),
      // A job is found again on its server, whatever becomes of the bot.
      ...(endings[0]?.includes("❓") ? [`the job of ${n} ended unknown`] : []),
    ];
  });
}

/** Each comment of ours is there once, the board before all others. */
export async function wrongOnIssues(played: readonly Played[]): Promise<readonly string[]> {
  const found = await Promise.all(
    played.map(async ({ n, thread }) => {
      const ours = (await thread.comments()).filter(({ body }) => /<!-- countersign [0-9a-f-]+ -->/.test(body));
      const marks = ours.map(({ body }) => /<!-- countersign ([0-9a-f-]+) -->/.exec(body)?.[1]);
      return [
        ...(new Set(marks).size === marks.length ? [] : [`a comment of ${n} is there twice`]),
        ...(ours[0]?.body.includes("Board of this incident") ? [] : [`the first comment of ${n} is not its board`]),
      ];
    }),
  );
  return found.flat();
}

/** Each delivery that was taken was served, each command was dispatched once, and the audit holds. */
export async function wrongInStore(
  url: string,
  github: Ground["github"],
  incidents: number,
): Promise<readonly string[]> {
  const store = await openStore(url);
  try {
    const rows = await store.db.selectFrom("delivery").select(["guid", "state", "outcome"]).execute();
    const states = new Map(rows.map(({ guid, state, outcome }) => [guid, `${state}: ${outcome}`]));
    const unserved = keptOf(github).filter((guid) => !states.get(guid)?.startsWith("done"));
    // A comment that catch-up has read before its webhook came stands under a name of its own; its webhook is known by it then (RR-02).
    const sent = new Set(github.deliveries().map(({ guid }) => guid));
    const caughtUp = rows.filter(({ guid }) => !sent.has(guid)).length;
    const lost = unserved.filter((guid) => states.has(guid));
    const absent = unserved.length - lost.length;
    const audit = await verifyAudit(store.db);
    const dispatched = await store.db
      .selectFrom("audit")
      .select("body")
      .where("kind", "=", "command_dispatched")
      .execute();
    const digests = dispatched.map(({ body }) => JSON.parse(body).digest);
    return [
      ...lost.map((guid) => `delivery ${guid} was taken and not served, but ${states.get(guid)}`),
      ...(absent <= caughtUp
        ? []
        : [`${absent} deliveries were taken and are not there; ${caughtUp} comments were read`]),
      ...(audit.ok ? [] : [`the audit does not hold: ${audit.reason}`]),
      ...(new Set(digests).size === digests.length ? [] : ["an action was dispatched twice"]),
      ...(digests.length === 2 * incidents ? [] : [`${digests.length} of ${2 * incidents} actions were dispatched`]),
    ];
  } finally {
    await store.close();
  }
}

/** Waits until nothing that was taken is left to be served; gives up in silence, since what is left is found afterwards. */
export async function untilServed({ db }: Store): Promise<void> {
  const until = performance.now() + 180_000;
  const isLeft = async (): Promise<boolean> =>
    (await db.selectFrom("delivery").select("guid").where("state", "=", "stored").limit(1).execute()).length > 0;
  while ((await isLeft()) && performance.now() < until) await sleep(500);
}
