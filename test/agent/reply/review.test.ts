import { expect, test } from "vitest";
import { type ReviewMeasure, reviewReply, type WeakReply } from "../../../src/agent/reply/reading.ts";

const action = { title: "Look", description: "", server: "web-1", command: "df -h" };
const block = { api: "ssh.execute", ...action } as unknown as WeakReply["actions"][number];

/** What a reply with claims and passed-over trouble is sent back with. */
function sentBack(change: Partial<WeakReply>, called: readonly object[] | undefined, broken?: string): string {
  const reply = {
    prose: "LIKELY: run 9 shows it.",
    actions: [],
    notes: [],
    lost: [],
    warnings: [],
    error: null,
    unmarked: false,
    called: broken !== undefined,
    lostCalls: 0,
    refused: false,
    ...change,
  } as unknown as WeakReply;
  const given = {
    toolbox: { proposed: () => called && { actions: called }, broken: () => broken, steps: () => [] },
    tools: { mayPropose: true },
    servers: ["web-1"],
    trouble: [{ number: 2, what: "exit 1" }],
    findUnfounded: () => [{ from: 8, to: 23, why: "9 has not run" }],
    judge: () => ({ faults: [], now: [], known: [] }),
  } as unknown as ReviewMeasure;
  return reviewReply(reply, given, new Set())?.message ?? "";
}

test.each([
  ["no proposal", {}, undefined, /\n\nWrite all your words again\.$/],
  ["a block", { actions: [block] }, undefined, /\n\nSend the whole reply again, your proposals included\.$/],
  ["a call", {}, [action], /\n\nWrite all your words again; what you proposed by a tool stands, so call it again/],
  ["a call that took all back", {}, [], /\n\nWrite all your words again\.$/],
  ["a lost call beside one that stands", { lostCalls: 1 }, [action], /\n\nWrite all your words again\.$/],
  ["a broken block", { unmarked: true }, undefined, /\n\nWrite all your words again\.$/],
] as const)(
  "AR-15 PA-4 a reply with %s is told once how to come again, and nothing that contradicts it",
  (_what, change, called, ending) => {
    const message = sentBack(change as Partial<WeakReply>, called);
    expect(message).toMatch(ending);
    expect(message).toContain("You passed over trouble in the output of 2");
    expect(message).toContain("9 has not run");
    const ways = [/your proposals included/, /call it again only to change it/, /make it again/i].filter((one) =>
      one.test(message),
    );
    expect(ways.length).toBeLessThan(2);
  },
);
