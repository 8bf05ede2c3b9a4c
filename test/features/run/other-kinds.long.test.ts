import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createThread, type Thread } from "../../../demo/thread.ts";
import { createScheduleWatch } from "../../../src/features/schedule/run.ts";
import { latestRuns, scheduleKey, scheduleOf } from "../../../src/store/schedules.ts";
import type { ServerEntry } from "../../harness/playground.ts";
import { repo } from "../../harness/playground.ts";
import { cardOf, statesOf, useStage } from "../../harness/stage.ts";
import { type ApiServer, startApiServer } from "../../kubernetes/api-server.ts";
import { hasKubectl } from "../../kubernetes/world.ts";

const done = { text: "CONFIRMED by 1: nothing more to do." };
const folder = mkdtempSync(join(tmpdir(), "countersign-kinds-"));
const log = join(folder, "app.log");
let api: ApiServer;
beforeAll(async () => {
  writeFileSync(log, "web-2 CrashLoopBackOff\n");
  if (hasKubectl) api = await startApiServer();
});
afterAll(async () => {
  await api?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A comment of the thread, within ten seconds; else the error has all of them. */
async function seen(thread: Thread, fits: (body: string) => boolean, what: string) {
  return thread.waitFor(fits, what).catch(async () => {
    throw new Error(`${what}: ${(await thread.comments()).map(({ body }) => body).join("\n---\n")}`);
  });
}

interface Kind {
  readonly kind: string;
  readonly entry: () => ServerEntry;
  /** What shows `CrashLoopBackOff` and ends, and what shows it and goes on. */
  readonly read: string;
  readonly endless: string;
  /** What the card says beside a server's name. */
  readonly place: string;
  readonly summary: string;
}

const identity = "system:serviceaccount:ops:countersign";
const kinds: readonly Kind[] = [
  {
    kind: "kubernetes",
    entry: () => ({
      kind: "kubernetes",
      kubeconfig_file: api.kubeconfig(),
      context: "prod",
      namespaces: ["shop"],
      identity,
    }),
    read: "kubectl get pods",
    endless: "kubectl get pods --watch",
    place: ` · namespace \`shop\` · as \`${identity}\``,
    summary: "Kubernetes, namespaces shop",
  },
  {
    kind: "local",
    entry: () => ({ kind: "local", allow: true, jobs_folder: join(folder, "jobs") }),
    read: `cat ${log}`,
    endless: `tail -f ${log}`,
    place: "",
    summary: "The machine of the runner itself",
  },
];

const workflow = ({ read }: Kind): string =>
  JSON.stringify({
    name: "look",
    description: "Looks",
    instructions: "Look only.",
    steps: [{ server: "both", title: "Look", command: read, expect: "Crash*" }],
    schedule: "0 3 1 1 *",
  });

describe.each(kinds.filter(({ kind }) => hasKubectl || kind === "local"))("kind: $kind, as over SSH", (kind) => {
  const stage = useStage(() => {
    const text = workflow(kind);
    const entry = { ...kind.entry(), groups: ["both"], soft_timeout: "1s" };
    const sha256 = createHash("sha256").update(text).digest("hex");
    return {
      servers: { a: entry, b: entry, brief: { ...entry, groups: [], hard_timeout: "2s" } },
      files: { ".github/countersign/workflows/look.yml": text },
      config: { schedules: { allowed: [{ repo, workflow: "look", servers: ["both"], sha256 }] } },
    };
  });

  it("SR-18 SR-31 a group is one number whose card names each server and where there, and runs on each", async () => {
    const thread = await stage.incident({ server: "both", command: kind.read });
    const card = (await cardOf(thread, 1)).body;
    for (const name of ["a", "b"]) expect(card).toContain(`\`${name}\`${kind.place}`);
    await stage.ask(thread, "lee", "/approve 1", done);
    const shown = await seen(thread, (body) => body.includes("| server | result |"), "the run card");
    expect(shown.body).toContain("on 2");
    expect(shown.body).toContain("CrashLoopBackOff");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
    await stage.expectSaid(thread, "lee", "/servers", new RegExp(`- \`a\` · .*\`both\` · ${kind.summary}`));
  });

  it("AR-12 F-29 a command that goes on is shown while it runs, asks at its soft limit, and is ended by /cancel", async () => {
    const thread = await stage.incident({ server: "a", command: kind.endless });
    await thread.say("lee", "/approve 1");
    const live = await seen(
      thread,
      (body) => /running since/.test(body) && body.includes("CrashLoop"),
      "the live card",
    );
    expect(live.body).toMatch(/^\*\*1\*\* ▶️/);
    await seen(thread, (body) => body.includes("⏳ **1** is still running"), "the question");
    await thread.say("lee", "/status");
    await seen(thread, (body) => body.includes("- running: 1"), "the status");
    stage.model.play(done);
    await thread.say("lee", "/cancel 1");
    const card = await seen(thread, (body) => /^\*\*1\*\* (?!▶️)/m.test(body) && body.includes("cancel"), "the end");
    expect(card.body).toContain("CrashLoopBackOff");
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
  });

  it("SR-54 the hard limit ends it", async () => {
    const thread = await stage.incident({ server: "brief", command: kind.endless });
    stage.model.play(done);
    await thread.say("lee", "/approve 1");
    // The board may say it before the run card does: the number in front tells them apart.
    const card = await seen(thread, (body) => /^\*\*1\*\* .*timed out/m.test(body), "the end");
    expect(card.body).toContain("CrashLoopBackOff");
    // The result is told before the agent has read it.
    await stage.quiet();
  });

  it("WF-1 WF-2 a workflow proposes its steps there, and a schedule runs them, once", async () => {
    const thread = await stage.incident({ server: "a", command: kind.read });
    await stage.ask(thread, "sam", "/workflow look");
    expect((await cardOf(thread, 2)).body).toContain(`\`a\`${kind.place}`);
    const { deps } = stage.bot;
    const year = new Date().getUTCFullYear();
    const look = (at: Date) => createScheduleWatch({ ...deps, now: () => at })();
    await look(new Date());
    await look(new Date(`${year + 1}-01-01T03:00:05Z`));
    await look(new Date(`${year + 1}-01-01T03:00:20Z`));
    await stage.quiet();
    const key = scheduleKey(repo, "look");
    expect((await latestRuns(deps.store.db, key, 5)).map(({ state, why }) => [state, why])).toEqual([["ok", null]]);
    const { issue } = await scheduleOf(deps.store.db, key);
    const shown = (await createThread(stage.github, repo, issue ?? 0).comments()).map(({ body }) => body).join("\n");
    for (const name of ["a", "b"]) expect(shown).toMatch(new RegExp(`1\\. ⚠️ exit 0, but: .* · \`${name}\` · Look`));
    expect(shown).toContain("CrashLoopBackOff");
  });
});
