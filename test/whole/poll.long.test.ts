import { describe, expect, it } from "vitest";
import { type PollPace, usualPace } from "../../src/features/poll/pace.ts";
import { type Listen, type Playground, repo, startPlayground } from "../harness/playground.ts";
import { auditOf } from "../harness/stage.ts";
import { until } from "../harness/until.ts";
import { saying } from "../ssh/fake-host.ts";

/** One story, heard by webhooks, by polling, and by both: the store must hold the same afterwards. */

const start = (
  listen: Listen,
  { slow = false, pace }: { readonly slow?: boolean; readonly pace?: Partial<PollPace> } = {},
): Promise<Playground> =>
  startPlayground({
    play: saying("fine\n"),
    listen,
    moreRepos: slow || pace ? [] : ["api"],
    ...(slow ? { pace: { openMs: usualPace.openMs, idleMs: usualPace.idleMs } } : { pace }),
    config: {
      policy: { low: { approvals: 2 } }, // They follow by the clock, and each is a delivery of its own.
      incident: { state_label: "" },
    },
  });

/** What people do to an incident, one thing after another. */
async function tell({ github, open, quiet }: Playground): Promise<void> {
  const [mona, lee] = [github.as("mona"), github.as("lee")];
  const thread = await open();
  const { number } = thread;
  const issue = `/repos/${repo}/issues/${number}`;
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    await work();
    await quiet();
  };
  const botsComment = async (has: string): Promise<number> =>
    (await thread.comments()).find(({ login, body }) => login.endsWith("[bot]") && body.includes(has))?.id ?? 0;
  await quiet();
  await act(() => thread.say("lee", "/approve 99"));
  const first = await thread.say("lee", "/approve 1");
  await quiet();
  await act(() => github.editComment("lee", repo, first, "/approve 2"));
  const second = await thread.say("lee", "/approve 1");
  await quiet();
  await act(() => github.deleteComment("lee", repo, second));
  await act(() => thread.say("rita", "/approve 1"));
  await act(() => thread.say("lee", "/approve 1"));
  await act(() => thread.say("mona", "/approve 1"));
  await act(async () => github.editComment("mona", repo, await botsComment("**Suggestions**"), "All is well."));
  await act(async () => github.deleteComment("mona", repo, await botsComment("**Suggestions**")));
  await act(() => lee("DELETE", `${issue}/labels/incident`));
  await act(() => lee("POST", `${issue}/labels`, { labels: ["incident"] }));
  await act(() => mona("PATCH", issue, { state: "closed" }));
  await act(() => mona("PATCH", issue, { state: "open" }));
  await act(() => thread.say("mona", "/close --anyway it was the spool"));
  const plain = await open({ labels: [], by: "lee", title: "Something is slow" });
  await quiet();
  await act(() => plain.say("mona", "/investigate"));
  await act(() => github.deleteIssue("mona", repo, plain.number));
  const moved = await open({ title: "Disk full on web-1" });
  await quiet();
  await act(() => github.transferIssue("mona", repo, moved.number, "acme/api"));
}

/** What the store holds of it, without what differs from one run to the next. */
async function rowsOf({ bot }: Playground): Promise<Readonly<Record<string, readonly string[]>>> {
  const { db } = bot.deps.store;
  const ordered = {
    audit: await db.selectFrom("audit").select(["kind", "body"]).orderBy("seq").execute(),
    incident: await db
      .selectFrom("incident")
      .select(["number", "state", "title", "labels", "byHand", "phase", "cause", "openerLogin"])
      .orderBy("number")
      .execute(),
    action: await db
      .selectFrom("action")
      .select(["number", "state", "spec"])
      .orderBy("incidentId")
      .orderBy("number")
      .execute(),
    comment: await db
      .selectFrom("comment")
      .select(["issue", "slot", "body", "postedBody", "parked"])
      .orderBy("position")
      .execute(),
    reaction: await db.selectFrom("reaction").select(["issue", "content", "posted"]).orderBy("id").execute(),
    delivery: (
      await db.selectFrom("delivery").select(["event", "action", "line", "state"]).orderBy("position").execute()
    ).toSorted((a, b) => a.line.localeCompare(b.line)),
  };
  return Object.fromEntries(Object.entries(ordered).map(([table, rows]) => [table, rows.map(alike)]));
}

/** Ids, times, host keys and what follows from them; and who deleted or moved an issue, which GitHub tells by webhook alone. */
const alike = (row: unknown): string =>
  JSON.stringify(row)
    .replaceAll(/<details><summary>Timeline.*?<\/details>/g, "<timeline>")
    .replaceAll(/(\\"action\\":\\"(?:deleted|transferred)\\",\\"by\\":)\{[^}]*\}(?=,\\"issue)/g, "$1<somebody>")
    .replaceAll(/SHA256:[\w+/]{43}/g, "<host key>")
    .replaceAll(/durationMs\\":\d+/g, "<duration>")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/\d\d:\d\dZ/g, "<time>")
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/g, "<id>")
    .replaceAll(/\b\d{5,}\b/g, "<id>")
    .replaceAll(/(?:\d+(?:\.\d)? (?:s|ms|min)\b ?)+(?<! )/g, "<duration>");

describe("hearing of GitHub", () => {
  it("DC-8 one story leaves the same rows by polling as by webhooks, and by both at once nothing twice", async () => {
    const heard: Record<string, Awaited<ReturnType<typeof rowsOf>>> = {};
    for (const listen of ["webhook", "poll", "both"] as const) {
      const playground = await start(listen);
      await tell(playground);
      heard[listen] = await rowsOf(playground);
      expect(playground.github.invalid()).toEqual([]);
      await playground.close();
    }
    expect(heard.webhook?.audit?.length).toBeGreaterThan(20);
    expect(heard.poll).toEqual(heard.webhook);
    expect(heard.both).toEqual(heard.webhook);
  });
});

describe("polling", () => {
  it("DC-8 SR-01 from nothing: no webhook, no secret, no port but the local one; issue, card, approval, result", async () => {
    const delays: { readonly listen: Listen; readonly step: string; readonly ms: number }[] = [];
    for (const listen of ["webhook", "poll"] as const) {
      const playground = await start(listen, { slow: true });
      const { github, bot, open } = playground;
      const { config } = bot.deps;
      if (listen === "poll") {
        expect(config.github.webhookSecrets).toEqual([]);
        expect(new URL(bot.url).hostname).toBe("127.0.0.1");
        const answers = await Promise.all(
          ["POST /", "POST /api/github/webhooks", "GET /livez", "GET /metrics"].map(async (line) => {
            const [method = "", path = ""] = line.split(" ");
            return (await fetch(bot.url + path, { method })).status;
          }),
        );
        expect(answers).toEqual([404, 404, 200, 200]);
      }
      const timed = async (step: string, work: () => Promise<unknown>): Promise<void> => {
        const began = performance.now();
        await work();
        delays.push({ listen, step, ms: performance.now() - began });
      };
      for (let n = 0; n < 5; n++) {
        const thread = await open();
        await timed("issue → card", async () => {
          await thread.waitFor((body) => body.includes("- [ ] **1**"), "a card");
        });
        await timed("approvals → result", async () => {
          await thread.say("lee", "/approve 1");
          await thread.say("mona", "/approve 1");
          await thread.waitFor((body) => /\*\*1\*\* ✅/.test(body), "the result");
        });
        await timed("/status → answer", async () => {
          await thread.say("lee", "/status");
          const status = await thread.waitFor((body) => body.includes("- can approve"), "the status");
          const listening = / - listening by polling, \d+ s behind/.test(status.body.replaceAll("\n", " "));
          expect(listening).toBe(listen === "poll");
        });
        await thread.say("mona", "/close --anyway");
        await thread.waitFor((body) => body.includes("**Closed by"), "the end");
      }
      if (listen === "poll") expect(github.deliveries()).toEqual([]);
      expect(github.invalid()).toEqual([]);
      await playground.close();
    }
    for (const [step, all] of Map.groupBy(delays, (delay) => delay.step)) {
      const of = (how: Listen) => median(all.filter(({ listen }) => listen === how).map(({ ms }) => ms));
      const [asked, called] = [of("poll"), of("webhook")];
      console.log(`${step}: ${called} ms by webhooks, ${asked} ms by polling at the usual pace (medians of 5)`);
      // At most a whole wait behind: nobody is told sooner than is asked, and nothing is asked for twice.
      const wait = step === "issue → card" ? usualPace.idleMs : usualPace.openMs;
      expect(asked - called).toBeLessThan(wait + 2_000);
    }
  });

  it("DC-8 24 hours of polling with nothing going on cost at most 5 requests an hour of the rate limit", async () => {
    const hours = 24;
    const playground = await start("poll", { pace: { openMs: 1, idleMs: 1 } });
    const { github, quiet } = playground;
    await quiet();
    const looksPerHour = 3_600_000 / usualPace.idleMs;
    let looks = 0;
    const day = Promise.withResolvers<void>();
    const deaf = github.onTraffic((traffic) => {
      if (traffic.kind !== "request" || traffic.operationId !== "apps/list-repos-accessible-to-installation") return;
      // GitHub's tokens last an hour, and what it gave to remember with one is good for that one alone.
      if (++looks % looksPerHour === 0) github.revokeTokens();
      if (looks === hours * looksPerHour) day.resolve();
    });
    const used = github.rateLimit().used;
    await day.promise;
    deaf();
    const counted = github.rateLimit().used - used;
    console.log(
      `${looks} looks at one repository in ${hours} hours: ${counted} requests count, ${counted / hours} an hour`,
    );
    expect(counted / hours).toBeLessThanOrEqual(5);
    expect(counted).toBeGreaterThan(hours);
    await playground.close();
  });

  it("RR-11 what happened while GitHub did not answer is caught up with, of many pages nothing is left out, and no wait is cut short", async () => {
    const playground = await start("poll");
    const { github, open, quiet, log, bot } = playground;
    const thread = await open();
    await quiet();
    const lists = { path: /\/issues|\/installation\/repositories/, method: "GET", times: 8 };
    github.fault(
      { ...lists, times: 1 },
      { status: 403, headers: { "retry-after": "2" }, body: { message: "secondary rate limit" } },
    );
    github.fault(lists, { status: 502 });
    const ids: number[] = [];
    for (let n = 0; n < 230; n++) ids.push(await thread.say("rita", `it is slow since ${n} minutes`));
    github.clearFaults();
    await quiet();
    const brought = await bot.deps.store.db.selectFrom("delivery").select("semanticKey").execute();
    const keys = new Set(brought.map(({ semanticKey }) => semanticKey));
    expect(ids.filter((id) => !keys.has(`issue_comment:created:${id}`))).toEqual([]);
    const told = log.flatMap(({ event }) => (event === "poll_late" || event === "poll_back" ? [event] : []));
    expect(new Set(told)).toEqual(new Set(["poll_late", "poll_back"]));
    await playground.close();
  });

  it("SR-11 SR-12 a repository that is made public, or that the App has lost, ends what is open in it", async () => {
    const playground = await start("poll");
    const { github, open, quiet, bot } = playground;
    await open();
    await quiet();
    await github.as("mona")("PATCH", `/repos/${repo}`, { private: false });
    const lost = async () => (await auditOf(playground, { kind: "ground_lost" })).map(({ body }) => body.what);
    await until(async () => expect(await lost()).toEqual(["repository publicized"]));
    await github.removeRepository(repo);
    await until(async () => expect(await lost()).toEqual(["repository publicized", "installation removed"]));
    expect(await bot.deps.store.db.selectFrom("action").select("id").where("state", "=", "proposed").execute()).toEqual(
      [],
    );
    await playground.close();
  });
});

const median = (all: readonly number[]): number =>
  Math.round(all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN);
