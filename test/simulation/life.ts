import { setTimeout as sleep } from "node:timers/promises";
import { createThread } from "../../demo/thread.ts";
import type { Store } from "../../src/store/database/open.ts";
import { type Chance, createChance } from "../harness/chance.ts";
import { keptOf } from "../harness/playground.ts";
import type { Member, World } from "../harness/world.ts";
import { type History, ordinary, readGitHub, readKept } from "./history.ts";
import { checkRest, judge } from "./judge.ts";

/** What is played on a world, and what befalls it meanwhile. */
export interface Schedule {
  readonly seed: number;
  readonly incidents: number;
  /** From one incident to the next; one that finds `mostAtOnce` under way is left out. */
  readonly everyMs: number;
  readonly mostAtOnce?: number;
  /** Each is over by itself. */
  readonly troubles: readonly Trouble[];
  readonly redeliverEveryMs?: number;
  /** Where the incidents are, in turns; on web-1 of acme/web unless said otherwise. */
  readonly places?: readonly { readonly repo: string; readonly server: string }[];
  /** The two commands of an incident, which run in this order; each names its token. */
  readonly commandsOf?: (n: number) => readonly [string, string];
  /** After how long a player who hears nothing says it again. */
  readonly sayAgainMs?: number;
  /** What its servers began, in order; what the world's machine was sent unless said otherwise. */
  readonly begun?: () => readonly string[];
  /** Once nothing moves any more, with all processes up that have not ended by themselves. */
  readonly atRest?: () => unknown;
  /** Hears what happens. */
  readonly tell?: (what: string) => void;
}

export interface Stand {
  readonly world: World;
  readonly chance: Chance;
  /** Processes in a trouble of their own. */
  readonly spared: Set<Member>;
  /** Whether incidents are still being opened. */
  readonly isOpening: () => boolean;
  readonly tell: (what: string) => void;
  /** Counts what befell it. */
  readonly count: (what: string) => void;
}

export type Trouble = (stand: Stand) => Promise<void>;

export interface LivedLife {
  /** What was found wrong; nothing is right. */
  readonly wrong: readonly string[];
  readonly figures: {
    readonly seconds: number;
    readonly incidents: number;
    readonly deliveries: number;
    /** How often each trouble struck, and how many commands ended in which way. */
    readonly troubles: Readonly<Record<string, number>>;
    readonly endings: Readonly<Record<string, number>>;
  };
}

/** Five hundred incidents at once keep two cores busy for twenty minutes. */
const patienceMs = 2_400_000;

/** One is a job that is found again on its server, the other is not. */
const usualCommands: NonNullable<Schedule["commandsOf"]> = (n) => [`touch /srv/token-${n}-a`, `echo token-${n}-b`];

/** A whole life of a bot whose processes are up: it is played, troubled, left to come to rest, ended and judged. */
export async function live(world: World, schedule: Schedule): Promise<LivedLife> {
  const { places = [{ repo: "acme/web", server: "web-1" }], commandsOf = usualCommands } = schedule;
  const { mostAtOnce = Number.POSITIVE_INFINITY, redeliverEveryMs = 1_000, tell = () => undefined } = schedule;
  const started = performance.now();
  const chance = createChance(schedule.seed);
  const troubles: Record<string, number> = {};
  const { isEmbedded } = world;
  const posted = isEmbedded ? readPosted(world) : watchPosted(world);
  const played: PlayedIncident[] = [];
  const failed: string[] = [];
  const going = new Set<Promise<void>>();
  let opened = 0;
  let isOpening = true;
  let isPlayed = false;

  const open = (): void => {
    const n = opened++;
    const { repo, server } = places[n % places.length] ?? { repo: "", server: "" };
    const one = playIncident(
      { world, posted, repo, server, commands: commandsOf(n), sayAgainMs: schedule.sayAgainMs },
      n,
    )
      .then((done) => {
        tell(`incident ${n}: ${done.endings.join(", ")}`);
        played.push(done);
      })
      .catch((error) => void failed.push(String(error)))
      .finally(() => going.delete(one));
    going.add(one);
  };
  const openAll = async (): Promise<void> => {
    for (let n = 0; n < schedule.incidents && world.lost.length === 0; n++) {
      if (going.size < mostAtOnce) open();
      await sleep(schedule.everyMs);
    }
    isOpening = false;
  };
  const redeliver = async (): Promise<void> => {
    for (; !isPlayed; await sleep(redeliverEveryMs)) await world.redeliver();
  };
  const stand: Stand = {
    world,
    chance,
    spared: new Set(),
    isOpening: () => isOpening && world.lost.length === 0,
    tell,
    count: (what) => {
      troubles[what] = (troubles[what] ?? 0) + 1;
    },
  };
  const redelivering = redeliver();
  try {
    await Promise.all([openAll(), ...schedule.troubles.map((trouble) => trouble(stand))]);
    tell("no more troubles; waiting for what is open");
    // Of a process that has ended by itself nothing more may come.
    while (going.size > 0 && world.lost.length === 0) await sleep(250);
  } finally {
    isOpening = false;
    isPlayed = true;
    await redelivering;
    await posted.stop();
  }
  const seconds = Math.round((performance.now() - started) / 1_000);

  const judged = async (): Promise<readonly string[]> => {
    const history = await readHistory(world, { played, begun: schedule.begun?.() ?? world.host.seen.commands });
    const sent = history.audit.filter(({ kind }) => kind === "command_dispatched").length;
    return [
      ...judge(history),
      ...played.flatMap(({ n, endings }) =>
        faultsOfEndings(endings, { begun: history.begun, commands: commandsOf(n) }),
      ),
      ...(sent === 2 * opened ? [] : [`${sent} of ${2 * opened} actions were dispatched`]),
    ];
  };
  let wrong: readonly string[] = [];
  // The last edits are on their way; on a busy machine, and behind many kills, that takes a while.
  for (const until = performance.now() + 180_000; ; await world.start()) {
    const isLast = () => performance.now() > until || world.lost.length > 0;
    do
      for (let still = 0; still < 5; still++) {
        await world.redeliver();
        await sleep(1_000);
      }
    while (!isEmbedded && !isLast() && checkRest(await world.look(({ db }) => readKept(db))).length > 0);
    await schedule.atRest?.();
    // An embedded store opens for another once its bot has ended.
    await world.end(isEmbedded ? "SIGTERM" : "SIGKILL");
    wrong = await judged();
    // A board's last edit may come back as a webhook in the moment of the kill: what starts again takes it up.
    if (wrong.length === 0 || isLast()) break;
  }
  const endings = Object.groupBy(
    played.flatMap((one) => one.endings),
    (ending) => ending,
  );
  return {
    wrong: [...world.lost, ...failed, ...wrong],
    figures: {
      seconds,
      incidents: opened,
      deliveries: keptOf(world.github).length,
      troubles,
      endings: Object.fromEntries(Object.entries(endings).map(([ending, all = []]) => [ending, all.length])),
    },
  };
}

interface PlayedIncident {
  readonly n: number;
  readonly repo: string;
  readonly number: number;
  /** How each command ended, as its run card tells. */
  readonly endings: readonly string[];
}

/** One incident from its opening to the end of the two commands that are approved in it. */
async function playIncident(
  {
    world,
    posted,
    repo,
    server,
    commands,
    sayAgainMs = 45_000,
  }: {
    readonly world: World;
    readonly posted: Posted;
    readonly repo: string;
    readonly server: string;
    readonly commands: readonly string[];
    readonly sayAgainMs: number | undefined;
  },
  n: number,
): Promise<PlayedIncident> {
  const thread = await world.open({ repo, title: `SpoolAlmostFull on web-1, the ${n}th` });
  const at = { repo, number: thread.number };
  /** Says it until a comment of ours fits, and waits twice as long each time: who hears nothing, or that it could not be done just now. */
  const insist = async (login: string, body: string, fits: (body: string) => boolean): Promise<string> => {
    const until = performance.now() + patienceMs;
    let sayAt = 0;
    for (let waitMs = sayAgainMs; performance.now() < until && world.lost.length === 0; await sleep(250)) {
      const found = await posted.find(at, fits);
      if (found !== undefined) return found;
      if (performance.now() < sayAt) continue;
      await thread.say(login, body);
      sayAt = performance.now() + waitMs;
      waitMs *= 2;
    }
    throw new Error(`waited in vain for what comes of ${JSON.stringify(body)} in incident ${n}`);
  };
  const numbers: string[] = [];
  for (const command of commands) {
    const isCard = (body: string) => body.includes(command) && body.includes("Proposed by");
    const card = await insist("sam", `/run ${server}\n\`\`\`sh\n${command}\n\`\`\``, isCard);
    numbers.push(/\*\*(\d+)\*\*/.exec(card)?.[1] ?? "");
  }
  const endOf = (one: string) => new RegExp(`\\*\\*${one}\\*\\* (✅|❌|⚠|⏱|🛑|⌨|🔌|❓)`, "u");
  // A command behind one that ended unknown needs another approval, and its result is a comment of its own.
  const endings: string[] = [];
  for (const one of numbers) {
    const body = await insist("lee", `/approve ${numbers.join(" ")}`, (told) => endOf(one).test(told));
    endings.push(endOf(one).exec(body)?.[1] ?? "");
  }
  return { n, ...at, endings };
}

/** The comments of ours that GitHub has taken. */
interface Posted {
  readonly find: (
    issue: { readonly repo: string; readonly number: number },
    fits: (body: string) => boolean,
  ) => string | undefined | Promise<string | undefined>;
  readonly stop: () => Promise<unknown>;
}

/** Reads the issue itself: for a few players at once. */
const readPosted = ({ github }: World): Posted => ({
  find: async ({ repo, number }, fits) =>
    (await createThread(github, repo, number).comments()).find(
      ({ login, body }) => login.endsWith("[bot]") && fits(body),
    )?.body,
  stop: async () => undefined,
});

/** Asks the store for all players together: GitHub lets nobody ask so often, and each by himself is what a machine is busy with then. */
function watchPosted({ look }: World): Posted {
  const versions = new Map<string, number>();
  /** By issue, and there by the comment's id. */
  const bodies = new Map<string, Map<string, string>>();
  const read = async ({ db }: Pick<Store, "db">): Promise<void> => {
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
  const watching = look(async (store) => {
    // A database that is away for a moment is looked at again.
    for (; !isOver; await sleep(250)) await read(store).catch(() => undefined);
  });
  return {
    find: ({ repo, number }, fits) => bodies.get(`${repo}#${number}`)?.values().find(fits),
    stop: () => {
      isOver = true;
      return watching;
    },
  };
}

const tokenIn = (text: string): string => /token-\d+-[ab]/.exec(text)?.[0] ?? "nothing of the players";

/** Of a life in which nothing but such incidents was played. */
async function readHistory(
  world: World,
  { played, begun }: { readonly played: readonly PlayedIncident[]; readonly begun: readonly string[] },
): Promise<History> {
  return {
    ...ordinary,
    ...(await world.look(({ db }) => readKept(db))),
    ...(await readGitHub(world.github, played)),
    // Whatever else is asked about a job does not name its command.
    begun: begun.filter((line) => line.includes("token-")).map(tokenIn),
    wordOf: (_, { command }) => tokenIn(command),
    approvers: ["lee"],
  };
}

/** What people are told of the commands of an incident is what became of them. */
const faultsOfEndings = (
  endings: readonly string[],
  { begun, commands }: Pick<History, "begun"> & { readonly commands: readonly string[] },
): readonly string[] =>
  commands.flatMap((command, at) => {
    const times = begun.filter((word) => word === tokenIn(command)).length;
    const ending = endings[at] ?? "";
    return [
      // Every command here is a good one.
      ...(/^[✅🔌❓]/u.test(ending) ? [] : [`${command} ended as ${ending}`]),
      ...(ending.startsWith("✅") && times !== 1 ? [`${command} went well without being sent`] : []),
      ...(ending.startsWith("🔌") && times > 0 ? [`${command} was sent and is said not to be`] : []),
      // A job is found again on its server, whatever becomes of the bot.
      ...(command.startsWith("touch") && ending.includes("❓") ? [`${command} is a job and ended unknown`] : []),
    ];
  });
