import { describe, expect, it } from "vitest";
import {
  inTurn,
  rankOf,
  readersShare,
  type Urgency,
  urgencyOf,
  waitFor,
  writeClasses,
  writeTermsOf,
} from "../../../src/store/outbox/urgency.ts";
import { fc } from "../../harness/chance.ts";

const row = { githubId: null, awaited: false, askedBy: null, readsOnly: false, position: 1 } as const;
const edited = { ...row, githubId: 7 };
const spans = ["minute", "hour"] as const;

describe("RR-08 the class of a write", () => {
  it.each<[string, Parameters<typeof urgencyOf>[0], Urgency]>([
    ["a reply", { ...row, slot: "reply:1" }, "result"],
    ["a reply to somebody who may only read", { ...row, slot: "reply:1", readsOnly: true }, "reader"],
    ["a run card that begins", { ...row, slot: "batch:1" }, "live"],
    ["a run card that goes on", { ...edited, slot: "batch:1" }, "live"],
    ["how a command ended, as an edit", { ...edited, slot: "batch:1", awaited: true }, "result"],
    ["how a command ended, as a new comment", { ...row, slot: "batch:1", awaited: true }, "result"],
    ["what an edit would tell nobody", { ...row, slot: "unread:1" }, "result"],
    ["a schedule's result", { ...row, slot: "schedule:1" }, "result"],
    ["a card", { ...row, slot: "card:1" }, "decision"],
    ["a card of somebody's own command", { ...row, slot: "action:1", askedBy: 7 }, "result"],
    ["what was decided on it", { ...edited, slot: "action:1", askedBy: 7 }, "live"],
    ["a card of what is proposed anew", { ...row, slot: "action:1" }, "decision"],
    ["a call of who is on call", { ...row, slot: "call:1:lee" }, "decision"],
    ["a decision on a card", { ...edited, slot: "card:1" }, "live"],
    ["an alert that is resolved", { ...row, slot: "resolved:1" }, "live"],
    ["a new board", { ...row, slot: "board" }, "decision"],
    ["a board", { ...edited, slot: "board" }, "board"],
    ["a notice", { ...row, slot: "notice:1" }, "board"],
  ])("%s", (_what, comment, urgency) => expect(urgencyOf(comment)).toBe(urgency));
});

const slot = fc.constantFrom("board", "card:1", "action:2", "batch:3", "reply:4", "unread:5", "notice:6", "resolved:7");
const comments = fc
  .uniqueArray(
    fc.record({
      slot,
      position: fc.integer({ min: 1, max: 1_000 }),
      githubId: fc.option(fc.integer({ min: 1 })),
      awaited: fc.boolean(),
      askedBy: fc.option(fc.integer({ min: 1, max: 5 })),
      readsOnly: fc.boolean(),
    }),
    { selector: ({ position }) => position, maxLength: 12 },
  )
  .map((all) => all.map((one) => ({ ...one, readsOnly: one.readsOnly && one.askedBy !== null })));

describe("RR-08 the open comments of an issue", () => {
  it("go by their class, each once, and new ones by their place", () => {
    fc.assert(
      fc.property(comments, (all) => {
        const turns = inTurn(all);
        expect(new Set(turns.map(({ comment }) => comment))).toEqual(new Set(all));
        const ranks = turns.map(({ urgency }) => rankOf(urgency));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        const places = turns.flatMap(({ comment }) => (comment.githubId === null ? comment.position : []));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
    );
  });

  it("are as urgent as the most urgent that is to stand below them, but for what people ask who may only read", () => {
    fc.assert(
      fc.property(comments, (all) => {
        for (const { comment, urgency, share } of inTurn(all)) {
          if (comment.githubId !== null) {
            expect(urgency).toBe(urgencyOf(comment));
            continue;
          }
          const below = all.filter(
            (one) => one.githubId === null && one.position >= comment.position && !one.readsOnly,
          );
          const most = Math.min(...below.map((one) => rankOf(urgencyOf(one))), rankOf("reaction"));
          if (!comment.readsOnly) expect(rankOf(urgency)).toBe(most);
          else expect(rankOf(urgency)).toBeLessThanOrEqual(Math.max(most, rankOf("reader")));
          // Whoever may only read pays for nothing that others wait for.
          if (share === readersShare) expect(comment.readsOnly).toBe(true);
          // And nobody waits for another's share.
          const others = below.filter((one) => one.askedBy !== comment.askedBy && rankOf(urgencyOf(one)) === most);
          if (others.length > 0 && rankOf(urgency) === most) expect(share).toBeNull();
        }
      }),
    );
  });

  it("go on with an answer while another person's answers above it have used up their share", () => {
    const reply = (position: number, askedBy: number) => ({ ...row, slot: "reply:1", position, askedBy });
    const shares = inTurn([reply(1, 7), reply(2, 7), reply(3, 8), reply(4, 7)]).map(({ share }) => share);
    expect(shares).toEqual([null, null, null, "person:7"]);
  });
});

const limits = fc
  .record({ perMinute: fc.integer({ min: 4, max: 100_000 }) })
  .map(({ perMinute }) => ({ perMinute, perHour: perMinute * (500 / 80) }));

describe("RR-08 what a class leaves to those before it", () => {
  it("is at least what the one before leaves, at any limit, and each class goes once all is free", () => {
    fc.assert(
      fc.property(limits, (limit) => {
        const most = writeClasses.map(({ urgency }) => writeTermsOf({ ...limit, urgency, share: null }).most);
        for (const span of spans) {
          const sizes = most.map((one) => one[span]);
          expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
          expect(Math.min(...sizes)).toBeGreaterThanOrEqual(1);
        }
      }),
    );
  });

  it("is never less for somebody whose share is used up", () => {
    fc.assert(
      fc.property(limits, fc.constantFrom("person:1", readersShare), (limit, share) => {
        const { most, beyond } = writeTermsOf({
          ...limit,
          urgency: share === readersShare ? "reader" : "result",
          share,
        });
        for (const span of spans) expect(beyond.most[span]).toBeLessThanOrEqual(most[span]);
      }),
    );
  });
});

describe("RR-08 how long a write waits", () => {
  const terms = writeTermsOf({ perMinute: 80, perHour: 500, urgency: "result", share: null });
  const free = { minute: 0, hour: 0, paused: 0, ahead: 0 };
  it.each([
    ["for a minute's limit", { ...free, minute: 40 }, { ms: 1_500, by: "minute" }],
    ["behind others for a minute's limit", { ...free, minute: 40, ahead: 2 }, { ms: 4_500, by: "minute" }],
    ["for an hour's limit, and looks again before", { ...free, minute: 40, hour: 250 }, { ms: 10_000, by: "hour" }],
    ["for GitHub's own word", { ...free, paused: 61, minute: 40 }, { ms: 61_000, by: "pause" }],
    ["for others only", { ...free, ahead: 1 }, { ms: 250, by: undefined }],
  ] as const)("%s", (_what, shortage, wait) => expect(waitFor(shortage, terms)).toEqual(wait));
});
