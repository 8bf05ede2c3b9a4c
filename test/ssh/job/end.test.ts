import { describe, expect, it } from "vitest";
import { decideJobEnding, type JobEnd, type JobFacts, parseJobEnd } from "../../../src/ssh/job/end.ts";

const facts = (end: JobEnd | undefined, given: Partial<JobFacts> = {}): JobFacts => ({
  serverName: "web-1",
  hardTimeoutMs: 60_000,
  end,
  atStart: false,
  begun: undefined,
  sentMsAgo: 10_000,
  stop: undefined,
  lost: undefined,
  ...given,
});
const begun = { pid: "12", folder: "/var/tmp/.countersign-1/abc" };
const ended = { kind: "ended", exit: { code: 0 }, byLimit: false, outputLost: false, stillOpen: false } as const;
const cancelled = { cause: { kind: "cancelled", by: "lee" }, report: { kind: "absent" } } as const;
const upFor = (upS: number | undefined): JobEnd => ({ kind: "void", upS });

describe("the end of a job", () => {
  it.each([
    ["ended", "exit.3 120", { ...ended, exit: { code: 3 } }],
    ["ended", "exit.0.open.hard.lost 5", { ...ended, byLimit: true, outputLost: true, stillOpen: true }],
    ["ended", "signal.KILL 0", { ...ended, exit: { signal: "SIGKILL" } }],
    ["ended", "exit.x 0", undefined],
    ["ended", "", undefined],
    ["void", "", { kind: "void", upS: undefined }],
    ["void", "77", { kind: "void", upS: 77 }],
    ["refused", "disk /var/tmp", { kind: "refused", why: "disk /var/tmp" }],
    ["lost", "same", { kind: "lost", restarted: false }],
    ["lost", "restarted", { kind: "lost", restarted: true }],
    ["absent", "", { kind: "absent" }],
    ["beat", "", undefined],
    ["run", "1 0 /tmp", undefined],
  ])("reads %s %j", (word, rest, end) => {
    expect(parseJobEnd({ word, rest })).toEqual(end);
  });

  it.each([
    ["the server proves that it never began", facts(upFor(undefined)), "unreachable"],
    ["and was up all the time since it was sent", facts(upFor(11)), "unreachable"],
    ["but not where it was restarted since", facts(upFor(9)), "unknown"],
    ["nor where a day has gone, after which it forgets", facts(upFor(200_000), { sentMsAgo: 86_400_001 }), "unknown"],
    ["nor where it was seen running", facts(upFor(undefined), { begun }), "unknown"],
    ["refused before it began", facts({ kind: "refused", why: "disk /var/tmp/x" }, { atStart: true }), "unreachable"],
    ["refused to look for it", facts({ kind: "refused", why: "disk /var/tmp/x" }), "unknown"],
    ["its processes gone", facts({ kind: "lost", restarted: false }, { begun }), "unknown"],
    ["its folder gone", facts({ kind: "absent" }, { begun }), "unknown"],
    ["nothing was said", facts(undefined, { lost: "web-1 did not answer" }), "unknown"],
    ["the server's own limit", facts({ ...ended, byLimit: true }, { begun }), "timed-out"],
    ["a cancel before it began", facts(upFor(undefined), { stop: cancelled }), "cancelled"],
    ["a cancel of what had ended by itself", facts(ended, { begun, stop: cancelled }), "exited"],
  ])("SR-54 %s: %#", (_what, given, kind) => {
    expect(decideJobEnding(given).kind).toBe(kind);
  });

  it("unknown says what is known and where to look", () => {
    expect(decideJobEnding(facts({ kind: "lost", restarted: true }, { begun }))).toEqual({
      kind: "unknown",
      reason:
        "the server was restarted while it ran; on web-1 it began as pid 12, and /var/tmp/.countersign-1/abc holds its output (out.*) and, once it has ended, how (end.*)",
    });
  });

  it("a refusal says what is wrong and what to do, without bytes of its own choosing", () => {
    expect(decideJobEnding(facts({ kind: "refused", why: "unsafe /tmp/\u001b[2Jx" }, { atStart: true }))).toEqual({
      kind: "unreachable",
      reason: "web-1 has a folder /tmp/ that is not the account's own; nothing was started",
      remedy: "look who made /tmp/, and remove it",
    });
  });
});
