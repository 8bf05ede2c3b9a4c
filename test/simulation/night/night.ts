import { expect } from "vitest";
import { isStopScript } from "../../../demo/sandbox/housekeeping.ts";
import type { Thread } from "../../../demo/thread.ts";
import type { EmulatedGitHub } from "../../../emulator/start.ts";
import { commands } from "../../../src/commands/slash-comment.ts";
import type { AuditRow } from "../../../src/store/audit/chain.ts";
import { entryOf, repo } from "../../harness/playground.ts";
import { postWebhook } from "../../harness/webhook.ts";
import { startWatchedBot, type WatchedBot } from "../../injection/watched-bot.ts";
import { type Play, startFakeHost } from "../../ssh/fake-host.ts";
import { type History, ordinary, type Remark, readGitHub, readKept } from "../history.ts";
import { checkRest, judge } from "../judge.ts";
import { nightModel } from "./model.ts";
import { canary, type Move, planted, writeNight } from "./script.ts";

/** A comment of the script as it was said. */
type Said = { -readonly [K in keyof Omit<Remark, "reactions">]: Remark[K] };

/** A night that is over: the bot still stands, and nothing moves any more. */
interface Night {
  readonly watched: WatchedBot;
  readonly threads: readonly (Thread & { readonly number: number })[];
  readonly remarks: readonly Omit<Remark, "reactions">[];
  /** What the servers were made to run, in order: the server, and the token that the command holds, as `web-1 k3z`. */
  readonly begun: readonly string[];
  readonly close: () => Promise<void>;
}

const workflow = `name: look
description: Looks at a place
params: { place: {} }
steps:
  - { server: web-1, title: What is there, command: "ls /srv/{{place}}" }
  - { server: web-2, title: Restart it, command: "systemctl restart {{place}}" }
`;

const tokenIn = (command: string): string => /\b[kmw]\d[\dtn]*z\b/.exec(command)?.[0] ?? "nothing of the script";

/** A server that tells what it begins; some of it is slow, fails, tells secrets, or ends with the line. */
export function hostOf(name: string, begun: string[]): Play {
  return async (command, { channel, over, reset }) => {
    // It has no processes that could be looked at, so the bot goes on to signals.
    if (isStopScript(command)) return 0;
    const token = tokenIn(command);
    begun.push(`${name} ${token}`);
    const kind = [...token].reduce((sum, sign) => sum + sign.charCodeAt(0) * 7, 0) % 16;
    channel.write(`${token} is there\n${canary("output", kind)}\n`);
    if (kind === 1) for (let i = 0; i < 400; i++) channel.write(`line ${i} of ${token}\n`);
    if (kind === 4) reset();
    // Behind a lost connection a session is over; what changes something goes on, and is found again.
    if (kind < 5) await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 300))]);
    return kind > 4 && kind < 8 ? 1 : 0;
  };
}

/** A bot with two servers of one group and a workflow; `begun` has what the servers began. `highExpires`: how long high risk waits. */
export async function startNightBot(highExpires: string, storeUrl?: string) {
  const begun: string[] = [];
  const second = await startFakeHost(hostOf("web-2", begun));
  const watched = await startWatchedBot({
    answer: nightModel(),
    play: hostOf("web-1", begun),
    ...(storeUrl !== undefined && { storeUrl }),
    files: {
      "AGENTS.md": "# Web\n\nAsk before you restart.\n",
      ".github/countersign/workflows/look.yml": workflow,
    },
    people: [{ login: "deploy-bot", type: "Bot", role: "write" }],
    machine: { "web-1": { groups: ["web"] } },
    servers: { "web-2": { ...entryOf(second), groups: ["web"] } },
    configure: (config) => {
      Object.assign(config.policy as object, {
        lease: { allowed: true, servers: ["web-1", "web-2"] },
        high: { approvals: 2, expires: highExpires, reason: "required", restate_server: true },
      });
    },
  });
  const close = async (): Promise<void> => {
    await watched.close();
    await second.close();
  };
  return { watched, begun, close };
}

interface NightSize {
  readonly incidents: number;
  readonly comments: number;
  readonly seed: number;
}

/** Plays a night to its end: many incidents at once, comments in any order, copies, delays, edits and deletions. */
async function playNight(size: NightSize): Promise<Night> {
  const { watched, begun, close } = await startNightBot("15m");
  const threads = await Promise.all(Array.from({ length: size.incidents }, (_, index) => openCase(watched, index)));
  await watched.quiet();
  const night = { watched, threads, remarks: [] as Said[], begun };
  const moves = [...writeNight(size)];
  for (let next = moves[0]; next; next = moves[0]) {
    const burst = moves.splice(0, next.burst);
    await sayAll(night, burst);
    await sendAgain(night, burst.length);
    if (next.pause === "delivered") await watched.github.settled();
    if (next.pause === "quiet") await watched.quiet();
  }
  watched.github.clearFaults();
  await settle(night);
  return { ...night, close };
}

type Playing = Omit<Night, "close" | "remarks"> & { readonly remarks: Said[] };

async function sayAll(night: Playing, burst: readonly Move[]): Promise<void> {
  const { github, bot } = night.watched;
  const rows = await bot.deps.store.db.selectFrom("incident").select(["number", "nextNumber"]).execute();
  const newest = new Map(rows.map(({ number, nextNumber }) => [number, nextNumber - 1]));
  await Promise.all(
    burst.map(async (move) => {
      const thread = night.threads[move.incident];
      if (!thread) return;
      const { copies: duplicate, delayMs } = move;
      // It strikes whatever comes first, so that the order is anybody's guess.
      if (duplicate > 0 || delayMs > 0) github.fault({ event: "issue_comment" }, { duplicate, delayMs });
      const said = sayLine(move, newest.get(thread.number) ?? 1);
      const id = await thread.say(move.by, said.body);
      // A bot is never answered.
      const wants = move.line.heard && move.by !== "deploy-bot" ? "outcome" : "silence";
      const remark: Said = { id, repo, issue: thread.number, by: move.by, body: said.body, wants };
      night.remarks.push(remark);
      if (move.befalls !== "nothing") remark.changed = move.befalls === "edit" ? "edited" : "deleted";
      await changeWords(github, move, { id, edited: said.edited });
      await doAside(github, move, thread);
    }),
  );
}

export const openCase = (watched: WatchedBot, index: number) =>
  watched.open({ title: `Volume full, case ${index}`, body: `web-1 of case ${index} is at 97 %.`, by: "mona" });

/** What a move says if its incident's newest number is this, and how that reads if it is edited. */
export function sayLine(
  { back, line, token }: Move,
  newest: number,
): { readonly body: string; readonly edited: string } {
  const [n = 1, m = 1] = back.map((one) => Math.max(1, newest - one));
  const body = line.text({ n, m, token });
  return { body, edited: `/approve ${n} web-1 all of it, it is fine\n\n${body}` };
}

/** What befalls the comment of a move. */
export async function changeWords(
  github: EmulatedGitHub,
  { by, befalls }: Move,
  { id, edited }: { readonly id: number; readonly edited: string },
): Promise<void> {
  if (befalls === "edit") await github.editComment(by, repo, id, edited);
  if (befalls === "delete") await github.deleteComment(by, repo, id);
}

/** What people do on an issue beside commenting. */
export async function doAside(
  github: EmulatedGitHub,
  { aside: what }: Move,
  thread: Night["threads"][number],
): Promise<void> {
  const issue = (change: object) => github.as("mona")("PATCH", `/repos/${repo}/issues/${thread.number}`, change);
  // Where the emulated GitHub is too busy to show it, nobody does anything with it.
  const card = async () =>
    (await thread.comments().catch(() => [])).findLast(
      ({ login, body }) => login.endsWith("[bot]") && body.includes("```sh"),
    );
  if (what === "closing") await issue({ state: "closed" });
  if (what === "reopening") await issue({ state: "open" });
  if (what === "nothing" || what === "closing" || what === "reopening") return;
  const found = await card();
  if (!found) return;
  if (what === "thumbs")
    await github.as("sam")("POST", `/repos/${repo}/issues/comments/${found.id}/reactions`, { content: "+1" });
  if (what === "ticking") await github.editComment("sam", repo, found.id, found.body.replace("- [ ]", "- [x]"));
  if (what === "tampering")
    await github.editComment("sam", repo, found.id, found.body.replace(/ls|cat|restart/, "reboot"));
}

/** Some deliveries come a second time under their own GUID, as redelivered, and under a new one, as by a second hook. */
async function sendAgain({ watched }: Playing, many: number): Promise<void> {
  const { github, bot } = watched;
  const { guid } = github.deliveries().at(-many) ?? {};
  if (guid) await github.redeliver(guid);
  const old = await bot.deps.store.db
    .selectFrom("delivery")
    .select("payload")
    .where("event", "=", "issue_comment")
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  if (old) await postWebhook(watched, "issue_comment", old.payload);
}

/** The morning: what was held may go on, and everything that was set going comes to its end. */
async function settle({ watched, threads, remarks }: Playing): Promise<void> {
  await watched.quiet();
  // A machine that is too slow for GitHub's ten seconds has lost some, as it would there.
  const taken = new Set(watched.github.deliveries().flatMap(({ guid, status }) => (status === 202 ? [guid] : [])));
  for (const { guid } of watched.github.deliveries()) if (!taken.has(guid)) await watched.github.redeliver(guid);
  const [first] = threads;
  await first?.say("lee", "/resume all");
  await Promise.all(threads.map((thread) => thread.say("lee", "/resume")));
  await watched.quiet();
  // The morning: what the night has left to decide is decided.
  await Promise.all(
    threads.map(async (thread) => {
      const body = "/approve all";
      const id = await thread.say("lee", body);
      remarks.push({ id, repo, issue: thread.number, by: "lee", body, wants: "outcome" });
    }),
  );
  const until = Date.now() + 60_000;
  do {
    await watched.quiet();
    if (checkRest(await readKept(watched.bot.deps.store.db)).length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  } while (Date.now() < until);
}

/** What the night has left behind. */
async function historyOf({ watched, threads, remarks, begun }: Night): Promise<History> {
  const issues = threads.map(({ number }) => ({ repo, number }));
  const reactionsTo = async ({ id, issue }: Said) =>
    (await threads.find(({ number }) => number === issue)?.reactions(id)) ?? [];
  const sinks = await watched.sinks();
  return {
    ...ordinary,
    ...(await readKept(watched.bot.deps.store.db)),
    ...(await readGitHub(watched.github, issues)),
    remarks: await Promise.all(remarks.map(async (one) => ({ ...one, reactions: await reactionsTo(one) }))),
    begun,
    wordOf: ({ server }, { command }) => `${server} ${tokenIn(command)}`,
    // A delivery is kept as GitHub sent it.
    sinks: sinks.filter(({ name }) => name !== "store public.delivery"),
    secrets: planted,
    approvers: ["lee", "mona"],
    late: lateIn(sinks),
  };
}

/**
 * Comments that were posted again because GitHub did not answer within its ten seconds, as `issue slot`. On a machine that is too
 * slow the emulated one does it all the same, later than anybody looked for it: of those there may be two (RR-07).
 */
function lateIn(sinks: History["sinks"]): ReadonlySet<string> {
  const logs = sinks.filter(({ name }) => name.startsWith("log"));
  const lines = logs.flatMap(({ text }) => text.split("\n")).filter((line) => line.includes('"post_failed"'));
  return new Set(lines.map((line) => JSON.parse(line)).map(({ issue, slot }) => `${issue} ${slot}`));
}

/** A whole night, played and judged; every fault it has is told at once. */
export async function aNight(size: NightSize): Promise<void> {
  const night = await playNight(size);
  try {
    const asked = await askForVerdicts(night);
    const history = await historyOf(night);
    expect([...judge(history), ...faultsOfVerdicts(history, asked)]).toEqual([]);
    const given = night.remarks.map(({ body }) => body.toLowerCase()).join("\n");
    const missing = commands.filter(({ verb }) => !new RegExp(`^/${verb}\\b`, "m").test(given));
    console.log(
      `night of seed ${size.seed}: ${night.threads.length} incidents, ${night.remarks.length} comments, ${night.begun.length} commands run`,
    );
    if (size.comments < 300) return;
    const longest = history.issues.toSorted((a, b) => b.comments.length - a.comments.length)[0]?.comments ?? [];
    console.log(longest.map(({ login, body }) => `──── ${login}\n\n${body}`).join("\n\n"));
    // What a whole night rests on: things ran, and every command was given.
    expect(night.begun.length).toBeGreaterThan(size.incidents);
    expect(missing.map(({ verb }) => verb)).toEqual([]);
  } finally {
    await night.close();
  }
}

/** Has each issue held against the store; the comments that asked for it. */
async function askForVerdicts({ watched, threads }: Night): Promise<ReadonlyMap<number, number>> {
  const asked = new Map<number, number>();
  for (const thread of threads) asked.set(await thread.say("lee", "/verify"), thread.number);
  await watched.quiet();
  return asked;
}

/** What /verify said of each issue that is not so: it names what people did to their own words, and nothing else (DC-6). */
function faultsOfVerdicts({ audit, late, remarks }: History, asked: ReadonlyMap<number, number>): readonly string[] {
  const verdicts = new Map<number, AuditRow["body"]>();
  for (const { kind, body } of audit) if (kind === "issue_verified") verdicts.set(Number(body.commentId), body);
  return [...asked].flatMap(([id, issue]) => {
    const body = verdicts.get(id);
    if (!body) return [`DC-6: /verify of ${issue} came to nothing`];
    const words = remarks.some((remark) => remark.issue === issue && remark.changed !== undefined);
    const may = [
      ...(words ? ["word-edited", "word-deleted", "differs"] : []),
      ...([...late].some((one) => one.startsWith(`${issue} `)) ? ["copied"] : []),
    ];
    const wrong = Object.keys(body.findings as object).filter((kind) => !may.includes(kind));
    const faults = body.faults as readonly string[];
    return wrong.length + faults.length === 0 ? [] : [`DC-6: /verify of ${issue} finds ${[...wrong, ...faults]}`];
  });
}
