import { beforeEach, describe, expect, it } from "vitest";
import type { Ending } from "../../src/base/run.ts";
import { readGauges } from "../../src/store/gauges.ts";
import { type Incident, reopenIncident, setIncident } from "../../src/store/incidents.ts";
import { openPosts, setComment } from "../../src/store/outbox/posting.ts";
import { wantComments } from "../../src/store/outbox/wanted.ts";
import { addBatch, endRun, startRuns } from "../../src/store/runs.ts";
import { addScheduleRun, keepSchedule, setOpened, setScheduleRun } from "../../src/store/schedules.ts";
import { lee, useStore } from "./rows.ts";

const { store, incident, action, begun } = useStore();
const unknown: Ending = { kind: "unknown", reason: "the connection was lost" };
const well: Ending = { kind: "exited", code: 0 };

/** A command of this incident on web-1 that a person, or a lease, has set going and that has ended so. */
async function ran(on: Incident, ending: Ending, by: "comment" | "lease" = "comment"): Promise<void> {
  const { run } = await begun({ on, by });
  await store().transaction((tx) => endRun(tx, run.id, { ending, durationMs: null, excerpt: "" }));
}
const unknowns = async () => (await readGauges(store().db)).runsUnknown;
const close = (given: Incident) =>
  store().transaction((tx) => setIncident(tx, given.id, { state: "closed", closedAt: new Date() }));

/** Each test begins with nothing open. */
beforeEach(async () => {
  await store().db.updateTable("incident").set({ state: "closed", closedAt: new Date() }).execute();
});

describe("the count of runs whose end nobody knows", () => {
  it("RR-20 stands while the incident is open, whoever set them going, and ends when it is closed", async () => {
    const given = await incident();
    await ran(given, well);
    expect(await unknowns()).toBe(0);
    await ran(given, unknown);
    await ran(given, unknown, "lease");
    expect(await unknowns()).toBe(2);
    await close(given);
    expect(await unknowns()).toBe(0);
    await store().transaction((tx) => reopenIncident(tx, given.id));
    expect(await unknowns()).toBe(2);
  });

  it("RR-20 ends when a person has had something run there since, whose end is known", async () => {
    const [given, other] = [await incident(), await incident()];
    await ran(given, unknown);
    await ran(other, well);
    await ran(given, well, "lease");
    await ran(given, { kind: "unreachable", reason: "no route" });
    expect(await unknowns()).toBe(1);
    await ran(given, unknown);
    expect(await unknowns()).toBe(2);
    await ran(given, { kind: "exited", code: 1 });
    expect(await unknowns()).toBe(0);
  });

  it("RR-20 comes also for a command that outlives its incident, and then for a day", async () => {
    const given = await incident();
    await close(given);
    await ran(given, unknown);
    expect(await unknowns()).toBe(1);
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await store()
      .db.updateTable("incident")
      .set({ closedAt: ago(26) })
      .where("id", "=", given.id)
      .execute();
    expect(await unknowns()).toBe(1);
    const actions = store().db.selectFrom("action").select("id").where("incidentId", "=", given.id);
    await store()
      .db.updateTable("run")
      .set({ endedAt: ago(25) })
      .where("actionId", "in", actions)
      .execute();
    expect(await unknowns()).toBe(0);
  });

  it("RR-20 WF-2 has those of schedules, while the incident that tells of them is open", async () => {
    const schedule = await keepSchedule(store().db, { repo: "acme/web", workflow: "nightly", installationId: 1 });
    const step = { step: 1, title: "Disk", place: "web-1", server: "web-1", command: "df -h", ending: unknown };
    let minute = 0;
    const due = async (opens?: Incident): Promise<void> => {
      minute += 1;
      await store().transaction(async (tx) => {
        const given = { key: schedule.key, dueAt: new Date(minute * 60_000), cron: "* * * * *", why: null };
        const { id = "none" } = (await addScheduleRun(tx, { ...given, state: "running" })) ?? {};
        await setScheduleRun(tx, id, {
          state: "failed",
          endedAt: new Date(),
          steps: [step, { ...step, ending: well }],
        });
        if (opens) await setOpened(tx, { id, key: schedule.key }, opens.id);
      });
    };
    const first = await incident();
    await due(first);
    await due();
    expect(await unknowns()).toBe(2);
    await close(first);
    expect(await unknowns()).toBe(0);
    const second = await incident();
    await due(second);
    expect(await unknowns()).toBe(1);
    await ran(second, well);
    expect(await unknowns()).toBe(0);
  });
});

describe("the count of comments that GitHub refused", () => {
  it("RR-08 has those of open incidents", async () => {
    const given = await incident();
    const thread = { installationId: 1, repo: given.repo, issue: given.number, incidentId: given.id };
    await store().transaction((tx) => wantComments(tx, thread, [{ slot: "board", body: "how it stands" }]));
    const { comments: open } = await openPosts(store().db, thread, 100, true);
    for (const comment of open) await setComment(store().db, comment, { parked: "gone" });
    const parked = async () => (await readGauges(store().db)).outboxParked;
    expect(await parked()).toBe(1);
    await close(given);
    expect(await parked()).toBe(0);
  });
});

describe("the count of open runs", () => {
  it("leaves out those that wait for their turn", async () => {
    const one = await action(await incident());
    const batch = { incidentId: one.incidentId, commentId: null, person: lee, numbers: [one.number], keepGoing: false };
    await store().transaction(async (tx) => startRuns(tx, one, (await addBatch(tx, batch)).id, 0));
    expect((await readGauges(store().db)).runsOpen).toBe(0);
    await store().db.updateTable("run").set({ startedAt: new Date() }).where("actionId", "=", one.id).execute();
    expect((await readGauges(store().db)).runsOpen).toBe(1);
  });
});
