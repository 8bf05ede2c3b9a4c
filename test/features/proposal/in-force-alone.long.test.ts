import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { callWaiting } from "../../../src/features/oncall/call.ts";
import { createScheduleWatch } from "../../../src/features/schedule/run.ts";
import { latestRuns, scheduleKey } from "../../../src/store/schedules.ts";
import { repo } from "../../harness/playground.ts";
import { proposing, statesOf, useStage } from "../../harness/stage.ts";

const minuteMs = 60_000;
const clock = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString().slice(11, 16);
const shut = `${clock(120)}-${clock(180)} UTC`;
const on = (server: string, command = "uptime") => ({ command, server });
const workflow = (more: object, ...servers: readonly string[]): string =>
  // JSON is YAML.
  JSON.stringify({
    name: "look",
    description: "Looks",
    steps: servers.map((server) => ({ title: `On ${server}`, ...on(server) })),
    schedule: "0 3 1 1 *",
    ...more,
  });
const files = {
  look: workflow({}, "web-1", "night-1", "db-1", "dba-1"),
  named: workflow({ name: "named", approvers: ["acme/dba"] }, "web-1"),
};
const everywhere = ["web-1", "night-1", "db-1", "dba-1"];
const stage = useStage(() => ({
  people: [{ login: "kim", role: "write" }],
  teams: { dba: ["kim", "mona"] },
  beside: { "night-1": {}, "db-1": {}, "dba-1": {} },
  files: {
    "AGENTS.md": "# Web\n",
    ".github/countersign/rules.md": "Be brief.\n",
    ".github/countersign/oncall.yml": "people: [lee, kim]\nfrom: 2026-01-05 09:00\nevery: 36500d\n",
    ".github/countersign/workflows/look.yml": files.look,
    ".github/countersign/workflows/named.yml": files.named,
  },
  config: {
    policy: {
      approvers: { teams: ["acme/oncall", "acme/dba"] },
      for: [
        { servers: ["night-1"], hours: shut },
        { servers: ["db-1"], low: { approvals: 2 } },
        { servers: ["dba-1"], approvers: { teams: ["acme/dba"] } },
      ],
      lease: { opening: { servers: everywhere } },
    },
    schedules: {
      allowed: Object.entries(files).map(([name, text]) => ({
        ...{ repo, workflow: name, servers: everywhere, sha256: createHash("sha256").update(text).digest("hex") },
      })),
    },
  },
}));
const look = async (at: Date): Promise<void> => {
  await createScheduleWatch({ ...stage.bot.deps, now: () => at })();
  await stage.quiet();
};
beforeAll(() => look(new Date()));

describe("rules for a place, where nobody approves", () => {
  it("AR-03 SR-18 the opening lease runs no read with two approvals wanted; the operator's own word needs no team, and a read no hours", async () => {
    stage.model.play(proposing("LIKELY: looking.", ...everywhere.slice(1).map((server) => on(server))), {
      text: "LIKELY: no more.",
    });
    const thread = await stage.opened({ title: "It is slow" });
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed", 3: "done" });
    const said = (await thread.comments()).map(({ body }) => body).join("\n");
    expect(said).toContain("*left to people:* low risk takes 2 approvals here");
  });

  it("WF-2 SR-18 a schedule leaves out such steps, and all of a workflow that names its approvers", async () => {
    await look(new Date(`${new Date().getUTCFullYear() + 1}-01-01T03:00:05Z`));
    const stepsOf = async (name: string) => {
      const [run] = await latestRuns(stage.bot.deps.store.db, scheduleKey(repo, name), 1);
      return run?.steps.map(({ place, skipped }) => [place, skipped]);
    };
    expect(await stepsOf("look")).toEqual([
      ["web-1", undefined],
      ["night-1", undefined],
      ["db-1", "it is left to people: low risk takes 2 approvals here"],
      ["dba-1", undefined],
    ]);
    expect(await stepsOf("named")).toEqual([
      ["web-1", "it is left to people: its runbook asks for approvers of its own"],
    ]);
  });

  it("OC-1 SR-17 who is on call and may not approve there is passed over, and outside the hours nobody is called", async () => {
    const thread = await stage.opened(
      { title: "It is slow again" },
      proposing("LIKELY: restart.", on("dba-1", "systemctl restart db"), on("night-1", "systemctl restart night")),
    );
    const callAfter = async (minutes: number): Promise<readonly string[]> => {
      await callWaiting({ ...stage.bot.deps, now: () => new Date(Date.now() + minutes * minuteMs) });
      await stage.quiet();
      const said = (await thread.comments()).map(({ body }) => body);
      return said.filter((body) => body.startsWith("📟"));
    };
    const [first = "", ...more] = await callAfter(0);
    expect(first).toMatch(/^📟 @kim \*\*A decision is needed\.\*\* `@lee` is on call and may not approve here\./);
    expect(first).toContain("anyone in `acme/dba`");
    expect(first).not.toContain("night-1");
    expect(more).toEqual([]);
    const [, second = "", ...others] = await callAfter(11);
    expect(second).toMatch(/^📟 @acme\/dba \*\*A decision is needed\.\*\* No answer from `@kim`\./);
    expect(others).toEqual([]);
  });
});
