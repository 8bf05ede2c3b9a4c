import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CheckLook } from "../../src/cli/check/look.ts";
import { abilityLine, keepSetupLook } from "../../src/cli/start.ts";
import { createRedactor } from "../../src/text/redact.ts";

afterEach(() => vi.useRealTimers());

const team = {
  place: "policy.approvers.teams.0",
  message: "there is no team acme/oncal that the App can see",
  remedy: "write organization/slug as in the team's address on GitHub",
};
const well: readonly CheckLook[] = ["GitHub", "installed", "approvers", "servers"].map((name) => ({ name, said: "" }));
const without: readonly CheckLook[] = well.map((one) =>
  one.name === "approvers" ? { ...one, problems: [team] } : one,
);

describe("RR-20 what a running bot says of its set-up", () => {
  it("is logged once with its remedy, stands in a line of /readyz, and is looked at again until it is mended", async () => {
    vi.useFakeTimers();
    const told: object[] = [];
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void told.push(JSON.parse(line)) });
    let looks = 0;
    let found = without;
    const kept = keepSetupLook({ config: () => ({}) as never, log, redact: createRedactor() }, async () => {
      looks++;
      return found;
    });
    expect(kept.state()).toEqual({
      checks: {
        app: "not looked at yet",
        installed: "not looked at yet",
        approvers: "not looked at yet",
        servers: "not looked at yet",
      },
      // Nobody knows yet.
      reasons: [expect.objectContaining({ what: "the setup has not been checked yet" })],
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(kept.state()).toMatchObject({
      checks: { app: "as it should be", approvers: team.message },
      reasons: [{ place: team.place, what: team.message, remedy: team.remedy }],
    });
    await vi.advanceTimersByTimeAsync(300_000);
    expect(looks).toBe(2);
    expect(told).toEqual([
      {
        level: 50,
        module: "setup",
        event: "setup_check",
        place: team.place,
        reason: team.message,
        remedy: team.remedy,
      },
      {
        level: 50,
        module: "setup",
        event: "setup_unable",
        problems: 1,
        msg: `Running, but not able to do everything: 1 problem. ${team.place}: ${team.message}`,
      },
    ]);
    found = well;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(told.slice(2)).toEqual([
      {
        level: 30,
        module: "setup",
        event: "setup_able",
        msg: "Ready: the App, its approvers and the servers are as they should be",
      },
    ]);
    expect(kept.state()).toMatchObject({ checks: { approvers: "as it should be" }, reasons: [] });
    await vi.advanceTimersByTimeAsync(3_599_000);
    expect(looks).toBe(3);
    // A change of the config does not wait for the hour.
    kept.again();
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toBe(4);
    kept.stop();
    await vi.advanceTimersByTimeAsync(7_200_000);
    expect(looks).toBe(4);
  });

  it("is not called well where GitHub did not tell, and shows no secret", async () => {
    vi.useFakeTimers();
    const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const refused = { place: "github.app_id", message: `GitHub said ${secret}`, remedy: "compare" };
    const kept = keepSetupLook(
      { config: () => ({}) as never, log: pino({ enabled: false }), redact: createRedactor() },
      async () => [{ name: "GitHub", said: "", problems: [refused, refused] }],
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(kept.state().checks).toMatchObject({
      app: expect.stringMatching(/^GitHub said .*\(and 1 more: see the reasons\)$/),
      installed: "not looked at: see the other lines",
    });
    expect(kept.state().reasons).toHaveLength(2);
    expect(JSON.stringify(kept.state())).not.toContain(secret);
    kept.stop();
  });

  it("stays unable while the look itself fails, and is able once it works", async () => {
    vi.useFakeTimers();
    const events: unknown[] = [];
    const log = pino({ base: null }, { write: (line: string) => void events.push(JSON.parse(line).event) });
    let fails = true;
    const kept = keepSetupLook({ config: () => ({}) as never, log, redact: createRedactor() }, async () => {
      if (fails) throw new Error("no room");
      return well;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(kept.state().reasons).toEqual([expect.objectContaining({ place: "check" })]);
    fails = false;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(kept.state().reasons).toEqual([]);
    expect(events).toEqual(["setup_not_seen", "setup_able"]);
    kept.stop();
  });

  it("names a few of many problems in one line, and says how many more there are", () => {
    const reasons = Array.from({ length: 7 }, (_, index) => ({
      place: `servers.web-${index}`,
      what: "x",
      remedy: "y",
    }));
    expect(abilityLine(reasons)).toBe(
      "Running, but not able to do everything: 7 problems. servers.web-0: x; servers.web-1: x; servers.web-2: x; servers.web-3: x; servers.web-4: x; and 2 more",
    );
  });
});
