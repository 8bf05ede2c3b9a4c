import { describe, expect, test } from "vitest";
import { type DispatchCode, type DispatchQuestion, decideDispatch, endDispatch } from "../../src/approval/preflight.ts";
import { actionStates } from "../../src/base/action.ts";

const digest = "1a".repeat(32);
const other = "2b".repeat(32);
const minute = 60_000;
const at = (ms: number): Date => new Date(Date.UTC(2026, 0, 1) + ms);

type Approval = DispatchQuestion["approvals"][number];
const byLee: Approval = {
  personId: 7,
  digest,
  counts: true,
  byLease: false,
  comment: { unchanged: true, approves: true },
  sinceClosing: true,
  mayApprove: true,
  proved: false,
  fresh: true,
};
const byMona: Approval = { ...byLee, personId: 8 };

/** A high-risk action that two people approved a minute ago, everything as it should be. */
const base: DispatchQuestion = {
  action: {
    state: "approved",
    digest,
    digestNow: digest,
    expiresAt: at(15 * minute),
    serverUnchanged: true,
    rulesUnchanged: true,
    placeRulesUnchanged: true,
    raised: undefined,
  },
  before: "none",
  guard: undefined,
  incident: { open: true },
  stopped: undefined,
  issue: { open: true, sameRepository: true, sameName: true, installed: true, sameIssue: true, asPrivate: true },
  storeIsCurrent: true,
  executes: true,
  needed: 2,
  shut: undefined,
  passkey: false,
  approvals: [byLee, byMona],
  lease: undefined,
  card: { asWeWroteIt: true, untouched: true, showsIt: true },
  now: at(minute),
};
const withAction = (change: Partial<DispatchQuestion["action"]>): DispatchQuestion => ({
  ...base,
  action: { ...base.action, ...change },
});
const withMona = (change: Partial<Approval>): DispatchQuestion => ({
  ...base,
  approvals: [byLee, { ...byMona, ...change }],
});

/** Everything SR-24 reads again, each alone turned against the action. */
const flips: readonly (readonly [what: string, question: DispatchQuestion, code: DispatchCode])[] = [
  ["the record no longer matches its digest", withAction({ digestNow: other }), "wrong-digest"],
  ["the action has no digest", withAction({ digest: "", digestNow: "" }), "wrong-digest"],
  ["the digest is too long", withAction({ digest: `${digest}0`, digestNow: `${digest}0` }), "wrong-digest"],
  ["the digest has a prefix", withAction({ digest: `x${digest}`, digestNow: `x${digest}` }), "wrong-digest"],
  ["execution is switched off", { ...base, executes: false }, "only-proposes"],
  ["the repository is another one", { ...base, issue: { ...base.issue, sameRepository: false } }, "other-issue"],
  ["the issue was transferred", { ...base, issue: { ...base.issue, sameIssue: false } }, "other-issue"],
  ["the repository has another name", { ...base, issue: { ...base.issue, sameName: false } }, "repository-renamed"],
  ["the App is not installed any more", { ...base, issue: { ...base.issue, installed: false } }, "not-installed"],
  [
    "SR-27 the card was edited, and written over since",
    { ...base, card: { asWeWroteIt: true, untouched: false, showsIt: true } },
    "card-edited",
  ],
  ["SR-11 the repository is public now", { ...base, issue: { ...base.issue, asPrivate: false } }, "repository-public"],
  ["the issue is closed", { ...base, issue: { ...base.issue, open: false } }, "issue-closed"],
  ["the incident is closed", { ...base, incident: { open: false } }, "issue-closed"],
  ["its time is over", { ...base, now: at(15 * minute) }, "expired"],
  ["its expiry cannot be read", withAction({ expiresAt: new Date(Number.NaN) }), "expired"],
  ["the clock cannot be read", { ...base, now: new Date(Number.NaN) }, "expired"],
  ["the server or its host key changed", withAction({ serverUnchanged: false }), "server-changed"],
  [
    "SR-24 another action fetched what it runs",
    withAction({ raised: "runs h.sh, which 5 fetches from http://files.example/h" }),
    "raised",
  ],
  ["RR-18 the rules changed", withAction({ rulesUnchanged: false }), "rules-changed"],
  ["SR-23 its place has other rules", withAction({ placeRulesUnchanged: false }), "place-rules-changed"],
  ["SR-18 its hours have ended", { ...base, shut: "09:00-17:00 UTC" }, "outside-hours"],
  ["RR-24 an older copy of the store was put back", { ...base, storeIsCurrent: false }, "store-restored"],
  ["the card was deleted", { ...base, card: undefined }, "card-deleted"],
  ["the card was edited", { ...base, card: { asWeWroteIt: false, untouched: true, showsIt: true } }, "card-edited"],
  [
    "SR-55 the card shows another command",
    { ...base, card: { asWeWroteIt: true, untouched: true, showsIt: false } },
    "card-differs",
  ],
  ["an approving comment was deleted", withMona({ comment: undefined }), "comment-changed"],
  ["F-12 an approving comment cannot be read yet", withMona({ comment: "unread" }), "comment-unread"],
  ["the card is not posted yet", { ...base, card: "not-posted" }, "card-not-posted"],
  ["F-12 the card cannot be read yet", { ...base, card: "unread" }, "card-unread"],
  ["an approving comment is older than the last closing", withMona({ sinceClosing: false }), "approved-before-closing"],
  ["an approving comment was edited", withMona({ comment: { unchanged: false, approves: true } }), "comment-changed"],
  [
    "SR-55 an approving comment approves something else",
    withMona({ comment: { unchanged: true, approves: false } }),
    "comment-silent",
  ],
  ["an approver lost the right", withMona({ mayApprove: false }), "rights-lost"],
  [
    "PK-01 policy wants a passkey, and one approval has none",
    { ...base, passkey: true, approvals: [{ ...byLee, proved: true }, byMona] },
    "not-proved",
  ],
  ["an approval is for another digest", withMona({ digest: other }), "too-few"],
  ["an approval is the author's own", withMona({ counts: false }), "too-few"],
  ["both approvals are one person's", withMona({ personId: 7 }), "too-few"],
  ["one approval is missing", { ...base, approvals: [byLee] }, "too-few"],
  ["nobody approved", { ...base, approvals: [] }, "too-few"],
  ["policy wants more people now", { ...base, needed: 3 }, "too-few"],
  ["policy never allows it now", { ...base, needed: Number.POSITIVE_INFINITY }, "too-few"],
  ["policy's number cannot be read", { ...base, needed: Number.NaN }, "too-few"],
  [
    "DC-4 what stands before it in its list is open again",
    { ...base, before: { number: 4, is: "open" } },
    "before-open",
  ],
  [
    "DC-4 what stands before it failed since it was approved",
    { ...base, before: { number: 4, is: "failed" } },
    "before-failed",
  ],
  ["DC-4 what stands before it has not ended", { ...base, before: { number: 4, is: "going" } }, "before-going"],
  ["the kill switch is on", { ...base, stopped: "the bot is halted by root" }, "stopped"],
  ["the incident is held", { ...base, stopped: "this incident is held by @sam" }, "stopped"],
  ["an approval is older than the last hold", withMona({ fresh: false }), "approved-before-stop"],
];

describe("the last look before dispatch", () => {
  test("SR-24 with nothing against it an approved action goes", () => {
    expect(decideDispatch(base)).toEqual({ kind: "go" });
  });

  test.each(flips)("SR-24 it does not go where %s", (_what, question, code) => {
    expect(decideDispatch(question)).toMatchObject({ code, reason: expect.stringMatching(/\w{3}/) });
  });

  test("PK-01 where policy wants a passkey it goes with one in force behind each approval", () => {
    const approvals = base.approvals.map((approval) => ({ ...approval, proved: true }));
    expect(decideDispatch({ ...base, passkey: true, approvals })).toEqual({ kind: "go" });
  });

  test("AR-03 an approval by a lease holds only where the lease says so now", () => {
    const question = (lease: DispatchQuestion["lease"]): DispatchQuestion => ({
      ...base,
      needed: 1,
      approvals: [{ ...byLee, byLease: true }],
      lease,
    });
    expect(decideDispatch(question({ kind: "go" }))).toEqual({ kind: "go" });
    expect(decideDispatch(question(undefined)).kind).toBe("reopen");
    expect(decideDispatch(question({ kind: "no", reason: "it is not low risk" }))).toEqual({
      kind: "reopen",
      code: "lease",
      reason: "the lease does not let it go: it is not low risk",
    });
    // Everything else that SR-24 reads holds for it too.
    for (const [what, { lease: _, approvals, ...flipped }, code] of flips) {
      if (approvals.length !== 2 || approvals[1] !== byMona) continue;
      const given = {
        ...flipped,
        approvals: [{ ...byLee, byLease: true }, byMona],
        lease: { kind: "go" } as const,
      };
      expect(decideDispatch(given), what).toMatchObject({ code });
    }
  });

  test("SR-26 it goes out of the state approved only", () => {
    const going = actionStates.filter((state) => decideDispatch(withAction({ state })).kind === "go");
    expect(going).toEqual(["approved"]);
  });

  test("DC-4 SR-18 an action nobody approved never goes, however few approvals policy wants", () => {
    for (const needed of [0, -1, Number.NEGATIVE_INFINITY]) {
      expect(decideDispatch({ ...base, needed, approvals: [] }).kind, `${needed}`).toBe("reopen");
      expect(decideDispatch({ ...base, needed, approvals: [byLee] }).kind, `${needed}`).toBe("go");
    }
  });

  test("SR-24 it is one millisecond too late at its expiry, not before", () => {
    expect(decideDispatch({ ...base, now: at(15 * minute - 1) }).kind).toBe("go");
    expect(decideDispatch({ ...base, now: at(15 * minute) })).toMatchObject({ kind: "end", to: "expired" });
  });

  test("SR-28 one withdrawn approval reopens even where the others would be enough", () => {
    const approvals = [byLee, byMona, { ...byLee, personId: 9, comment: undefined }];
    expect(decideDispatch({ ...base, approvals }).kind).toBe("reopen");
  });
});

test("SR-24 RR-11 an action ends as expired if its time is over, and as void for all else, with its facts in the reason", () => {
  expect(endDispatch("expired")).toMatchObject({ to: "expired", reason: "it expired before it could be sent" });
  const reason = "its time is over, and still it is stopped";
  expect(endDispatch("unanswered", "it is stopped")).toMatchObject({ to: "expired", reason });
  expect(endDispatch("server-refused")).toMatchObject({ to: "void", reason: "" });
  const lone = { ...base, approvals: [byLee] };
  expect(decideDispatch(lone)).toMatchObject({ reason: "it has 1 of 2 approvals" });
  expect(decideDispatch({ ...lone, approvals: [{ ...byLee, byLease: true }] })).toMatchObject({
    reason: "the lease does not let it go: it was not asked",
  });
  expect(decideDispatch({ ...base, before: { number: 3, is: "failed" } })).toMatchObject({
    code: "before-failed",
    reason: "3, which stands before it, did not go well",
  });
});
