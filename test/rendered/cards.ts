import type { Ending } from "../../src/base/run.ts";
import { alertBody } from "../../src/features/alert/take-alert.ts";
import { renderAlertState, renderResolved } from "../../src/github/render/alert.ts";
import { renderBatch } from "../../src/github/render/batch.ts";
import { renderBoard } from "../../src/github/render/board.ts";
import { renderCard, renderOwnCard, renderReminder } from "../../src/github/render/card.ts";
import { renderRecord } from "../../src/github/render/record.ts";
import type { ActionView, RunView } from "../../src/github/render/state.ts";
import {
  action,
  board,
  byLee,
  card,
  high,
  hint,
  hypothesis,
  ink,
  medium,
  run,
  session,
  target,
} from "../github/render/views.ts";
import type { Example, Part } from "./page.ts";

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 14, minute));
const calling = { ...hint, call: "@acme/oncall" };
const ofCard = (title: string, change: Parameters<typeof card>[0]): Example => ({
  title,
  body: renderCard(card(change), calling, ink),
});
const own = (title: string, ...actions: readonly ActionView[]): Example => ({
  title,
  body: renderOwnCard(actions, hint, ink),
});
const group = { place: "web", targets: ["web-1", "web-2"].map(target) };
const spec = action(1).spec;

const cards: Part = {
  title: "The card: what is proposed",
  examples: [
    ofCard("What the model proposes", {
      actions: [
        action(1, { spec: { ...spec, expect: { exit: 0, contains: "active", withinMs: 30_000 } } }),
        medium(2, { title: "Restart the service", description: "it holds the deleted log open" }),
        high(3, { description: "frees the disk" }),
      ],
      suggestions: ["What was deployed at 14:00?", "Who else is affected?"],
      runbooks: [
        {
          label: "disk-full",
          url: "https://github.com/acme/web/blob/main/disk-full.md",
          record: "worked 3 of 4, last 2 days ago",
        },
      ],
    }),
    ofCard("Without a model", {
      offline: true,
      confidence: null,
      prose: "Look first; these only read.",
      notes: ["No model: steps from the matching runbook."],
      actions: [action(1, { origin: "offline", description: "" })],
      suggestions: ["Look again"],
    }),
    ofCard("What waits on other cards", {
      actions: [],
      elsewhere: [{ ...medium(2), url: "https://github.com/acme/web/issues/1#issuecomment-1" }],
    }),
    ofCard("Like an incident of before", {
      prose: "LIKELY: a log fills the disk; look at what grew.",
      similar: {
        number: 1,
        url: "https://github.com/acme/web/issues/1",
        closed: "yesterday",
        cause: "debug log level left on",
        byAgent: false,
        helped: ["logrotate -f /etc/logrotate.d/checkout-api", "systemctl restart checkout-api"],
      },
    }),
    ofCard("With a question", { question: "I need an answer to go on.", actions: [] }),
    ofCard("With a note", { notes: ["The file `rules.md` is too large: only its first part was read."], actions: [] }),
    own(
      "A person's own command",
      action(4, { origin: "person", authorLogin: "sam", title: "sam's command", description: "" }),
    ),
    own(
      "A step of a workflow",
      action(5, {
        title: "Drain web-1",
        spec: { ...spec, check: "systemctl is-active nginx", undo: "systemctl start nginx" },
      }),
    ),
    own(
      "Blocked",
      action(6, {
        state: "blocked",
        spec: { ...spec, command: "mkfs.ext4 /dev/sda1", risk: "block" },
        findings: [{ risk: "block", text: "writes a new file system over /dev/sda1" }],
      }),
    ),
    own("High risk", high(7)),
    own("A group of servers", action(8, { spec: { ...spec, ...group } })),
    own(
      "Filled with what is known of the incident",
      action(15, {
        spec: {
          ...spec,
          command: "kubectl -n shop logs cart-7f9",
          filled: [
            { source: "alert", name: "namespace", value: "shop" },
            { source: "form", name: "pod", value: "cart-7f9" },
          ],
        },
      }),
    ),
    own(
      "Waiting for values",
      action(16, {
        state: "incomplete",
        spec: {
          ...spec,
          command: "kubectl -n shop logs <pod>",
          open: [{ name: "pod", kind: "a name of letters, digits, dots, dashes and underscores" }],
        },
      }),
    ),
    own("Tidied", action(9, { spec: { ...spec, tidied: ["spaces around it removed"] } })),
    own("Quoted, so that no other bot obeys it", action(10, { spec: { ...spec, command: "cat <<'X'\n/merge\nX" } })),
    own(
      "Decided",
      action(11, { state: "rejected", verdicts: [{ login: "lee", verdict: "reject", via: "comment" }] }),
      action(12, { state: "superseded", supersededBy: 13 }),
      action(13, { state: "expired" }),
      action(14, { state: "void", stateReason: "its card was edited by sam" }),
    ),
    {
      title: "This bot only proposes",
      body: renderOwnCard([action(1)], { ...hint, executes: false }, ink),
    },
    { title: "Nobody may approve", body: renderOwnCard([action(1)], { ...hint, who: undefined }, ink) },
    { title: "On hold", body: renderOwnCard([action(1)], { ...hint, lifts: ["/resume"] }, ink) },
    { title: "Ten minutes before it expires", body: renderReminder([medium(2), high(3)], at(30), calling, ink) },
  ],
};

const ran = (number: number, ...runs: readonly RunView[]): ActionView =>
  action(number, { state: "done", verdicts: byLee, runs });
const onBoard = (title: string, change: Parameters<typeof board>[0]): Example => ({
  title,
  body: renderBoard(board(change), ink),
});

const boards: Part = {
  title: "The board: where it stands",
  examples: [
    onBoard("Open", {
      actions: [ran(1, run()), medium(2), high(3, { verdicts: byLee })],
      doing: "reading the incident",
    }),
    onBoard("Held", {
      holds: [
        { login: "lee", heldAt: at(5), whole: false },
        { login: "mona", heldAt: at(6), whole: true },
      ],
    }),
    onBoard("Ended rows are folded", {
      actions: [
        ran(1, run()),
        ran(2, run({ trouble: "ERROR: permission denied" })),
        ran(3, run()),
        action(4, { state: "expired" }),
        medium(5),
      ],
    }),
    onBoard("What the agent takes for the cause", {
      actions: [ran(1, run()), medium(2)],
      hypotheses: [
        hypothesis({
          id: "deploy",
          status: "refuted",
          says: "not the deploy: 5xx began 12 min before it",
          forRuns: [],
          againstRuns: [5],
        }),
        hypothesis({ id: "other", status: "open", says: "a backup that never ended", forRuns: [] }),
        hypothesis({ status: "confirmed", forRuns: [1, 3], againstRuns: [5] }),
      ],
    }),
    onBoard("A lease, handed over", {
      lease: { via: "lease", login: "mona", servers: ["web-1"], endsAt: at(15), used: 1, maxCommands: 20 },
      session: { ...session, userLogin: "lee" },
      actions: [
        action(1, {
          state: "done",
          verdicts: [{ login: "mona", verdict: "approve", via: "lease" }],
          runs: [run()],
        }),
        medium(2),
      ],
    }),
    onBoard("Notes, and no steps left", {
      session: { ...session, steps: 20 },
      notes: ["The repository's rules cannot be read."],
    }),
    onBoard("Closed", {
      incident: {
        state: "closed",
        phase: "investigate",
        cause: "a debug log filled /var",
        openerLogin: "mona",
        plan: "",
      },
      actions: [ran(1, run())],
    }),
  ],
};

const going = { ending: null, durationMs: null, seenAt: at(4), excerpt: "begun\n" } as const;
const running = (number: number, ...runs: readonly RunView[]): ActionView =>
  medium(number, { state: "running", verdicts: byLee, runs });
const ofRun = (title: string, ...actions: readonly ActionView[]): Example => ({
  title,
  body: renderBatch({ login: "lee", note: null, waitsFor: null, actions }, ink),
});
const ended = (title: string, ending: Ending, change: Partial<RunView> = {}): Example =>
  ofRun(title, ran(1, run({ ending, ...change })));

const runs: Part = {
  title: "The run card: what runs and how it ended",
  examples: [
    ofRun("Running, and what comes next", running(1, run(going)), action(2, { state: "approved", verdicts: byLee })),
    ofRun("It takes long", running(1, run({ ...going, askedAt: at(4) }))),
    ofRun("Told to go on", running(1, run({ ...going, askedAt: at(3), waitUntil: at(14) }))),
    ofRun("Being stopped", running(1, run({ ...going, cancelledBy: "sam" }))),
    ended("Went well", { kind: "exited", code: 0 }),
    ended(
      "Went well, with a long output",
      { kind: "exited", code: 0 },
      { excerpt: Array(16).fill("a line").join("\n") },
    ),
    ended(
      "Exit 0, but",
      { kind: "exited", code: 0 },
      { trouble: "ERROR: permission denied", excerpt: "ERROR: permission denied" },
    ),
    ended(
      "Exit 0, not as expected",
      { kind: "exited", code: 0 },
      { outcome: { kind: "surprise", why: '"active" is not in its output' } },
    ),
    ended("Failed", { kind: "exited", code: 3 }, { excerpt: "inactive (dead)" }),
    ended("Ended by a signal", { kind: "signalled", signal: "SEGV" }, { excerpt: null }),
    ended("Timed out", { kind: "timed-out", afterMs: 600_000, note: "stopped by TERM; no process left" }),
    ended("Cancelled", { kind: "cancelled", by: "sam", note: "stopped by TERM; no process left" }),
    ended("It waits for input", { kind: "waiting-for-input", asks: "Are you sure? [y/N]" }, { excerpt: null }),
    ended(
      "Not started",
      { kind: "unreachable", reason: "web-1 did not answer in 10 s.", remedy: "Is it up?" },
      { excerpt: null },
    ),
    ended("Unknown", { kind: "unknown", reason: "The connection was lost." }),
    ofRun("Several servers", {
      ...ran(1, run({ ending: { kind: "exited", code: 1 }, excerpt: "inactive" }), run({ server: "web-2" })),
      spec: { ...spec, ...group },
    }),
    {
      title: "Stopped at the first failure",
      body: renderBatch(
        {
          login: "lee",
          note: "Stopped at the first failure (`--keep-going` goes on).",
          waitsFor: null,
          actions: [ran(1, run({ ending: { kind: "exited", code: 1 }, excerpt: "no such file" })), action(2)],
        },
        ink,
      ),
    },
    ended("Withheld output", { kind: "exited", code: 0 }, { excerpt: "withheld: it may hold a secret" }),
    ofRun(
      "By a lease",
      action(1, { state: "done", verdicts: [{ login: "mona", verdict: "approve", via: "lease" }], runs: [run()] }),
    ),
  ],
};

const step = { step: 1, place: "web-1", server: "web-1", title: "Disk", command: "df -h" } as const;
const schedule: Part = {
  title: "The record of a schedule",
  examples: [
    {
      title: "Suspended after failures",
      body: renderRecord(
        {
          failures: 2,
          suspended: "its file was changed while it ran",
          runs: [
            {
              dueAt: at(10),
              state: "failed",
              why: null,
              steps: [{ ...step, ending: { kind: "exited", code: 1 }, durationMs: 300, excerpt: "no space left" }],
            },
            {
              dueAt: at(0),
              state: "missed",
              why: "one run was missed while the bot was down, and will not be made up",
              steps: [],
            },
          ],
        },
        ink,
      ),
    },
  ],
};

const alertAt = { startedAt: at(1), firedAt: at(2), fires: 2, severity: "critical", source: "alertmanager" } as const;
const untold = { answers: [], pager: undefined };
const paged = {
  id: "1",
  alertId: "1",
  incidentId: "1",
  round: 0,
  event: "acknowledge",
  pager: "PagerDuty",
  login: "lee",
  at: at(3),
  attempts: 1,
  dueAt: at(3),
  toldAt: null,
  fault: null,
} as const;
const pagerStates = [
  { title: "if its source has an `answer`" },
  { title: "while its pager is told", state: "open", fault: "HTTP 503" },
  { title: "once it is told", state: "done", toldAt: at(4) },
  { title: "if it refuses", state: "failed", fault: "HTTP 400, it refuses the routing key" },
  { title: "if its answer is lost", state: "unsure", fault: "no answer within 10 s" },
  { title: "if `/close` resolves there", event: "resolve", state: "done", toldAt: at(4) },
] as const;
const alerts: Part = {
  title: "Alerts: the issue that one opens",
  examples: [
    {
      title: "The issue",
      body: alertBody(
        {
          key: "k",
          pagerKey: null,
          digest: "d",
          state: "firing",
          title: "SpoolAlmostFull",
          severity: "critical",
          startedAt: at(1).toISOString(),
          at: null,
          messageId: null,
          labels: { alertname: "SpoolAlmostFull", instance: "web-1", severity: "critical" },
          annotations: { summary: "The spool of web-1 is 97 % full." },
          links: [{ words: "source", url: "https://prometheus.example/graph" }],
          alerts: [],
          firing: 1,
          total: 1,
          rest: {},
        },
        { source: "alertmanager", previous: 12 },
        ink,
      ),
    },
    {
      title: "On the board, while it fires",
      body: renderAlertState({ ...alertAt, ...untold, state: "firing", resolves: 0, resolvedAt: null }, ink),
    },
    {
      title: "On the board, resolved",
      body: renderAlertState({ ...alertAt, ...untold, state: "resolved", resolves: 1, resolvedAt: at(9) }, ink),
    },
    ...pagerStates.map(({ title, ...answer }) => ({
      title: `Below it, ${title}`,
      body: renderAlertState(
        {
          ...alertAt,
          state: "firing",
          resolves: 0,
          resolvedAt: null,
          pager: "PagerDuty",
          answers: "state" in answer ? [{ ...paged, ...answer }] : [],
        },
        ink,
      ),
    })),
    {
      title: "It is resolved",
      body: renderResolved({ source: "alertmanager", at: at(9), since: at(9), times: 1, issue: "open" }, ink),
    },
  ],
};

export const rendered: readonly Part[] = [cards, boards, runs, schedule, alerts];
