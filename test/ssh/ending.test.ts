import { describe, expect, it } from "vitest";
import { whyUnknown } from "../../src/base/unknown.ts";
import { decideEnding, type EndingFacts } from "../../src/ssh/failure.ts";

const clean = { kind: "stopped", killed: false, survivors: [] } as const;
const cancelled = { kind: "cancelled", by: "mona" } as const;
const lost = whyUnknown("end-not-seen", { how: "web-1 closed the session" });
const silent = { kind: "unverified", why: "no answer", ended: false } as const;

describe("decideEnding", () => {
  it.each<[string, EndingFacts, object]>([
    ["an exit code is that code", { exit: { code: 0 } }, { kind: "exited", code: 0 }],
    ["F-32 a signal is that signal", { exit: { signal: "SIGKILL" } }, { kind: "signalled", signal: "SIGKILL" }],
    [
      "nothing told is unknown, never 0",
      {},
      { kind: "unknown", reason: "the server did not say how the command ended" },
    ],
    ["a lost connection is unknown", { lost }, { kind: "unknown", reason: lost }],
    [
      "a verified cancel says so",
      { stop: { cause: cancelled, report: clean } },
      { ...cancelled, note: "stopped by TERM; no process left" },
    ],
    [
      "F-30 survivors are named and nothing is called verified",
      { stop: { cause: cancelled, report: { ...clean, killed: true, survivors: ["pid 7 (root, sleep)"] } } },
      { ...cancelled, note: "stopped by KILL; still running: pid 7 (root, sleep)" },
    ],
    [
      "a cancel that came after the command's own end does not hide its exit",
      { exit: { code: 2 }, stop: { cause: cancelled, report: { kind: "absent" } } },
      { kind: "exited", code: 2 },
    ],
    [
      "a connection lost while cancelling is unknown",
      { lost, stop: { cause: cancelled, report: silent } },
      { kind: "unknown", reason: `${lost}, while it was being stopped` },
    ],
    [
      "F-29 a time-out whose end was not seen says that",
      { stop: { cause: { kind: "timed-out", afterMs: 5 }, report: silent } },
      { kind: "timed-out", afterMs: 5, note: "signals were sent, and it did not end; not verified: no answer" },
    ],
    [
      "AR-07 a question is told as it was asked",
      { stop: { cause: { kind: "waiting-for-input", asks: "Password:" }, report: clean } },
      { kind: "waiting-for-input", asks: "Password:" },
    ],
  ])("%s", (_title, facts, ending) => {
    expect(decideEnding(facts)).toEqual(ending);
  });
});
