import { expect, it } from "vitest";
import { storedEntries } from "../../../src/features/verify/ledger.ts";
import { renderAction } from "../../../src/github/render/card.ts";
import type { AuditRow } from "../../../src/store/audit/chain.ts";
import { ink, action as viewed } from "../../github/render/views.ts";
import { useStore } from "../../store/rows.ts";

const { incident, action } = useStore();
const sha = "ef".repeat(32);
const row = (kind: string, body: object): AuditRow => ({
  seq: 1,
  at: "2026-03-01T14:00:00.000Z",
  kind,
  incidentId: "i",
  body: { number: 1, digest: "d", ...body },
  prev: "",
  hash: "",
});
const approved = (login: string, id: number) =>
  row("command_approved", {
    by: { id, login, role: "write" },
    comment: { id, nodeId: "n", sha256: sha },
    reason: "",
    have: 1,
    need: 1,
  });
const executed = (server: string, ending: object) =>
  row("command_executed", {
    run: server,
    server,
    ending,
    durationMs: 1,
    hostKey: null,
    housekeeping: [],
    bytes: 1,
    outputSha256: sha,
    redactedSha256: sha,
  });
const draw = () => renderAction(viewed(1), ink);

it("DC-6 AR-02 what happened comes from the audit: approvals that stand, and each server's end", async () => {
  const made = await action(await incident());
  const rows = [
    row("command_proposed", { place: "web", risk: "low" }),
    approved("lee", 5),
    row("approval_withdrawn", { commentId: 5, reason: "" }),
    approved("lee", 6),
    approved("mona", 7),
    row("question_answered", { number: 1, digest: undefined }),
    executed("web-2", { kind: "exited", code: 3 }),
    executed("web-1", { kind: "timed-out", afterMs: 1 }),
  ];
  const [entry] = storedEntries(rows, [made], { draw, isPublic: false });
  expect(entry).toMatchObject({
    number: 1,
    digest: "d",
    by: "model",
    approvals: [
      { login: "lee", commentId: 6 },
      { login: "mona", commentId: 7 },
    ],
    runs: [
      { server: "web-1", end: "timed-out", outputSha256: sha },
      { server: "web-2", end: 3, outputSha256: sha },
    ],
  });
  expect(storedEntries(rows, [made], { draw, isPublic: true })[0]?.runs[0]?.outputSha256).toBeNull();
  const reopened = storedEntries([...rows, row("approval_withdrawn", { reason: "" })], [made], {
    draw,
    isPublic: false,
  });
  expect(reopened[0]?.approvals).toEqual([]);
  expect(storedEntries(rows.slice(0, 4), [made], { draw, isPublic: false })[0]).toMatchObject({
    approvals: [],
    runs: [],
  });
  expect(storedEntries([], [made], { draw, isPublic: false })).toEqual([]);
});
