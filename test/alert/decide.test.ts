import { describe, expect, it } from "vitest";
import { decideAlert, type KnownAlert } from "../../src/alert/alert.ts";

const now = new Date("2026-11-24T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const firing = { state: "firing", digest: "new", at: null } as const;
const resolved = { ...firing, state: "resolved" } as const;
const open = { state: "open", closedAt: null } as const;
const known: KnownAlert = { state: "firing", seenDigest: "old", seenAt: ago(5), eventAt: null, issue: open };
const closed = (minutes: number): KnownAlert => ({
  ...known,
  state: "resolved",
  issue: { state: "closed", closedAt: ago(minutes) },
});

describe("what follows of an alert", () => {
  it.each([
    ["fires, and nothing is known", firing, undefined, { kind: "open", another: false }],
    ["is resolved, and nothing is known", resolved, undefined, { kind: "nothing", why: "nothing fires" }],
    ["fires while its issue is being opened", firing, { ...known, issue: undefined }, { kind: "open", another: false }],
    ["fires again", firing, known, { kind: "count" }],
    ["fires again after it was resolved", firing, { ...known, state: "resolved" }, { kind: "count" }],
    [
      "is sent again",
      { ...firing, digest: "old" },
      { ...known, seenAt: ago(0.5) },
      { kind: "nothing", why: "sent again" },
    ],
    ["is repeated later", { ...firing, digest: "old" }, known, { kind: "count" }],
    ["is resolved", resolved, known, { kind: "resolve" }],
    ["is resolved a second time", resolved, { ...known, state: "resolved" }, { kind: "nothing", why: "nothing fires" }],
    [
      "comes too late",
      { ...firing, at: ago(9).toISOString() },
      { ...known, eventAt: ago(8) },
      { kind: "nothing", why: "older than what is known" },
    ],
    ["still fires although somebody closed its issue", firing, { ...closed(1), state: "firing" }, { kind: "count" }],
    ["is resolved after somebody closed its issue", resolved, { ...closed(1), state: "firing" }, { kind: "resolve" }],
    ["fires again within an hour of its issue's end", firing, closed(59), { kind: "reopen" }],
    ["fires again later", firing, closed(61), { kind: "open", another: true }],
  ] as const)("AL-2 that %s", (_, message, before, decision) => {
    const reopenWithinMs = 60 * 60_000;
    expect(decideAlert(message, { ...(before && { known: before }), now, reopenWithinMs })).toEqual(decision);
  });
});
