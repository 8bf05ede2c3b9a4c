import type { Hypothesis } from "../../../src/base/agent.ts";
import { createMarkdown } from "../../../src/features/thread/views.ts";
import type { BoardView } from "../../../src/github/render/board.ts";
import type { ApprovalHint, CardView } from "../../../src/github/render/card.ts";
import type { ActionView, RunView, TargetView } from "../../../src/github/render/state.ts";
import { createRedactor } from "../../../src/text/redact.ts";

export const ink = createMarkdown(createRedactor());

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 14, minute));

export const target = (server: string): TargetView => ({ server, user: "deploy", hardTimeoutMs: 600_000 });

const onWeb1 = { place: "web-1", targets: [target("web-1")] };

/** An action as it stands when it has just been proposed. */
export const action = (number: number, change: Partial<ActionView> = {}): ActionView => ({
  number,
  state: "proposed",
  stateReason: null,
  supersededBy: null,
  title: "Service status",
  description: "is checkout-api up, and its last lines",
  origin: "model",
  authorId: null,
  authorLogin: null,
  card: "card:1",
  expiresAt: new Date(Date.UTC(2026, 0, 1, 15, 10)),
  findings: [{ risk: "low", text: "only reads" }],
  spec: { ...onWeb1, command: "systemctl status checkout-api", risk: "low" },
  verdicts: [],
  runs: [],
  ...change,
});

export const medium = (number: number, change: Partial<ActionView> = {}): ActionView =>
  action(number, {
    title: "Rotate the log now",
    findings: [{ risk: "medium", text: "restarts checkout-api" }],
    spec: { ...onWeb1, command: "systemctl restart checkout-api", risk: "medium" },
    ...change,
  });

export const high = (number: number, change: Partial<ActionView> = {}): ActionView =>
  action(number, {
    title: "Remove the old cache",
    findings: [{ risk: "high", text: "removes /srv/cache with all that is in it" }],
    spec: { ...onWeb1, command: "rm -r /srv/cache", risk: "high" },
    ...change,
  });

export const byLee = [{ login: "lee", verdict: "approve", via: "comment" }] as const;

export const run = (change: Partial<RunView> = {}): RunView => ({
  server: "web-1",
  step: null,
  ending: { kind: "exited", code: 0 },
  outcome: null,
  startedAt: at(2),
  durationMs: 312,
  trouble: null,
  excerpt: "active (running)",
  seenAt: null,
  askedAt: null,
  waitUntil: null,
  cancelledBy: null,
  ...change,
});

export const hint: ApprovalHint = {
  who: "anyone in `acme/oncall`",
  call: "",
  needed: { low: 1, medium: 1, high: 2 },
  restate: true,
  countsAuthor: ({ spec }) => spec.risk !== "high",
  executes: true,
};

export const card = (change: Partial<CardView> = {}): CardView => ({
  phase: "investigate",
  confidence: "LIKELY",
  prose: "The spike began with a deploy, so look at the unit and its log first.",
  offline: false,
  suggestions: [],
  question: "",
  runbooks: [],
  notes: [],
  actions: [],
  ...change,
});

/** Whose incident it is, and how far its agent is. */
export const session = { id: "5e55", userLogin: "mona", steps: 2, stepLimit: 20 };

export const hypothesis = (change: Partial<Hypothesis> = {}): Hypothesis => ({
  ...{ id: "disk", says: "the debug log fills /var", status: "likely", forRuns: [3], againstRuns: [] },
  ...change,
});

export const board = (change: Partial<BoardView> = {}): BoardView => ({
  incident: { state: "open", phase: "investigate", cause: null, openerLogin: "mona", plan: "" },
  session,
  holds: [],
  lease: null,
  changes: null,
  alert: null,
  actions: [],
  hypotheses: [],
  doing: "",
  notes: [],
  checkpoint: { size: 7, head: "ab".repeat(32), note: undefined },
  ...change,
});
