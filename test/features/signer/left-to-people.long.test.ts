import { expect, it } from "vitest";
import { decideScheduledStep } from "../../../src/approval/schedule.ts";
import { loadRepoContext } from "../../../src/features/context.ts";
import { whyLeftToPeople } from "../../../src/features/proposal/in-force.ts";
import { draftAction } from "../../../src/features/proposal/propose.ts";
import { actionsOf } from "../../../src/store/actions.ts";
import { incidentIn, proposing, startStage, statesOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";

/** A server that takes only certificates, of a signer that is away: nothing here may need it. */
const signed = { signer: true, backend: "openssh", os: "linux" };
const waits = "web-1 runs only what a comment approves by its number";
const done = { text: "CONFIRMED by 1: that is all." };

const stage = useStarted(() =>
  startStage({
    beside: { "web-1": signed, "web-2": {} },
    config: {
      signer: { socket: "/nowhere" },
      policy: { lease: { allowed: true, servers: ["web-1", "web-2"], max_time: "30m", max_commands: 6 } },
    },
  }),
);

it.each([
  ["its server", { command: "touch /tmp/a", when: { check: 1, shows: "x" } }],
  ["its check's", { command: "touch /tmp/a", server: "web-2", when: { check: 1, shows: "x", on: "web-1" } }],
])("SR-72 a change with a condition is refused as it is proposed, for %s", async (_, change) => {
  const thread = await stage.opened({}, proposing("LIKELY: on.", "cat /etc/hostname", change), done);
  expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  const all = (await thread.comments()).map(({ body }) => body).join("\n");
  expect(all).toContain(`${waits}, so it can wait for no condition`);
});

it("SR-72 the check of a change is proposed under a number of its own", async () => {
  const change = { command: "touch /tmp/a", check: "ls /tmp" };
  const thread = await stage.opened({}, proposing("LIKELY: on.", change), done);
  const { id } = await incidentIn(stage.bot.deps.store.db, thread.number);
  const actions = await actionsOf(stage.bot.deps.store.db, id);
  expect(actions.map(({ spec: { command, checks, ownCheck } }) => ({ command, checks, ownCheck }))).toEqual([
    { command: "touch /tmp/a", checks: undefined, ownCheck: undefined },
    { command: "ls /tmp", checks: undefined, ownCheck: undefined },
  ]);
});

it("SR-72 no lease is given on it by name, and one on all servers leaves it out and says why a read waits", async () => {
  const thread = await stage.opened({}, proposing("LIKELY: on.", "df -h"), done);
  await stage.expectRefusal(thread, "lee", "/lease 10m web-1", waits);
  stage.model.otherwise(done);
  await stage.expectRefusal(thread, "lee", "/lease 10m", "Write `/lease 15m web-2` or");
  await stage.ask(thread, "lee", "/auto on");
  expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  const all = (await thread.comments()).map(({ body }) => body).join("\n");
  expect(all).toContain(`*left to people:* ${waits}`);
});

it("SR-72 a schedule skips the step and says why", async () => {
  const { deps } = stage.bot;
  const repoContext = await loadRepoContext(deps, { installationId: stage.github.installationId, repo: "acme/web" });
  const proposal = { title: "Look", description: "", server: "web-1", command: "uptime" };
  const drafted = draftAction(deps, repoContext, proposal, { origin: "offline", model: null, promptSha256: null });
  if (drafted.kind !== "draft") throw new Error(drafted.why);
  const attended = whyLeftToPeople(deps, repoContext.rules, drafted.draft.spec);
  expect(decideScheduledStep({ risk: "low", riskNow: "low", attended, servers: ["web-1"] }, ["web-1"])).toEqual({
    kind: "skip",
    reason: `it is left to people: ${waits}`,
  });
});
