import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../src/config/load.ts";
import type { Deps } from "../../../src/features/context.ts";
import { callWaiting } from "../../../src/features/oncall/call.ts";
import { createMarkdown } from "../../../src/features/thread/views.ts";
import { readOccurrences } from "../../../src/pager/calendar.ts";
import { moveAction } from "../../../src/store/actions.ts";
import { escalationsOf } from "../../../src/store/outbox/escalations.ts";
import { createRedactor } from "../../../src/text/redact.ts";
import { fc, seed } from "../../harness/chance.ts";
import { startSink } from "../../pager/sink.ts";
import { draft, useStore } from "../../store/rows.ts";

const people = ["lee", "mona", "kim"];
const mayNot = "eve";
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const zone = "Europe/Berlin";

/** The same rotation twice: as the repository's file, and as a calendar with an override and an exception a year. */
const file = `time_zone: ${zone}\npeople: [${people.join(", ")}]\nfrom: 2026-01-05 09:00\nevery: 7d\n`;
const calendar = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  ...people.flatMap((login, index) => {
    const day = `202601${String(5 + 7 * index).padStart(2, "0")}`;
    const end = `202601${String(12 + 7 * index).padStart(2, "0")}`;
    return [
      "BEGIN:VEVENT",
      `UID:${login}`,
      `DTSTART;TZID=${zone}:${day}T090000`,
      `DTEND;TZID=${zone}:${end}T090000`,
      "RRULE:FREQ=WEEKLY;INTERVAL=3",
      `SUMMARY:On call: @${login}`,
      "END:VEVENT",
    ];
  }),
  "END:VCALENDAR",
].join("\r\n");

/** Whose week it is on the wall in Berlin, reckoned by dates alone. */
function expected(at: Date): string {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(at);
  const hour = Number(new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit" }).format(at));
  const days = (Date.parse(`${parts}T00:00:00Z`) - Date.parse("2026-01-05T00:00:00Z")) / dayMs - (hour < 9 ? 1 : 0);
  return people[Math.floor(days / 7) % people.length] ?? "";
}

describe("200 weeks on call, with faults", () => {
  const rows = useStore();

  it("OC-4 everybody is called at most once for a command, and nothing waits without somebody being called", async () => {
    const sink = await startSink();
    const random = fc.sample(fc.noBias(fc.integer({ min: 0, max: 999_999 })), { numRuns: 60_000, seed });
    const next = (): number => {
      const drawn = random.pop();
      if (drawn === undefined) throw new Error("more chances were drawn than there are");
      return drawn / 1_000_000;
    };
    const chance = (share: number): boolean => next() < share;
    const pick = (most: number): number => Math.floor(next() * most);
    const config = parseConfig(
      `github: { repositories: [{ name: acme/web, servers: [] }] }
policy: { approvers: { teams: [acme/oncall] } }`,
      "/nowhere/countersign.yml",
      {},
    );
    const operator = config.ok ? config.config : config.rest?.config;
    if (!operator) throw new Error("the config of this test cannot be read");
    const ids = new Map([...people, mayNot].map((login, index) => [login, 100 + index]));
    let now = new Date();
    let isAway = false;
    let isUnreadable = false;
    let isFile = true;
    let isGap = false;
    let occurrences: ReturnType<typeof readOccurrences>["occurrences"] = [];
    const assigned: string[] = [];
    const markdown = createMarkdown(createRedactor({ secrets: [] }));
    const store = rows.store();
    const killable: Deps["store"] = {
      ...store,
      // Nobody posts here: the outbox is read instead.
      queue: { ...store.queue, enqueue: async () => undefined },
      transaction: async (work) => {
        if (isAway && chance(0.3)) throw new Error("killed before it committed");
        const done = await store.transaction(work);
        if (isAway && chance(0.3)) throw new Error("killed after it committed");
        return done;
      },
    };
    const github = async <T>(answer: T): Promise<T> => {
      if (isAway && chance(0.3)) throw new Error("GitHub is away");
      return answer;
    };
    const deps = {
      config: {
        ...operator,
        oncall: { calendar: undefined, hook: { kind: "webhook", url: sink.url, secret: "key" } },
      } satisfies Deps["config"],
      store: killable,
      log: pino({ level: "silent" }),
      markdown,
      now: () => now,
      context: {
        fetch: async () => ({
          ...{ commit: null, instructions: [], scoped: [], rules: undefined, config: undefined, skills: [] },
          ...{ workflows: [], notes: [] },
          ...(isFile
            ? { oncall: { path: "oncall.yml", text: isUnreadable ? "people: {" : withOverride(), source: "" } }
            : {}),
        }),
      } as unknown as Deps["context"],
      calendar: async (at: Date) =>
        isUnreadable
          ? { kind: "unreadable", why: "HTTP 503" }
          : { kind: "read", readAt: at, leftOut: [], occurrences: isGap ? [] : occurrences },
      issues: {
        accountOf: (_: unknown, login: string) => github({ id: ids.get(login) ?? 0, login, type: "User" }),
        assign: async (_: unknown, login: string) => {
          assigned.push(login);
          return github(true);
        },
      } as unknown as Deps["issues"],
      facts: (asked: Parameters<Deps["facts"]>[0]) =>
        github({
          people: new Map(
            asked.people.map(({ id, login }) => [
              id,
              login === mayNot ? { role: "read", teams: [] } : { role: "write", teams: ["acme/oncall"] },
            ]),
          ),
        }),
    } as unknown as Deps;
    let override: string | undefined;
    const wallNow = (minutes: number): string =>
      new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(
        now.getTime() + minutes * minuteMs,
      );
    let overridden = "";
    const withOverride = (): string => `${file}${overridden}`;

    const figures = { calls: 0, hooks: 0, teams: 0, unreadable: 0, faults: 0 };
    const start = Date.parse("2026-02-02T00:00:00Z");
    for (let week = 0; week < 200; week++) {
      now = new Date(start + week * 7 * dayMs + pick(7 * 24 * 60) * minuteMs);
      const span = { fromMs: now.getTime() - dayMs, untilMs: now.getTime() + 35 * dayMs };
      ({ occurrences } = readOccurrences({ text: calendar, timeZone: "UTC", ...span }));
      isFile = chance(0.5);
      isUnreadable = chance(0.15);
      isGap = !isUnreadable && !isFile && chance(0.1);
      override = isFile && !isUnreadable && chance(0.3) ? (chance(0.3) ? mayNot : "kim") : undefined;
      overridden = override
        ? `overrides: [{ who: ${override}, from: "${wallNow(-60)}", until: "${wallNow(300)}" }]\n`
        : "";
      const incident = await rows.incident();
      const risk = (["low", "medium", "high"] as const)[pick(3)] ?? "low";
      const expiresAt = new Date(now.getTime() + 240 * minuteMs).toISOString();
      const action = await rows.action(incident, { spec: { ...draft.spec, risk, expiresAt } });
      const before = sink.received.length;
      const begun = now.getTime();
      const isUsable = !isUnreadable && !isGap;
      for (let minutes = 0; minutes <= 150; minutes += 5 + pick(25)) {
        now = new Date(begun + minutes * minuteMs);
        isAway = chance(0.25);
        if (isAway) figures.faults++;
        sink.answer(chance(0.1) ? 500 : 200);
        // Often two processes at once.
        await Promise.allSettled([callWaiting(deps), ...(chance(0.5) ? [callWaiting(deps)] : [])]);
        const called = await escalationsOf(store.db, [incident.id]);
        if (!isAway) expect(called.length, `week ${week}, after ${minutes} min`).toBeGreaterThan(0);
      }
      isAway = false;
      now = new Date(begun + 200 * minuteMs);
      for (let looks = 0; looks < 4; looks++) await callWaiting(deps);
      const called = await escalationsOf(store.db, [incident.id]);
      const persons = called.filter(({ kind }) => kind === "person").map(({ who }) => who);
      // At most once for each, in order, no sooner than the policy says, and to the end of the chain.
      expect(new Set(persons).size).toBe(persons.length);
      expect(called.map(({ step }) => step)).toEqual(called.map((_, index) => index + 1));
      const [hook] = called.filter(({ kind }) => kind === "hook");
      const teams = called.filter(({ kind }) => kind === "team");
      // To the end: the hook, and everybody where that may have reached nobody.
      expect(
        called.slice(persons.length).map(({ kind }) => kind),
        JSON.stringify([week, risk, begun, called]),
      ).toEqual(hook?.state === "done" ? ["hook"] : ["hook", "team"]);
      expect(persons).not.toContain(mayNot);
      for (const [index, { at }] of called.entries()) {
        const last = called[index - 1];
        const afterMs = { low: 30, medium: 10, high: 5 }[risk] * minuteMs;
        if (last?.kind === "person") expect(at.getTime() - last.at.getTime()).toBeGreaterThanOrEqual(afterMs);
      }
      if (isUsable) {
        const first = override === "kim" ? "kim" : expected(called[0]?.at ?? now);
        expect(persons[0], `week ${week}`).toBe(first);
        expect(persons).toHaveLength(2);
      } else expect(persons).toEqual([]);
      const comments = await store.db
        .selectFrom("comment")
        .select("slot")
        .where("incidentId", "=", incident.id)
        .execute();
      expect(comments.filter(({ slot }) => slot.startsWith("call:"))).toHaveLength(persons.length + teams.length);
      const arrived = sink.received.slice(before).filter(({ body }) => body.includes(`"issue":${incident.number},`));
      // Three tries at most where it surely did not arrive; never again where it may have.
      expect(arrived.length).toBeLessThanOrEqual(3);
      expect(hook?.state).toMatch(/^(done|failed|unsure)$/);
      expect(hook?.attempts).toBeGreaterThanOrEqual(arrived.length);
      figures.calls += persons.length;
      figures.hooks += arrived.length;
      figures.teams += teams.length;
      figures.unreadable += Number(isUnreadable);
      await store.transaction((tx) => moveAction(tx, action, { from: "proposed", to: "expired" }));
    }
    await sink.close();
    console.info("200 weeks:", JSON.stringify({ ...figures, assigned: assigned.length }));
    expect(figures.calls).toBeGreaterThan(250);
    expect(figures.unreadable).toBeGreaterThan(10);
  });
});
