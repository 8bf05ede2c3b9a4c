import { readFileSync } from "node:fs";
import ssh2 from "ssh2";
import type { Traffic } from "../../emulator/start.ts";
import { entryOf, type Playground, startPlayground } from "../harness/playground.ts";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";
import type { Row } from "./row.ts";

const rounds = 25;
const warmUp = 5;

type Seen = Traffic & { readonly at: number };

/**
 * How long a person waits: issue opened → card, /approve delivered → command started, exit → comment posted, all in one
 * process with the emulated GitHub, whose own answering time on the way is taken off. The peer is a bare exec over an open
 * ssh2 connection to the same host, taken in turns.
 */
export async function run(): Promise<Row[]> {
  const times = { started: 0, ended: 0 };
  const host = await startFakeHost(async (command, { channel }) => {
    if (!command.includes("echo")) return 0;
    times.started = performance.now();
    channel.write("fine\n");
    times.ended = performance.now();
    return 0;
  });
  const playground = await startPlayground({
    servers: {
      "web-1": entryOf(host),
    },
  });
  const seen: Seen[] = [];
  playground.github.onTraffic((traffic) => seen.push({ ...traffic, at: performance.now() }));
  const bare = await connect(host);
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
  await playground.close();
  await host.close();
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
  ];
}

async function once(playground: Playground, seen: Seen[], times: { started: number; ended: number }) {
  seen.length = 0;
  const openedAt = performance.now();
  const thread = await playground.open();
  await until(() => created(seen).length >= 2);
  const card = (created(seen)[1]?.at ?? 0) - openedAt - answering(seen);
  await playground.quiet();

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
  const isResult = (it: Seen) =>
    it.at > ended &&
    it.kind === "request" &&
    (it.operationId === "issues/update-comment" || it.operationId === "issues/create-comment");
  await thread.waitFor((body) => /\*\*1\*\* ✅/.test(body), "the result");
  const result = (seen.find(isResult)?.at ?? 0) - ended;
  await playground.quiet();
  return { card, start, waited, requests: asked.length, result };
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
