import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { DefaultQueryExecutor } from "kysely";
import ssh2 from "ssh2";
import type { Traffic } from "../../emulator/start.ts";
import { type Playground, startPlayground } from "../harness/playground.ts";
import type { FakeHost, Play } from "../ssh/fake-host.ts";
import type { Row } from "./row.ts";

const rounds = 25;
const warmUp = 5;

/** Rounds of the last look: each waits until what `/approve` has read is too old. */
const looks = 10;
const tooOldMs = 1_200;

/** The start or the end of a batch's command, and how many statements there were by then. */
interface BatchMoment {
  readonly at: number;
  readonly statements: number;
}

type Seen = Traffic & { readonly at: number };

/**
 * How long a person waits: issue opened → card, /approve delivered → command started, exit → comment posted, all in one
 * process with the emulated GitHub, whose own answering time on the way is taken off. The peer is a bare exec over an open
 * ssh2 connection to the same host, taken in turns.
 */
export async function run(): Promise<Row[]> {
  const times = { started: 0, ended: 0 };
  const counted = countStatements();
  const batch: BatchMoment[] = [];
  const note = () => batch.push({ at: performance.now(), statements: counted.so() });
  const play: Play = async (command, { channel }) => {
    if (command.includes("bench-batch")) {
      note();
      if (command.includes("bench-batch-1")) await sleep(tooOldMs);
      note();
      return 0;
    }
    if (!command.includes("echo")) return 0;
    times.started = performance.now();
    channel.write("fine\n");
    times.ended = performance.now();
    return 0;
  };
  const playground = await startPlayground({ play, logLevel: "info" });
  const seen: Seen[] = [];
  playground.github.onTraffic((traffic) => seen.push({ ...traffic, at: performance.now() }));
  const bare = await connect(playground.host);
  const found: Record<"card" | "start" | "waited" | "requests" | "result" | "peer", number[]> = {
    card: [],
    start: [],
    waited: [],
    requests: [],
    result: [],
    peer: [],
  };
  for (let round = 0; round < warmUp + rounds; round++) {
    const measured = await once(playground, seen, times);
    const peer = await bare.exec();
    if (round < warmUp) continue;
    found.card.push(measured.card);
    found.start.push(measured.start);
    found.waited.push(measured.waited);
    found.requests.push(measured.requests);
    found.result.push(measured.result);
    found.peer.push(peer);
  }
  bare.end();
  const look = await measureLooks(playground, seen, batch);
  counted.stop();
  await playground.close();
  const row = (title: string, times: readonly number[], peer: number | null): Row => ({
    case: title,
    unit: "ms",
    ours: median(times),
    peer,
    peerName: peer === null ? "no peer" : "bare exec on an open ssh2 connection",
    ratio: peer === null ? null : peer / median(times),
    better: "lower",
    runs: rounds,
  });
  return [
    row("issue opened → card posted (offline)", found.card, null),
    row("/approve delivered → command started", found.start, median(found.peer)),
    row("/approve delivered → command started, with GitHub's answers", found.waited, null),
    { ...row("requests to GitHub, /approve delivered → command started", found.requests, null), unit: "requests" },
    row("exit → result posted", found.result, null),
    { ...row("the last look made anew: exit → next of the batch started", look.ms, null), runs: looks },
    { ...row("the last look made anew: requests to GitHub", look.requests, null), unit: "requests", runs: looks },
    { ...row("the last look made anew: statements", look.statements, null), unit: "statements", runs: looks },
  ];
}

async function once(playground: Playground, seen: Seen[], times: { started: number; ended: number }) {
  seen.length = 0;
  const openedAt = performance.now();
  const thread = await playground.open();
  await until(() => created(seen).length >= 2);
  const card = (created(seen)[1]?.at ?? 0) - openedAt - answering(seen);
  await playground.quiet();

  const known = new Set((await thread.comments()).map(({ id }) => id));
  seen.length = 0;
  times.started = 0;
  await thread.say("lee", "/approve 1");
  await until(() => times.started > 0);
  const delivered = seen.find((it) => it.kind === "webhook" && it.event === "issue_comment");
  const asked = seen.filter((it) => it.kind === "request" && it.by !== "lee" && it.at < times.started);
  // Both are asked at the same time.
  const looks = asked.filter((it) => it.kind === "request" && /Facts|installation$/.test(it.operationId ?? ""));
  const waited = times.started - ((delivered?.at ?? 0) - (delivered?.ms ?? 0));
  const start = waited - Math.max(0, ...looks.map(({ ms }) => ms));
  const { ended } = times;
  const hasResult = (body: string) => /\*\*1\*\* ✅/.test(body);
  await thread.waitFor(hasResult, "the result");
  const shown = (await thread.comments()).filter(({ body }) => hasResult(body)).map(({ id }) => id);
  // A run card that is made while the command ends is no result.
  const isResult = (it: Seen) =>
    it.at > ended &&
    it.kind === "request" &&
    (it.operationId === "issues/update-comment"
      ? shown.some((id) => it.path.endsWith(`/${id}`))
      : it.operationId === "issues/create-comment" && it.by === "installation" && shown.some((id) => !known.has(id)));
  const result = (seen.find(isResult)?.at ?? 0) - ended;
  await playground.quiet();
  return { card, start, waited, requests: asked.length, result };
}

/**
 * What the last look costs where nothing of it is known yet: from the end of a batch's first command, which takes longer than an
 * answer of GitHub counts, to the start of its second. The run's end is recorded meanwhile, so the statements are an upper bound.
 */
async function measureLooks(playground: Playground, seen: Seen[], batch: BatchMoment[]) {
  const found: Record<"ms" | "requests" | "statements", number[]> = { ms: [], requests: [], statements: [] };
  for (let round = 0; round < looks; round++) {
    const thread = await playground.open();
    await playground.quiet();
    for (const n of [1, 2]) await thread.say("sam", `/run web-1 to see\n\`\`\`sh\necho bench-batch-${n}\n\`\`\``);
    await playground.quiet();
    seen.length = 0;
    batch.length = 0;
    const own = await playground.bot.deps.store.db
      .selectFrom("action")
      .innerJoin("incident", "incident.id", "action.incidentId")
      .select("action.number as number")
      .where("incident.number", "=", thread.number)
      .where("action.origin", "=", "person")
      .orderBy("action.number")
      .execute();
    await thread.say("lee", `/approve ${own.map(({ number }) => number).join(" ")}`);
    await until(() => batch.length >= 3);
    const [, ended, started] = batch;
    if (!ended || !started) throw new Error("a batch's commands start and end");
    const asked = seen.filter((it) => it.kind === "request" && it.by === "installation" && it.at - it.ms >= ended.at);
    const isLook = (it: Seen) => it.kind === "request" && /Facts|installation$/.test(it.operationId ?? "");
    found.ms.push(started.at - ended.at);
    found.requests.push(asked.filter((it) => it.at <= started.at && isLook(it)).length);
    found.statements.push(started.statements - ended.statements);
    await playground.quiet();
  }
  return found;
}

/** Counts the statements of this process, those of transactions too but for their begin and commit. */
function countStatements(): { readonly so: () => number; readonly stop: () => void } {
  const { executeQuery } = DefaultQueryExecutor.prototype;
  let count = 0;
  DefaultQueryExecutor.prototype.executeQuery = function (...given) {
    count++;
    return executeQuery.apply(this, given) as never;
  };
  return {
    so: () => count,
    stop: () => {
      DefaultQueryExecutor.prototype.executeQuery = executeQuery;
    },
  };
}

/** Our comments, as GitHub made them. */
const created = (seen: readonly Seen[]) =>
  seen.filter((it) => it.kind === "request" && it.by === "installation" && it.operationId === "issues/create-comment");

/** What GitHub itself took to answer the requests that stand between the opening and the card. */
const answering = (seen: readonly Seen[]): number =>
  seen
    .filter(
      (it) => it.kind === "request" && it.by === "installation" && /graphql|create-comment/.test(it.operationId ?? ""),
    )
    .slice(0, 3)
    .reduce((sum, it) => sum + it.ms, 0);

async function until(reached: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!reached()) {
    if (performance.now() > end) throw new Error("waited 20 s for something that did not come");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** An open connection as ssh2's own documentation makes one, with TCP_NODELAY on our side left as it comes. */
async function connect(host: FakeHost): Promise<{ readonly exec: () => Promise<number>; readonly end: () => void }> {
  const client = new ssh2.Client();
  await new Promise<void>((resolve, reject) => {
    client.once("ready", resolve).once("error", reject);
    client.connect({
      host: "127.0.0.1",
      port: host.entry.port,
      username: host.entry.user,
      privateKey: readFileSync(host.clientKeyFile),
    });
  });
  return {
    exec: () =>
      new Promise((resolve, reject) => {
        const at = performance.now();
        client.exec("true", (error, stream) => {
          if (error) return reject(error);
          stream.once("close", () => resolve(performance.now() - at)).resume();
        });
      }),
    end: () => client.end(),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
