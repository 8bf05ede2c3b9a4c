import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usualPace } from "../../../src/features/poll/pace.ts";
import {
  noMemory,
  type PollContext,
  type RepositoryMemory,
  reachedBy,
  readEvents,
  readRound,
  readSince,
} from "../../../src/features/poll/poll.ts";
import { parseIssueEvent } from "../../../src/github/events.ts";
import { createPollSource, type PollAnswer, type PolledComment } from "../../../src/github/poll.ts";
import type { PollRow } from "../../../src/store/poll.ts";
import type { Arrival } from "../../../src/store/queue/arrival.ts";
import { type Playground, startPlayground } from "../../harness/playground.ts";
import { commentOf, eventOf, issueOf, page, partly, repository, startSource } from "./source.ts";

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground({ listen: "webhook" });
});
afterAll(() => playground.close());

const now = new Date("2026-11-24T12:00:00Z");
const ago = (days: number): Date => new Date(now.getTime() - days * 24 * 3_600_000);
const at = (days: number): string => ago(days).toISOString().replace(".000", "");
const place = { installationId: 1, repo: repository.full_name, repoId: repository.id };
const rowSince = (since: Date, readAt: Date | null): PollRow => ({
  repo: repository.full_name,
  holder: null,
  heldUntil: null,
  since,
  readAt,
  standing: "private",
  standings: 0,
  lastPush: null,
});

/** Looks at what `source` lists, and says what was told. */
async function look(source: Partial<PollContext["source"]>, row: PollRow, before: RepositoryMemory = noMemory) {
  const arrivals: Arrival[] = [];
  const receive = async (arrival: Arrival) => {
    arrivals.push(arrival);
    return "stored" as const;
  };
  const deps = { ...playground.bot.deps, now: () => now };
  const polling = { deps, source: startSource(source), receive, alsoWebhooks: false, pace: usualPace };
  const round = await readRound(polling, place, row, before);
  return { told: arrivals.map(({ guid }) => guid.replace(/@.*/, "")), arrivals, round };
}

describe("what is told by polling", () => {
  it("DC-8 SR-21 SR-68 of a repository that nobody asked about for months the old commands are not carried out, and the log says so", async () => {
    const source = {
      comments: async () =>
        page([commentOf(2, "/status", at(1)), commentOf(1, "/hold all", at(40)), commentOf(3, "/run", at(4))]),
      events: async () => page([eventOf(8, "labeled", at(1)), eventOf(7, "closed", at(40))]),
      issues: async () => page([issueOf(4, at(40)), issueOf(5, at(2))]),
    };
    const from = playground.log.length;
    const { told, round } = await look(source, rowSince(ago(60), ago(50)));
    expect(told).toEqual(["poll-i5", "poll-e8", "poll-c2"]);
    expect(round.row.since.getTime()).toBeGreaterThan(ago(3).getTime());
    const gaps = playground.log.slice(from).filter(({ event }) => event === "poll_gap");
    expect(gaps).toMatchObject([{ repo: repository.full_name, from: ago(50).toISOString() }]);
  });

  it("DC-8 RR-04 what was said or done within one second is told in the order of its ids, whatever the list's", async () => {
    const second = at(0.1);
    const source = {
      comments: async () => page([11, 14, 12, 10, 13].map((id) => commentOf(id, `/approve ${id}`, second))),
      events: async () => page([eventOf(21, "reopened", second), eventOf(20, "closed", second)]),
      issues: async () => page([issueOf(5, second), issueOf(4, second)]),
    };
    const { told } = await look(source, rowSince(ago(1), ago(0)));
    expect(told.filter((id) => id.startsWith("poll-c"))).toEqual([10, 11, 12, 13, 14].map((id) => `poll-c${id}`));
    expect(told.filter((id) => id.startsWith("poll-e"))).toEqual(["poll-e20", "poll-e21"]);
    expect(told.filter((id) => id.startsWith("poll-i"))).toEqual(["poll-i4", "poll-i5"]);
  });

  it("SR-21 where nothing happens the time goes on all the same, and that is no gap", async () => {
    const from = playground.log.length;
    const { round } = await look({}, rowSince(ago(2.5), ago(0)));
    expect(round.row.since).toEqual(ago(1));
    expect((await look({}, rowSince(ago(60), ago(0)))).round.row.since).toEqual(ago(1));
    expect((await look({}, rowSince(ago(1.5), ago(0)))).round.row.since).toEqual(ago(1.5));
    expect(playground.log.slice(from).filter(({ event }) => event === "poll_gap")).toEqual([]);
  });

  it("DC-8 what a list had to leave out is still new when it is read later, although it was created before", async () => {
    const since = ago(1);
    const cut = { etag: undefined, items: [{ updated_at: at(0.5) }], isWhole: false };
    const after = reachedBy({ since, askFrom: since }, [cut], { isWhole: true, now });
    expect(after.since).toEqual(since);
    expect(after.askFrom).toEqual(new Date(ago(0.5).getTime() - 120_000));
    const before: RepositoryMemory = { ...noMemory, askFrom: after.askFrom };
    const asked: Date[] = [];
    const issues: PollContext["source"]["issues"] = async (_, { since: from }) => {
      asked.push(from);
      return page([{ ...issueOf(6, at(0.8)), updated_at: at(0.2) }]);
    };
    const { told, round } = await look({ issues }, rowSince(after.since, ago(0)), before);
    expect(asked).toEqual([after.askFrom]);
    expect(told).toEqual(["poll-i6"]);
    expect(round.row.since.getTime()).toBeGreaterThan(after.askFrom.getTime());
  });
});

describe("the type of an issue", () => {
  it("AL-6 that is set, changed or removed is told as webhooks tell it", async () => {
    const events = [
      eventOf(3, "issue_type_removed", at(0.1)),
      eventOf(2, "issue_type_changed", at(0.2)),
      eventOf(1, "issue_type_added", at(0.3)),
    ];
    const { arrivals } = await look({ events: async () => page(events) }, rowSince(ago(1), ago(0)));
    const heard = arrivals.map(({ payload }) => parseIssueEvent(JSON.parse(payload)));
    expect(heard.map((event) => [event?.action, event?.type, event?.sender.login])).toEqual([
      ["typed", "Incident", "mona"],
      ["typed", "Incident", "mona"],
      ["untyped", "Incident", "mona"],
    ]);
  });
});

describe("an edit of a comment of the bot", () => {
  const bot = { id: 9, login: "countersign[bot]", type: "User" };
  const tampered = (minutes: number) => ({
    ...commentOf(1, "All is well.", at(0.5)),
    updated_at: at(minutes / 1_440),
    user: { ...bot, type: "Bot" },
    performed_via_github_app: { id: playground.bot.deps.config.github.appId },
  });
  const listed = (minutes: number, editors: ReadonlyMap<string, typeof bot | undefined>) =>
    look(
      { comments: async () => page([partly<PolledComment>(tampered(minutes))]), editors: async () => editors },
      rowSince(ago(1), ago(0)),
    );

  it("SR-30 is looked at again while GitHub's other account does not know of it, and not forever", async () => {
    const [fresh, old] = [await listed(5, new Map()), await listed(15, new Map())];
    expect([fresh.told, old.told]).toEqual([[], []]);
    expect([fresh.round.memory.handled.size, old.round.memory.handled.size]).toEqual([0, 1]);
  });

  it("SR-30 is told as by ghost where GitHub names nobody, and not told where it was the bot itself", async () => {
    const { told, arrivals } = await listed(5, new Map([["IC_1", undefined]]));
    expect(told).toEqual(["poll-c1"]);
    expect(JSON.parse(arrivals[0]?.payload ?? "")).toMatchObject({ action: "edited", sender: { login: "ghost" } });
    const own = await listed(5, new Map([["IC_1", bot]]));
    expect([own.told, own.round.memory.handled.size]).toEqual([[], 1]);
  });
});

describe("looks at the same time", () => {
  it("DC-8 each count their own requests", async () => {
    const client = { as: async <T>() => ({ status: 200, headers: {}, items: [] }) as T };
    const [one, other] = [createPollSource(client), createPollSource(client)];
    await Promise.all([one.events(place, {}), other.events(place, {}), one.issue({ ...place, issue: 5 })]);
    expect([one.counted(), other.counted()]).toEqual([2, 1]);
  });
});

describe("a list of many pages", () => {
  /** Events of a page each, newest first, an hour apart. */
  const pages = (count: number) => {
    const asked: number[] = [];
    const ask = async ({
      page: number = 1,
    }: {
      readonly page?: number;
    }): Promise<PollAnswer<ReturnType<typeof eventOf>>> => {
      asked.push(number);
      return page([eventOf(1_000 - number, "labeled", at(number / 24))], number < count);
    };
    return { ask, asked };
  };

  it("DC-8 of events is read down to what is older than the last look", async () => {
    const { ask, asked } = pages(60);
    const read = await readEvents(ask, ago(2), undefined);
    expect([read.isWhole, read.items.length, asked.length]).toEqual([true, 48, 49]);
    expect(read.items[0]?.id).toBe(952);
  });

  it("DC-8 of events says that it was cut where it is too long, and time does not go on for it", async () => {
    const { ask } = pages(500);
    const read = await readEvents(ask, ago(30), undefined);
    expect([read.isWhole, read.items.length]).toEqual([false, 100]);
    const before = { since: ago(1), askFrom: ago(1) };
    const whole = { etag: undefined, items: [{ updated_at: at(0) }], isWhole: true };
    expect(reachedBy(before, [whole], { isWhole: read.isWhole, now })).toEqual(before);
  });

  it("DC-8 of events that were read before is not read again", async () => {
    const known = await readEvents(pages(10).ask, ago(2), undefined);
    const { ask, asked } = pages(10);
    const read = await readEvents(ask, ago(2), known);
    expect([asked, read.items.length]).toEqual([[1], 10]);
  });

  it("DC-8 of comments goes on from its end, a little earlier, and from there where that would be no step", async () => {
    const ask = async () => page([commentOf(1, "a", at(0.5))], true);
    const read = await readSince(ask, ago(1), undefined);
    expect(read.isWhole).toBe(false);
    const askFrom = new Date(ago(0.5).getTime() - 60_000);
    expect(reachedBy({ since: ago(1), askFrom }, [read], { isWhole: true, now }).askFrom).toEqual(ago(0.5));
  });

  it("DC-8 RR-01 of comments misses none where one that was read is edited or deleted before the next page", async () => {
    let listed = Array.from({ length: 250 }, (_, index) => commentOf(index + 1, "a", at(1 - index / 1_000)));
    const ask: Parameters<typeof readSince<PolledComment>>[0] = async ({ page: number = 1, since, direction }) => {
      const all = listed.filter(({ updated_at: updated }) => new Date(updated) >= since);
      const inOrder = direction === "asc" ? all : all.toReversed();
      const [first, second, ...rest] = listed;
      if (direction === "asc" && first && second) listed = [...rest, { ...second, updated_at: at(0) }];
      return page(inOrder.slice((number - 1) * 100, number * 100), inOrder.length > number * 100);
    };
    const { items, isWhole } = await readSince(ask, ago(2), undefined);
    expect([isWhole, new Set(items.map(({ id }) => id)).size]).toEqual([true, 250]);
  });
});
