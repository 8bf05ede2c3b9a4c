import { setTimeout as sleep } from "node:timers/promises";
import { createThread, openIssue, type Thread } from "../src/demo/thread.ts";
import { verifyAudit } from "../src/store/audit.ts";
import { openStore } from "../src/store/database.ts";
import { createChance, keepKilling, type Member, redeliverLost, startCable, startCluster } from "./cluster.ts";
import { entryOf, incident, prepareGround } from "./playground.ts";
import { startPostgres } from "./postgres.ts";
import { type FakeHost, startFakeHost } from "./ssh/fake-host.ts";

export interface PlayedCluster {
  readonly incidents: number;
  readonly seed: number;
  /** How long incidents go on being opened. */
  readonly seconds: number;
  readonly killEveryMs: number;
}

const repos = ["acme/web", "acme/api", "acme/db"];
const patienceMs = 600_000;
/** Longer than the 15 s after which what a process holds is another's (F-35). */
const frozenMs = 20_000;
const cutMs = 8_000;

/** The two commands of an incident, which run in this order: one is a job that is found again, the other is not. */
const commandsOf = (n: number) => [`touch /srv/token-${n}-a`, `echo token-${n}-b`] as const;

interface Played {
  readonly n: number;
  readonly thread: Thread;
  readonly endings: readonly string[];
}

/**
 * Plays incidents on four processes of one PostgreSQL, of which one is killed at random every few seconds, one is frozen for longer
 * than its lease, and one loses its way to the database. Returns what was found wrong, and figures.
 */
export async function playCluster(options: PlayedCluster): Promise<{
  readonly wrong: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}> {
  const postgres = await startPostgres("four processes on one PostgreSQL");
  if (!postgres) return { wrong: [], figures: {} };
  const chance = createChance(options.seed);
  const host = await startFakeHost(async (command, { channel }) => {
    await sleep(100 + chance() * 1_000);
    channel.write(`said ${/token-\d+-\w/.exec(command)?.[0] ?? "nothing"}\n`);
    return 0;
  });
  const storeUrl = await postgres.createDatabase();
  const address = new URL(storeUrl);
  const cable = await startCable(Number(address.port));
  const cabled = new URL(storeUrl);
  cabled.port = String(cable.port);
  const ground = await prepareGround({
    servers: { "web-1": entryOf(host) },
    storeUrl,
    moreRepos: repos.slice(1).map((name) => name.split("/")[1] ?? ""),
  });
  const cluster = await startCluster(
    ground,
    [cabled.href, storeUrl, storeUrl, storeUrl].map((url) => ({ storeUrl: url })),
  );
  const started = performance.now();
  let livedOn = false;
  const play = async (n: number): Promise<Played> => {
    await sleep((n * options.seconds * 1_000) / options.incidents);
    const repo = repos[n % repos.length] ?? "";
    const number = await openIssue(ground.github, repo, { ...incident, title: `SpoolAlmostFull on web-1, the ${n}th` });
    const thread = createThread(ground.github, repo, number);
    const numbers: string[] = [];
    for (const command of commandsOf(n)) {
      await thread.say("sam", `/run web-1\n\`\`\`sh\n${command}\n\`\`\``);
      const isCard = (body: string) => body.includes(command) && body.includes("Proposed by");
      const card = await thread.waitFor(isCard, `the card of ${command}`, patienceMs);
      numbers.push(/\*\*(\d+)\*\*/.exec(card.body)?.[1] ?? "");
    }
    await thread.say("lee", `/approve ${numbers.join(" ")} --keep-going`);
    const endOf = (number: string) => new RegExp(`\\*\\*${number}\\*\\* · (✅ exit 0|❓ UNKNOWN|🔌 not started)`);
    const isOver = (body: string) => numbers.every((one) => endOf(one).test(body));
    const { body } = await thread.waitFor(isOver, `the results of ${n}`, patienceMs);
    return { n, thread, endings: numbers.map((one) => endOf(one).exec(body)?.[1] ?? "") };
  };

  const playing = Promise.all(Array.from({ length: options.incidents }, (_, n) => play(n)));
  let isOver = false;
  const over = playing.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  const [cutOff, , , frozen] = cluster.members;
  /** In another trouble: one at a time for each. */
  const spared = new Set<Member | undefined>();
  const killing = keepKilling(
    () => cluster.members.filter((member) => !spared.has(member)),
    chance,
    options.killEveryMs,
  );
  const faults = (async () => {
    spared.add(cutOff).add(frozen);
    await sleep(options.seconds * 150);
    while (!(frozen?.bot && cutOff?.bot)) await sleep(50);
    frozen.bot.child.kill("SIGSTOP");
    cable.cut();
    await sleep(cutMs);
    cable.mend();
    await sleep(frozenMs - cutMs);
    frozen.bot.child.kill("SIGCONT");
    // What it held is another's now: whether it notices is seen by what it does next.
    await sleep(5_000);
    livedOn = cutOff.bot.child.exitCode === null && frozen.bot.child.exitCode === null;
    spared.clear();
  })();
  const until = performance.now() + patienceMs;
  let kills: number | undefined;
  while (!isOver && performance.now() < until) {
    await sleep(1_000);
    await redeliverLost(ground);
    if (kills === undefined && performance.now() - started > options.seconds * 1_000) kills = await killing.stop();
  }
  await Promise.all([over, faults]);
  kills ??= await killing.stop();
  const played = await playing;
  const seconds = Math.round((performance.now() - started) / 1_000);
  // The last edits are on their way.
  for (let still = 0; still < 5; still++) {
    await redeliverLost(ground);
    await sleep(1_000);
  }
  await cluster.close();
  const wrong = [
    ...(livedOn ? [] : ["the process that was cut off or frozen has ended"]),
    ...(await wrongOnHost(played, host)),
    ...(await wrongOnIssues(played)),
    ...(await wrongInStore(storeUrl, ground.github.deliveries(), options.incidents)),
  ];
  const endings = played.flatMap((one) => one.endings);
  const figures = {
    seconds,
    kills,
    deliveries: new Set(ground.github.deliveries().map(({ guid }) => guid)).size,
    commands: endings.length,
    ok: endings.filter((ending) => ending.startsWith("✅")).length,
    unknown: endings.filter((ending) => ending.includes("UNKNOWN")).length,
    notStarted: endings.filter((ending) => ending.startsWith("🔌")).length,
  };
  await ground.close();
  await Promise.all([host.close(), cable.close(), postgres.stop()]);
  return { wrong, figures };
}

/** What a server was sent: nothing twice, nothing that is said to have run and did not, nothing before what stands before it. */
async function wrongOnHost(played: readonly Played[], host: FakeHost): Promise<readonly string[]> {
  const sent = host.seen.commands.filter((line) => !/ (follow|settle|kill) /.test(line));
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
      ...(endings[0]?.includes("UNKNOWN") ? [`the job of ${n} ended unknown`] : []),
    ];
  });
}

/** Each comment of ours is there once, the board before all others. */
async function wrongOnIssues(played: readonly Played[]): Promise<readonly string[]> {
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
async function wrongInStore(
  url: string,
  deliveries: readonly { readonly guid: string; readonly status: number }[],
  incidents: number,
): Promise<readonly string[]> {
  const store = await openStore(url);
  try {
    const rows = await store.db.selectFrom("delivery").select(["guid", "state"]).execute();
    const states = new Map(rows.map(({ guid, state }) => [guid, state]));
    const taken = [...new Set(deliveries.filter(({ status }) => status === 202).map(({ guid }) => guid))];
    const unserved = taken.filter((guid) => states.get(guid) !== "done");
    const audit = await verifyAudit(store.db);
    const dispatched = await store.db
      .selectFrom("audit")
      .select("body")
      .where("kind", "=", "command_dispatched")
      .execute();
    const digests = dispatched.map(({ body }) => JSON.parse(body).digest);
    return [
      ...unserved.map((guid) => `delivery ${guid} was taken and not served`),
      ...(audit.ok ? [] : [`the audit does not hold: ${audit.reason}`]),
      ...(new Set(digests).size === digests.length ? [] : ["an action was dispatched twice"]),
      ...(digests.length === 2 * incidents ? [] : [`${digests.length} of ${2 * incidents} actions were dispatched`]),
    ];
  } finally {
    await store.close();
  }
}
