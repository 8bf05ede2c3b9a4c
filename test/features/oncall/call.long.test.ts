import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import type { Deps } from "../../../src/features/context.ts";
import { callWaiting, deliverCalls } from "../../../src/features/oncall/call.ts";
import { actionsOf } from "../../../src/store/actions.ts";
import { addEscalation, escalationsOf } from "../../../src/store/outbox/escalations.ts";
import { addPasskey } from "../../../src/store/passkeys.ts";
import { startPlayground } from "../../harness/playground.ts";
import { incidentIdOf } from "../../harness/stage.ts";
import { useFolder, useStarted, writerIn } from "../../harness/use-started.ts";
import { type Sink, startSink } from "../../pager/sink.ts";

const workflow = `name: clear-cache
description: "Clears the cache and restarts"
steps:
  - { title: Clear, server: web-1, command: "rm -r /srv/app/cache/old" }
  - { title: Restart, server: web-1, command: "systemctl restart web" }
`;
const oncallFile = "people: [rita, lee, mona]\nfrom: 2026-01-05 09:00\nevery: 36500d\n";

describe("a command that waits, and who is on call", () => {
  const secret = writerIn(useFolder());
  const sink = useStarted(() => startSink());
  const playground = useStarted(() =>
    startPlayground({
      files: {
        ".github/countersign/oncall.yml": oncallFile,
        ".github/countersign/workflows/clear-cache.yml": workflow,
      },
      config: {
        server: { public_url: "http://localhost:9" },
        policy: { passkey: "high", medium: { approvals: 2 } },
        oncall: {
          hook: { kind: "webhook", url_file: secret("url", sink.url), secret_file: secret("key", "sign-with-this") },
        },
      },
    }),
  );

  /** Looks so many minutes later; what was said to whoever was called. */
  const lookAt =
    (thread: Thread) =>
    async (...minutes: readonly number[]): Promise<readonly string[]> => {
      for (const late of minutes)
        await callWaiting({ ...playground.bot.deps, now: () => new Date(Date.now() + late * 60_000) });
      await playground.quiet();
      const said = (await thread.comments()).map(({ body }) => body);
      return said.filter((body) => body.startsWith("📟")).map((body) => body.split("\n")[0] ?? "");
    };

  it("OC-1 OC-2 OC-3 OC-5 whoever may approve is assigned and mentioned, then the next, then the hook, each once and across a restart", async () => {
    const { open, quiet, github, restart } = playground;
    const thread = await open();
    await thread.say("sam", "/run web-1\n```sh\nsystemctl restart web\n```");
    await quiet();
    const look = lookAt(thread);
    const first = "📟 @lee **A decision is needed.** `@rita` is on call and may not approve here.";
    const second = "📟 @mona **A decision is needed.** No answer from `@lee`.";
    expect(await look(0, 0, 9)).toEqual([first]);
    expect(await look(11, 11, 12)).toEqual([first, second]);
    await restart();
    expect(await look(19)).toEqual([first, second]);
    expect(sink.received).toEqual([]);
    expect(await look(22, 22, 40, 50)).toEqual([first, second]);

    const issue = await github.as("mona")("GET", `/repos/acme/web/issues/${thread.number}`);
    expect(issue.body).toMatchObject({ assignees: [{ login: "lee" }, { login: "mona" }] });
    expect(sink.received).toHaveLength(1);
    const [{ body }] = sink.received as [Sink["received"][number]];
    expect(body).not.toContain("systemctl");
    expect(JSON.parse(body)).toMatchObject({
      repository: "acme/web",
      issue: thread.number,
      called: ["lee", "mona"],
      actions: [{ server: "web-1", risk: "medium" }],
    });
    const board = (await thread.comments()).find((comment) => comment.body.includes("has not answered"));
    expect(board?.body).toMatch(
      /ℹ️ \d waits since \d\d:\d\dZ · `@rita` is on call and may not approve here → `@lee` has not answered → `@mona` has not answered → the webhook was called, \d\d:\d\dZ/,
    );
  });

  it("OC-2 everybody who may approve is called where the hook may have reached nobody", async () => {
    const { open, quiet } = playground;
    const thread = await open();
    await thread.say("sam", "/run web-1\n```sh\nsystemctl restart web\n```");
    await quiet();
    const look = lookAt(thread);
    await look(0, 11);
    sink.answer(500);
    const tries = await look(22, 22, 22, 22, 40, 60);
    sink.answer(200);
    expect(tries.slice(2)).toEqual([
      expect.stringMatching(
        /^📟 @.* \*\*A decision is needed\.\*\* No answer from `@lee`, `@mona`; the webhook could not be called \(HTTP 500\)\.$/,
      ),
    ]);
  });

  it("OC-3 a hook that was claimed is called all the same where the store fails before it is", async () => {
    const { open, quiet, bot } = playground;
    const thread = await open();
    await thread.say("sam", "/run web-1\n```sh\nsystemctl restart web\n```");
    await quiet();
    const { store } = bot.deps;
    const action = (await actionsOf(store.db, await incidentIdOf(store.db, thread.number))).at(-1);
    if (!action) throw new Error("there is one");
    const call = { actionId: action.id, step: 1, incidentId: action.incidentId, kind: "hook", who: "webhook" } as const;
    await store.transaction((tx) => addEscalation(tx, { ...call, why: "", at: new Date() }));
    const before = sink.received.length;
    let isClaimed = false;
    const failing: Deps = {
      ...bot.deps,
      // Asked for once it is claimed, for who is called.
      config: {
        ...bot.deps.config,
        get oncall(): Deps["config"]["oncall"] {
          isClaimed = true;
          throw new Error("the store fails");
        },
      },
    };
    await deliverCalls(failing);
    expect(isClaimed).toBe(true);
    expect(sink.received).toHaveLength(before);
    await deliverCalls(bot.deps);
    expect(sink.received).toHaveLength(before + 1);
    expect(await escalationsOf(store.db, [action.incidentId])).toMatchObject([{ state: "done" }]);
    await quiet();
  });

  it("OC-1 PK-01 whoever has no passkey is not called where one is wanted, and nobody to what waits behind another decision", async () => {
    const { open, quiet, github } = playground;
    const { store } = playground.bot.deps;
    const { id } = (await github.as("mona")("GET", "/users/mona")).body as { id: number };
    const key = { id: "mona's", publicKey: "key", digest: "d".repeat(64), counter: 0 };
    await store.transaction((tx) => addPasskey(tx, key, { owner: { id, login: "mona" }, inForceAt: new Date() }));
    const thread = await open();
    await thread.say("sam", "/workflow clear-cache");
    await quiet();
    const incidentId = await incidentIdOf(store.db, thread.number);
    const called = async (deps = playground.bot.deps) => {
      await callWaiting(deps);
      await quiet();
      const numbers = new Map((await actionsOf(store.db, incidentId)).map((one) => [one.id, one.number]));
      const calls = await escalationsOf(store.db, [incidentId]);
      return calls.map(({ actionId, who, why }) => ({ number: numbers.get(actionId ?? ""), who, why }));
    };
    const [clear, restart] = (await actionsOf(store.db, incidentId)).filter(({ origin }) => origin === "person");
    const why = "`@rita` is on call and may not approve here";
    const first = { number: clear?.number, who: "mona", why };
    const { deps } = playground.bot;
    expect(await called({ ...deps, config: { ...deps.config, repositories: [] } })).toEqual([]);
    expect(await called()).toEqual([first]);
    // What waits behind it asks GitHub nothing, however long.
    const asked: string[] = [];
    const accountOf: typeof deps.issues.accountOf = (place, login) => {
      asked.push(login);
      return deps.issues.accountOf(place, login);
    };
    await called({ ...deps, issues: { ...deps.issues, accountOf } });
    expect(asked).toEqual([]);
    await thread.say("mona", `/reject ${clear?.number} no`);
    await quiet();
    expect(await called()).toEqual([first, { number: restart?.number, who: "lee", why }]);
  });

  it("OC-2 SR-18 whoever has approved is not said to be silent where another approval is needed", async () => {
    const thread = await playground.open();
    await thread.say("sam", "/run web-1\n```sh\nsystemctl restart web\n```");
    await playground.quiet();
    const look = lookAt(thread);
    await look(0);
    await thread.say("lee", "/approve 1");
    await playground.quiet();
    expect((await look(11)).at(-1)).toBe("📟 @mona **A decision is needed.** `@lee` has approved, and it takes more.");
    await look(22);
    const alarms = sink.received.map(({ body }) => JSON.parse(body));
    expect(alarms.filter(({ issue }) => issue === thread.number)).toMatchObject([{ called: ["mona"] }]);
  });

  it("OC-6 /oncall and /status say who is on call, by what, and who is not called", async () => {
    const { open, quiet } = playground;
    const thread = await open();
    await thread.say("rita", "/oncall");
    const answer = await thread.waitFor((body) => body.includes("By the rotation in"), "the answer");
    expect(answer.body).toMatch(/^On call: `@rita` until 2\d{3}-.*; next: `@lee` from /);
    expect(answer.body).toContain("`@rita` may not approve here and so is not called.");
    expect(answer.body).toContain(
      "the next after 10 min without an answer (low risk 30 min, high 5 min), then the webhook.",
    );
    await thread.say("rita", "/status");
    await thread.waitFor((body) => body.includes("- on call: `@rita` until"), "the status");
    await quiet();
  });
});
