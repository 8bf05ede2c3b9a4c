import { sql } from "kysely";
import { expect, it } from "vitest";
import { rankOf, readersShare, type Urgency } from "../../../src/store/outbox/urgency.ts";
import { takeWrite } from "../../../src/store/outbox/write-budget.ts";
import { useStore } from "../rows.ts";

const { store } = useStore();
let installationId = 0;

interface PlayedWrite {
  /** In seconds from the beginning. */
  readonly at: number;
  readonly issue: number;
  readonly urgency: Urgency;
  readonly share: string | null;
}

const write = (at: number, issue: number, urgency: Urgency, share: string | null = null): PlayedWrite => ({
  at,
  issue,
  urgency,
  share,
});

const opening = (at: number, issue: number): readonly PlayedWrite[] => [
  ...["decision", "decision", "board", "board", "board", "reaction"].map((urgency) =>
    write(at, issue, urgency as Urgency),
  ),
];

/** What an incident with one /run and one /approve has the bot write, by what was counted at the emulated GitHub. */
const approval = (at: number, issue: number): readonly PlayedWrite[] => [
  ...opening(at, issue),
  write(at + 1, issue, "result", "person:1"),
  ...(["board", "reaction", "reaction"] as const).map((urgency) => write(at + 1, issue, urgency)),
  ...(["live", "live", "board", "reaction"] as const).map((urgency) => write(at + 2, issue, urgency)),
  ...(["result", "live", "board", "decision", "board", "reaction"] as const).map((urgency) =>
    write(at + 3, issue, urgency),
  ),
];

const spread = (count: number, from: number, seconds: number) =>
  Array.from({ length: count }, (_, n) => Math.floor(from + (n * seconds) / count));
const approvals = (count: number) => spread(count, 0, 600).flatMap((at, n) => approval(at, n + 1));
const storm = spread(65, 300, 60).flatMap((at, n) => opening(at, 100 + n));
const reader = spread(300, 0, 600).flatMap((at) => [
  write(at, 999, "reader", readersShare),
  write(at, 999, "reaction", readersShare),
]);

/** Plays ten minutes second by second; how many seconds each result waited, and how many writes each class got through. */
async function play(writes: readonly PlayedWrite[]) {
  installationId += 1;
  const waited: number[] = [];
  const perSecond: number[] = [];
  let open: readonly PlayedWrite[] = [];
  for (let second = 0; second <= 660; second++) {
    for (const [table, column] of [
      ["write_budget", "refilled_at"],
      ["write_share", "refilled_at"],
      ["write_wait", "until"],
      ["write_wait", "since"],
    ])
      await sql`update ${sql.raw(`${table} set ${column} = ${column} - interval '1 second'`)}
        where installation_id = ${installationId}`.execute(store().db);
    // The highest class comes last, so that only what was left to it helps it.
    open = [...open, ...writes.filter(({ at }) => at === second)];
    const stuck = new Set<string>();
    const left: PlayedWrite[] = [];
    let gone = 0;
    for (const one of open.toSorted((a, b) => rankOf(b.urgency) - rankOf(a.urgency))) {
      const kind = `${one.urgency} ${one.share}`;
      const taken = stuck.has(kind)
        ? undefined
        : await takeWrite(store().db, { ...one, installationId, repo: "acme/web", perMinute: 80 });
      if (taken?.kind === "go") {
        gone += 1;
        if (one.urgency === "result") waited.push(second - one.at);
      } else {
        stuck.add(kind);
        left.push(one);
      }
    }
    perSecond.push(gone);
    open = left;
  }
  return { waited, perSecond, left: open.filter(({ urgency }) => urgency === "result").length };
}

it.each([
  ["3 approvals", 3, approvals(3)],
  ["10 approvals", 10, approvals(10)],
  ["24 approvals", 24, approvals(24)],
  ["10 approvals in a storm of 65 alerts", 10, [...approvals(10), ...storm]],
  ["10 approvals beside 300 slash commands of a reader", 10, [...approvals(10), ...reader]],
  ["24 approvals, the storm and the reader", 24, [...approvals(24), ...storm, ...reader]],
] as const)(
  "RR-08 at the default limits no result waits for them: %s in ten minutes",
  { timeout: 300_000 },
  async (_what, count, writes) => {
    const { waited, perSecond, left } = await play(writes);
    // The card of /run, and the result of /approve.
    expect({ told: waited.length, left }).toEqual({ told: 2 * count, left: 0 });
    expect(waited.toSorted((a, b) => a - b).at(Math.ceil(2 * count * 0.95) - 1)).toBeLessThanOrEqual(2);
    const inAnyMinute = perSecond.map((_, at) => perSecond.slice(at, at + 60).reduce((sum, one) => sum + one, 0));
    expect(Math.max(...inAnyMinute)).toBeLessThanOrEqual(80);
  },
);
