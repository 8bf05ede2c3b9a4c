import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import type { FaultEffect } from "../../emulator/interface.ts";
import { startTalkingModel } from "../agent/fake-model.ts";
import { endpointsOf, repo } from "../harness/playground.ts";
import { auditOf, proposing, type Stage, startStage, statesOf, waitInVain } from "../harness/stage.ts";
import { until } from "../harness/until.ts";
import { useBotPlaces } from "../store/use-places.ts";

const places = await useBotPlaces("what GitHub does wrong, on a store of several processes (F-01 to F-15)");

const comments = /\/comments(?:\/\d+)?(?:\?|$)/;
/** Of every request: what it is, its answer, and what /readyz says of it. */
type Refusal = readonly [what: string, effect: FaultEffect, why: string];
const badToken: Refusal = [
  "every token is refused",
  { status: 401, body: { message: "Bad credentials" } },
  "GitHub does not take our token",
];
const suspended: Refusal = [
  "the installation is suspended",
  { status: 403, body: { message: "This installation has been suspended" } },
  "the App's installation is suspended",
];
const limited = (seconds: number): FaultEffect => ({
  status: 403,
  headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${Math.floor(Date.now() / 1_000) + seconds}` },
  body: { message: "API rate limit exceeded for installation" },
});

describe.each(places)("a whole bot whose GitHub fails ($kind)", ({ kind, available, url }) => {
  describe.runIf(available)("in one way or another", () => {
    let stage: Stage;
    let end = Promise.withResolvers<void>();
    end.resolve();
    /** What the model proposes for what is opened next. */
    let proposed = "uptime";
    let model: Awaited<ReturnType<typeof startTalkingModel>>;
    beforeAll(async () => {
      const storeUrl = await url();
      model = await startTalkingModel((messages) =>
        messages.some(({ role }) => role === "assistant")
          ? { text: "CONFIRMED by 1: that is all." }
          : proposing("LIKELY: looking.", proposed),
      );
      stage = await startStage({
        ...(storeUrl === undefined ? {} : { storeUrl }),
        // A busy machine is no fault of the model's.
        configure: (config) => {
          config.model = { endpoints: endpointsOf(model), deadline: "2m" };
        },
      });
      stage.play(async (_command, { channel }) => {
        channel.write("one line of its output\n");
        await end.promise;
        return 0;
      });
    });
    afterAll(async () => {
      await stage.close();
      await model.close();
    });
    afterEach(async () => {
      end.resolve();
      stage.github.clearFaults();
      await stage.quiet();
    });
    /** An incident whose card proposes this, as 1. */
    const incident = async (command: string): Promise<Thread & { number: number }> => {
      proposed = command;
      const thread = await stage.open();
      await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
      await stage.quiet();
      return thread;
    };
    const finish = (): void => end.resolve();
    const hold = (): void => {
      end = Promise.withResolvers();
    };
    /** Every request of the bot's is answered so from now on. */
    const always = (effect: FaultEffect, path = /./): void => stage.github.fault({ path, times: 10_000 }, effect);
    const ran = (command: string): number => stage.ran().filter((line) => line.includes(command)).length;
    const bodies = async (thread: Thread): Promise<readonly string[]> =>
      (await thread.comments()).map(({ body }) => body);
    const count = async (thread: Thread, what: string | RegExp): Promise<number> =>
      (await bodies(thread)).filter((body) => (typeof what === "string" ? body.includes(what) : what.test(body)))
        .length;
    const ready = async (): Promise<{ readonly status: number; readonly github: string }> => {
      const answer = await fetch(`${stage.bot.url}/readyz`);
      return {
        status: answer.status,
        github: (JSON.parse(await answer.text()) as { checks: { github: string } }).checks.github,
      };
    };
    const audited = async ({ number }: { readonly number: number }): Promise<readonly string[]> =>
      (await auditOf(stage, { issue: number })).map(({ kind }) => kind);
    /** An incident whose command runs, and goes on until `finish`. */
    const running = async (command: string): Promise<Thread & { number: number }> => {
      const thread = await incident(command);
      hold();
      await thread.say("lee", "/approve 1");
      await until(() => expect(ran(command)).toBe(1));
      await thread.waitFor((body) => body.includes("running since"), "the run card");
      return thread;
    };

    it("F-03 an /approve that comes before the event that opened the issue is answered, and what follows works once", async () => {
      for (const event of ["issues.opened", "issues.labeled"]) stage.github.fault({ event }, { drop: "before" });
      proposed = `uptime # ${kind} 03`;
      const thread = await stage.open();
      await thread.say("lee", "/approve 1");
      await thread.waitFor((body) => body.includes("Nothing was run"), "the answer to what came too early");
      await thread.waitFor(
        (body) => body.includes(`uptime # ${kind} 03`) && body.includes("- [ ]"),
        "the card",
        240_000,
      );
      await stage.quiet();
      const lost = stage.github.deliveries().filter(({ event, status }) => event === "issues" && status !== 202);
      for (const { guid } of lost) await stage.github.redeliver(guid);
      await thread.say("lee", "/approve 1");
      await thread.waitFor((body) => body.includes("**1** ✅"), "the result");
      await stage.quiet();
      expect(ran(`uptime # ${kind} 03`)).toBe(1);
      expect(await count(thread, "Board of this incident")).toBe(1);
    });

    it.each([
      ["F-08 whose answers to comments are lost after it stored them", { drop: "after" }],
      ["F-08 which answers comments with 502 and has not stored them", { status: 502 }],
      ["F-09 whose connection dies before it stores a comment", { drop: "before" }],
      [
        "F-10 that wants a pause of two seconds",
        { status: 403, headers: { "retry-after": "2" }, body: { message: "secondary rate limit" } },
      ],
    ] as const)("%s has each comment once", async (_title, effect) => {
      proposed = "uptime";
      stage.github.fault({ method: "POST", path: comments, times: 2 }, effect);
      const thread = await stage.open();
      await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
      await stage.quiet();
      expect(await count(thread, "Board of this incident")).toBe(1);
      expect(await count(thread, "- [ ] **1**")).toBe(1);
    });

    it("F-08 an approval of a card that GitHub shows and has not confirmed waits for that, and counts", async () => {
      proposed = `uptime # ${kind} 08`;
      stage.github.fault({ method: "POST", path: comments, times: 2 }, { drop: "after" });
      const thread = await stage.open();
      await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
      await thread.say("lee", "/approve 1");
      await thread.waitFor((body) => body.includes("**1** ✅"), "the result");
      await stage.quiet();
      expect(ran(`uptime # ${kind} 08`)).toBe(1);
      expect(await count(thread, "Nothing was run")).toBe(0);
    });

    it("F-08 an approval of a card that GitHub never confirms runs nothing, and says so", async () => {
      proposed = `uptime # ${kind} 08 never`;
      stage.github.fault({ method: "POST", path: comments, times: 2 }, { drop: "after" });
      const thread = await stage.open();
      await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
      // It is found, and cannot be brought up to date.
      always({ status: 500 }, /issues\/comments\/\d+$/);
      await thread.say("lee", "/approve 1");
      await waitInVain(stage);
      await until(async () => expect(await audited(thread)).toContain("command_unverified"));
      stage.github.clearFaults();
      await thread.waitFor((body) => body.includes("GitHub has not confirmed my latest card"), "the answer");
      await stage.quiet();
      expect(ran(`uptime # ${kind} 08 never`)).toBe(0);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    });

    it("F-10 asks nothing of GitHub while it wants a pause", async () => {
      const thread = await incident("uptime");
      const heard: number[] = [];
      let struck: number | undefined;
      const stop = stage.github.onTraffic((traffic) => {
        if (traffic.kind !== "request" || !comments.test(traffic.path) || traffic.method === "GET") return;
        if (traffic.status === 403) struck ??= performance.now();
        else if (struck !== undefined) heard.push(performance.now() - struck);
      });
      stage.github.fault(
        { method: "POST", path: comments },
        { status: 403, headers: { "retry-after": "3" }, body: {} },
      );
      await thread.say("lee", "/whoami");
      await thread.waitFor((body) => body.includes("You are"), "the answer");
      // GitHub shows a comment before its answer to the making of it is heard.
      await stage.quiet();
      stop();
      expect(struck).toBeDefined();
      expect(heard.length).toBeGreaterThan(0);
      expect(Math.min(...heard)).toBeGreaterThanOrEqual(2_900);
    });

    it("F-11 with GitHub's limit used up nothing is dispatched, /readyz says so, and what ran is told later, once", async () => {
      const waiting = await incident(`df # ${kind} 11`);
      const before = await running(`uptime # ${kind} 11`);
      expect(await ready()).toEqual({ status: 200, github: "answers" });
      always(limited(8));
      await waiting.say("lee", "/approve 1");
      await waitInVain(stage);
      finish();
      await until(async () => expect(await audited(before)).toContain("command_executed"));
      await until(async () => expect(await audited(waiting)).toContain("command_unverified"));
      const { status, github } = await ready();
      expect(status).toBe(200);
      expect(github).toMatch(/^cannot be asked since .+, so nothing is run: GitHub's rate limit$/);
      expect(ran(`df # ${kind} 11`)).toBe(0);
      stage.github.clearFaults();
      await before.waitFor((body) => body.includes("**1** ✅"), "the result");
      await waiting.waitFor((body) => body.includes("I cannot ask GitHub"), "the word on the approval");
      await stage.quiet();
      expect(await count(before, "**1** ✅")).toBe(1);
      expect((await ready()).github).toBe("answers");
      expect(await statesOf(stage, waiting.number)).toEqual({ 1: "proposed" });
      expect(ran(`df # ${kind} 11`)).toBe(0);
    });

    it.each([
      ["answers 500", { status: 500 }],
      ["does not answer", { drop: "before" }],
    ] as const)("F-12 a GitHub that %s to who may approve lets nobody, and says so", async (what, effect) => {
      const thread = await incident(`uptime # ${kind} 12 ${what}`);
      always(effect, /graphql/);
      await thread.say("lee", "/approve 1");
      await waitInVain(stage);
      await thread.waitFor(
        (body) => body.includes("I cannot ask GitHub right now what you may do"),
        "the refusal",
        240_000,
      );
      stage.github.clearFaults();
      await stage.quiet();
      expect(ran(`uptime # ${kind} 12 ${what}`)).toBe(0);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    });

    it("F-13 tokens that were revoked are minted anew once, and the work goes on", async () => {
      const thread = await incident(`uptime # ${kind} 13`);
      const minted = stage.github.minted().length;
      stage.github.revokeTokens();
      await thread.say("lee", "/approve 1");
      await thread.waitFor((body) => body.includes("**1** ✅"), "the result");
      await stage.quiet();
      expect(ran(`uptime # ${kind} 13`)).toBe(1);
      // Requests that were under way together may each have met the old one.
      expect(stage.github.minted().length - minted).toBeLessThanOrEqual(4);
    });

    it.each([
      badToken,
      // It takes a minute to come back, whatever the store.
      ...(kind === "embedded" ? [suspended] : []),
    ])(
      "F-13 where %s nothing runs, the App asks seldom, and nothing it wanted to say is lost",
      async (what, effect, why) => {
        const thread = await incident(`df # ${kind} 13 ${what}`);
        always(effect);
        const asked = stage.github.requests().length;
        await thread.say("lee", "/approve 1");
        await waitInVain(stage);
        await until(async () => expect(await audited(thread)).toContain("command_unverified"));
        await sleep(3_000);
        expect(stage.github.requests().length - asked).toBeLessThan(40);
        expect((await ready()).github).toMatch(new RegExp(`^cannot be asked since .+, so nothing is run: ${why}$`));
        // Whichever came first has the others wait.
        const failed = () => stage.log.findLast(({ event }) => event === "post_failed" || event === "react_failed");
        await until(() => expect(failed()).toMatchObject({ level: "warn" }));
        const { db } = stage.bot.deps.store;
        expect(await db.selectFrom("comment").select("id").where("parked", "is not", null).execute()).toEqual([]);
        const wanted = db.selectFrom("comment").select("id").where("issue", "=", thread.number);
        expect(await wanted.whereRef("version", ">", "postedVersion").execute()).not.toEqual([]);
        stage.github.clearFaults();
        await stage.quiet();
        await db.updateTable("writeBudget").set({ pausedUntil: null }).execute();
        expect(ran(`df # ${kind} 13 ${what}`)).toBe(0);
      },
    );

    it("F-14 GitHub down while a command runs: it goes on to its end, and its result is posted once", async () => {
      const thread = await running(`uptime # ${kind} 14`);
      always({ status: 502 });
      finish();
      await until(async () => expect(await audited(thread)).toContain("command_executed"));
      await sleep(1_000);
      expect(await count(thread, "**1** ✅")).toBe(0);
      stage.github.clearFaults();
      await thread.waitFor((body) => body.includes("**1** ✅"), "the result");
      await stage.quiet();
      expect(await count(thread, "**1** ✅")).toBe(1);
      expect(ran(`uptime # ${kind} 14`)).toBe(1);
    });

    const patch = async (thread: { number: number }, fields: object): Promise<void> => {
      const { status } = await stage.github.as("mona")("PATCH", `/repos/${repo}/issues/${thread.number}`, fields);
      expect(status).toBe(200);
    };
    const parked = async (thread: { number: number }): Promise<number> => {
      const { db } = stage.bot.deps.store;
      const rows = db
        .selectFrom("comment")
        .select("id")
        .where("issue", "=", thread.number)
        .where("parked", "is not", null);
      return (await rows.execute()).length;
    };

    it("F-15 closed while its command runs: the result is in the audit and on the issue", async () => {
      const thread = await running(`uptime # ${kind} 15 closed`);
      await patch(thread, { state: "closed" });
      finish();
      await thread.waitFor((body) => body.includes("**1** ✅"), "the result");
      await stage.quiet();
      expect(await audited(thread)).toContain("command_executed");
      expect(ran(`uptime # ${kind} 15 closed`)).toBe(1);
    });

    it("F-15 made private while its command runs: the result is posted as ever", async () => {
      const thread = await running(`uptime # ${kind} 15 private`);
      const { status } = await stage.github.as("mona")("PATCH", `/repos/${repo}`, { private: true });
      expect(status).toBe(200);
      finish();
      await thread.waitFor((body) => body.includes("**1** ✅"), "the result");
      await stage.quiet();
      expect(ran(`uptime # ${kind} 15 private`)).toBe(1);
    });

    it.each([
      ["deleted", async (thread: { number: number }) => stage.github.deleteIssue("mona", repo, thread.number)],
      [
        "locked",
        async () =>
          always({ status: 403, body: { message: "Unable to create comment because issue is locked." } }, comments),
      ],
    ] as const)(
      "F-15 %s while its command runs: the result is in the audit, and the operator is told",
      async (what, happen) => {
        const thread = await running(`uptime # ${kind} 15 ${what}`);
        await happen(thread);
        finish();
        await until(async () => expect(await audited(thread)).toContain("command_executed"));
        await until(async () => expect(await parked(thread)).toBeGreaterThan(0));
        const told = () =>
          stage.log.filter(({ event, issue }) => event === "post_parked" && issue === thread.number).at(-1);
        // It is parked before it is said.
        await until(() => expect(told()).toMatchObject({ level: "error" }));
        expect(ran(`uptime # ${kind} 15 ${what}`)).toBe(1);
      },
    );

    it("F-15 transferred while its command runs: GitHub's word where it is now is not followed, nothing is posted there", async () => {
      const thread = await running(`uptime # ${kind} 15 transferred`);
      const elsewhere: string[] = [];
      const stop = stage.github.onTraffic((traffic) => {
        if (traffic.kind === "request" && /^\/repositories\/9\//.test(traffic.path)) elsewhere.push(traffic.path);
      });
      const location = `${stage.github.url}/repositories/9/issues/1/comments`;
      always({ status: 307, headers: { location } }, comments);
      const failed = () =>
        stage.log.filter(({ event, issue }) => event === "post_failed" && issue === thread.number).length;
      const before = failed();
      finish();
      await until(async () => expect(await audited(thread)).toContain("command_executed"));
      await until(() => expect(failed()).toBeGreaterThan(before));
      stop();
      expect(elsewhere).toEqual([]);
      expect(ran(`uptime # ${kind} 15 transferred`)).toBe(1);
    });
  });
});
