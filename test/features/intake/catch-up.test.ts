import { beforeAll, describe, expect, it, test, vi } from "vitest";
import { expireOverdue } from "../../../src/features/incident/open-close.ts";
import { type CatchUp, catchUp, sortFailed } from "../../../src/features/intake/catch-up.ts";
import { createMissed } from "../../../src/github/app/missed.ts";
import { createClient } from "../../../src/github/client.ts";
import { createInbox } from "../../../src/store/queue/arrival.ts";
import { byName } from "../../github/by-name.ts";
import { repo, usePlayground } from "../../harness/playground.ts";

describe("which failed deliveries are asked for again", () => {
  const minute = 60_000;
  const start = Date.UTC(2026, 0, 1);
  /** An attempt so many minutes after the first. */
  const failed = (at: number, guid: string) => ({ id: at, guid, at: new Date(start + at * minute), isFirst: at === 0 });
  const sort = (attempts: readonly ReturnType<typeof failed>[], at: number, lookedAt?: number) =>
    sortFailed(
      { attempts, isWhole: true },
      {
        arrived: new Set(["here"]),
        now: new Date(start + at * minute),
        ...(lookedAt !== undefined && { lookedAt: new Date(start + lookedAt * minute) }),
      },
    );

  test("RR-03 each once and at once, oldest first; not those that arrived since", () => {
    const one = (id: number, guid: string) => ({ ...failed(id, guid), isFirst: true });
    const sorted = sort([one(3, "b"), one(2, "a"), one(1, "here")], 3);
    expect(sorted.again.map(({ id }) => id)).toEqual([2, 3]);
    expect(sorted.givenUp).toEqual([]);
  });

  test("RR-03 F-04 one that fails each time is asked for ever more seldom, for three days, and then told of once", () => {
    const window = 3 * 24 * 60;
    const attempts = [failed(0, "a")];
    const told: number[] = [];
    for (let now = 5; now <= 2 * window; now += 5) {
      const seen = attempts.filter(({ at }) => at.getTime() >= start + (now - window) * minute);
      const { again, givenUp } = sort(seen, now, now - 5);
      if (again.length > 0) attempts.unshift(failed(now, "a"));
      if (givenUp.length > 0) told.push(now);
    }
    const at = attempts.map(({ id }) => id).reverse();
    expect(at.slice(0, 10)).toEqual([0, 5, 15, 35, 75, 155, 315, 635, 995, 1_355]);
    expect(at.at(-1)).toBe(4_235);
    expect(told).toEqual([4_235 + 360]);
  });

  test("RR-03 four processes that look at other times ask no more often", () => {
    const attempts = [failed(0, "a")];
    for (let now = 1; now <= 120; now++) if (sort(attempts, now).again.length > 0) attempts.unshift(failed(now, "a"));
    expect(attempts.map(({ id }) => id)).toEqual([71, 31, 11, 1, 0]);
  });

  test("RR-03 one of which GitHub no longer lists the first attempt, since it lists so many, is not given up", () => {
    const attempts = [failed(15, "a"), failed(5, "a")];
    const sorted = sortFailed({ attempts, isWhole: false }, { arrived: new Set(), now: new Date(start + 40 * minute) });
    expect([sorted.again.length, sorted.givenUp]).toEqual([1, []]);
  });
});

describe("a bot that GitHub did not reach", () => {
  let missed: CatchUp;

  const playground = usePlayground();
  beforeAll(() => {
    const { log, config, store } = playground.bot.deps;
    const { receive } = createInbox(store);
    missed = { ...createMissed(createClient({ ...config.github, log, ...byName }), config.github), receive };
  });

  const lose = (event: string) => playground.github.fault({ event }, { drop: "before" });
  const look = async (lookedAt?: Date): Promise<void> => {
    await catchUp(playground.bot.deps, missed, lookedAt);
    await playground.quiet();
  };
  const events = (name: string) => playground.log.filter(({ event }) => event === name).length;
  const incident = async () => {
    const thread = await playground.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await playground.quiet();
    return thread;
  };

  it("RR-03 F-04 has the opening of an incident sent again, and serves it once", async () => {
    lose("issues.opened");
    lose("issues.labeled");
    const thread = await playground.open();
    await playground.quiet();
    expect(await thread.comments()).toEqual([]);
    await look();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    const before = (await thread.comments()).length;
    await look();
    expect((await thread.comments()).length).toBe(before);
  });

  it("RR-03 takes in a comment that GitHub's log does not know of either, and a late webhook of it has no effect", async () => {
    const thread = await incident();
    const began = new Date();
    lose("issue_comment.created");
    await thread.say("lee", "/approve 1");
    await playground.quiet();
    expect(playground.host.seen.commands).toHaveLength(0);
    const { guid } = playground.github.deliveries().at(-1) ?? { guid: "" };
    const deaf = { ...missed, failedSince: async () => ({ attempts: [], isWhole: true }) };
    await catchUp(playground.bot.deps, deaf, began);
    await playground.quiet();
    expect(playground.host.seen.commands).toHaveLength(2);
    await playground.github.redeliver(guid);
    await playground.quiet();
    await look(began);
    expect(playground.host.seen.commands).toHaveLength(2);
    expect(playground.github.invalid()).toEqual([]);
  });

  it("SR-21 RR-03 what was edited before anybody heard of it runs nothing, and whoever wrote it hears so, once", {
    tags: ["long"],
  }, async () => {
    const thread = await incident();
    const before = playground.host.seen.commands.length;
    lose("issue_comment.created");
    lose("issue_comment.edited");
    const comment = await thread.say("lee", "looks fine");
    // GitHub's times have whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await playground.github.editComment("lee", repo, comment, "/approve 1");
    await playground.quiet();
    const deaf = { ...missed, failedSince: async () => ({ attempts: [], isWhole: true }) };
    for (let look = 0; look < 2; look++) {
      await catchUp(playground.bot.deps, deaf);
      await playground.quiet();
    }
    expect(playground.host.seen.commands).toHaveLength(before);
    expect(events("comment_missed_and_edited")).toBeGreaterThan(0);
    const said = (await thread.comments()).filter(({ body }) => body.includes("was edited before I read it"));
    expect(said).toHaveLength(1);
    expect(await thread.reactions(comment)).toEqual([]);
  });

  it("SR-21 RR-03 what was edited within the second in which it was written is known for edited too", async () => {
    const thread = await incident();
    lose("issue_comment.created");
    lose("issue_comment.edited");
    vi.useFakeTimers({ toFake: ["Date"] });
    const comment = await thread.say("lee", "looks fine");
    await playground.github.editComment("sam", repo, comment, "/run web-1\n```sh\nid\n```");
    vi.useRealTimers();
    await playground.quiet();
    const deaf = { ...missed, failedSince: async () => ({ attempts: [], isWhole: true }) };
    await catchUp(playground.bot.deps, deaf);
    await playground.quiet();
    const bodies = (await thread.comments()).map(({ body }) => body);
    expect(bodies.filter((body) => body.includes("was edited before I read it"))).toHaveLength(1);
    expect(bodies.filter((body) => body.includes("Proposed by"))).toEqual([]);
  });

  it("F-04 an approval that comes after its action has expired is refused with a note", async () => {
    const thread = await incident();
    const before = playground.host.seen.commands.length;
    lose("issue_comment.created");
    await thread.say("lee", "/approve 1");
    await playground.quiet();
    const { deps: world } = playground.bot;
    await expireOverdue({ ...world, now: () => new Date(Date.now() + 2 * 3_600_000) });
    await look();
    await thread.waitFor((body) => body.includes("**1** has expired"), "the note");
    await playground.quiet();
    expect(playground.host.seen.commands).toHaveLength(before);
  });

  it("RR-03 a GitHub that does not answer for one issue keeps the others from nothing", async () => {
    const [one, other] = [await incident(), await incident()];
    const before = playground.host.seen.commands.length;
    for (const thread of [one, other]) {
      lose("issue_comment.created");
      await thread.say("lee", "/approve 1");
      await playground.quiet();
    }
    const deaf: CatchUp = {
      ...missed,
      failedSince: async () => ({ attempts: [], isWhole: true }),
      issue: async (place) => {
        if (place.issue === one.number) throw new Error("502");
        return missed.issue(place);
      },
    };
    await catchUp(playground.bot.deps, deaf);
    await playground.quiet();
    expect(playground.host.seen.commands).toHaveLength(before + 2);
    expect(events("catch_up_late")).toBe(1);
  });

  it("RR-03 one request finds what was lost in all incidents of a repository", { tags: ["long"] }, async () => {
    const threads = [await incident(), await incident(), await incident()];
    for (const thread of threads) {
      lose("issue_comment.created");
      await thread.say("lee", "/status");
      await playground.quiet();
    }
    let requests = 0;
    await catchUp(playground.bot.deps, {
      ...missed,
      failedSince: async () => ({ attempts: [], isWhole: true }),
      commentsSince: async (place, since) => {
        requests++;
        return missed.commentsSince(place, since);
      },
    });
    await playground.quiet();
    for (const thread of threads) await thread.waitFor((body) => /\*\*open\*\* for/.test(body), "the status");
    expect(requests).toBe(1);
    expect(playground.github.invalid()).toEqual([]);
  });
});
