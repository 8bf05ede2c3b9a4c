import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CheckLook } from "../../src/cli/check/look.ts";
import { keepSetupLook } from "../../src/cli/setup-look.ts";
import { createRedactor } from "../../src/text/redact.ts";

afterEach(() => vi.useRealTimers());

const team = {
  place: "policy.approvers.teams.0",
  message: "there is no team acme/oncal that the App can see",
  remedy: "write organisation/slug as in the team's address on GitHub",
};
const well: readonly CheckLook[] = ["GitHub", "installed", "approvers", "host keys"].map((name) => ({
  name,
  said: "",
}));
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
    expect(kept.words()).toEqual({
      app: "not looked at yet",
      installed: "not looked at yet",
      approvers: "not looked at yet",
      host_keys: "not looked at yet",
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(kept.words()).toMatchObject({ app: "as it should be", approvers: team.message });
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
    ]);
    found = well;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(told.slice(1)).toEqual([{ level: 30, module: "setup", event: "setup_mended" }]);
    expect(kept.words().approvers).toBe("as it should be");
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
    expect(kept.words()).toMatchObject({
      app: expect.stringMatching(/^GitHub said .*\(and 1 more: see setup_check in the log\)$/),
      installed: "not looked at: see the other lines",
    });
    expect(JSON.stringify(kept.words())).not.toContain(secret);
    kept.stop();
  });
});
