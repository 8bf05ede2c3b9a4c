import { afterEach, describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { callWaiting } from "../../../src/features/oncall/call.ts";
import { alertmanagerBody } from "../../alert/payloads.ts";
import { startAlertStage } from "../../alert/sender.ts";
import { startStage } from "../../harness/stage.ts";
import { useFolder, useStarted, writerIn } from "../../harness/use-started.ts";
import { startSink } from "../../pager/sink.ts";

const oncallFile = "people: [lee, mona]\nfrom: 2026-01-05 09:00\nevery: 36500d\n";
const secret = writerIn(useFolder());
const sink = useStarted(() => startSink());
const stage = useStarted(() =>
  startStage({
    files: { ".github/countersign/oncall.yml": oncallFile },
    config: {
      oncall: { hook: { kind: "webhook", url_file: secret("url", sink.url), secret_file: secret("key", "k") } },
    },
  }),
);
const alerts = useStarted(() => startAlertStage());
afterEach(() => stage.model.verify());

/** Looks so many minutes later; how those were called who were. */
const lookAt =
  (thread: Thread) =>
  async (...minutes: readonly number[]): Promise<readonly string[]> => {
    for (const late of minutes)
      await callWaiting({ ...stage.bot.deps, now: () => new Date(Date.now() + late * 60_000) });
    await stage.quiet();
    const said = (await thread.comments()).map(({ body }) => body);
    return said.filter((body) => body.startsWith("📟")).map((body) => body.split("\n")[0] ?? "");
  };

describe("an incident that waits for people although no command does", () => {
  it("OC-1 OC-2 OC-3 AL-1 whoever is on call is called for one for which nothing could be proposed, then the next, then the hook, each once", async () => {
    const thread = await stage.opened({}, { text: "INCONCLUSIVE: which server is this about?" });
    const look = lookAt(thread);
    const why = "No command could be proposed for it.";
    const first = `📟 @lee **This incident waits for people.** ${why}`;
    const second = `📟 @mona **This incident waits for people.** ${why}`;
    expect(await look(0, 0, 9)).toEqual([first]);
    expect(await look(11, 11, 22, 22, 40)).toEqual([first, second]);
    const issue = await stage.github.as("mona")("GET", `/repos/acme/web/issues/${thread.number}`);
    expect(issue.body).toMatchObject({ assignees: [{ login: "lee" }, { login: "mona" }] });
    expect(sink.received).toHaveLength(1);
    expect(JSON.parse(sink.received[0]?.body ?? "")).toMatchObject({
      kind: "incident_waits",
      issue: thread.number,
      actions: [],
    });
    // Somebody is at it.
    await stage.ask(thread, "lee", "/ask what do you know?", { text: "INCONCLUSIVE: nothing more." });
    expect(await look(60, 90)).toEqual([first, second]);
  });

  it("OC-1 WF-3 for a value that a command needs", async () => {
    const thread = await stage.incident("rm -r <path>");
    expect(await lookAt(thread)(0, 0)).toEqual([
      "📟 @lee **This incident waits for people.** Command 1 needs a value.",
    ]);
  });

  it("OC-1 nobody for one that is closed, held, or whose command has its own calls", async () => {
    stage.model.play({ text: "INCONCLUSIVE: nothing to see." });
    const thread = await stage.open();
    await stage.ask(thread, "mona", "/hold");
    expect(await lookAt(thread)(0, 30)).toEqual([]);
    await stage.ask(thread, "mona", "/close");
    expect(await lookAt(thread)(60)).toEqual([]);
    const other = await stage.incident("uptime");
    expect(await lookAt(other)(0)).toEqual([expect.stringContaining("@lee **A decision is needed.**")]);
  });
});

describe("an alert that fires again after its incident was closed", () => {
  it("AL-2 OC-1 says so with a mention, and the agent looks again as for a new one", async () => {
    const send = (more: object) => alerts.send("production", alertmanagerBody({ group: "Again", ...more }));
    alerts.model.play({ text: "INCONCLUSIVE: looking." });
    await send({});
    const issue = (await alerts.issues()).find(({ title }) => title.includes("Again:"));
    const thread = alerts.thread(issue?.number ?? 0);
    await send({ status: "resolved" });
    await alerts.ask(thread, "lee", "/close it was the log");
    alerts.model.play({ text: "INCONCLUSIVE: looking again." });
    await send({ startsAt: "2026-11-24T03:30:00Z" });
    const said = (await thread.comments()).map(({ body }) => body);
    expect(said.filter((body) => body.includes("**The alert fires again**"))).toEqual([
      expect.stringMatching(/^@acme\/oncall \*\*The alert fires again\*\*, so this issue is open again\./),
    ]);
    expect(said.join()).toContain("Looking again.");
    alerts.model.verify();
  });
});
