import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { useStage } from "../harness/stage.ts";
import { postWebhook } from "../harness/webhook.ts";

const stage = useStage();

type Payload = Readonly<Record<string, unknown>>;

interface Event {
  readonly name: string;
  readonly examples: readonly Payload[];
}

const file = new URL(import.meta.resolve("@octokit/webhooks-examples"));
const all = (JSON.parse(readFileSync(file, "utf8")) as readonly Event[]).flatMap(({ name, examples: payloads }) =>
  payloads.map((payload) => ({ name, payload })),
);
/** What ends an installation comes last: after it nothing is served. */
const inOrder = [
  ...all.filter(({ name }) => !/^(installation|repository)/.test(name)),
  ...all.filter(({ name }) => /^(installation|repository)/.test(name)),
];

/** Posts each as GitHub does and resolves with the answers that are not 202. */
async function postAll(change: (payload: Payload) => Payload): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const { name, payload } of inOrder) {
    const status = await postWebhook(stage, name, change(payload));
    if (status !== 202) refused.push(`${name} ${payload.action}: ${status}`);
  }
  await stage.quiet();
  return refused;
}

it("SR-06 RR-01 GitHub's own examples are taken, as they are and of a served repository, and none of them throws", {
  timeout: 300_000,
}, async () => {
  expect(all).toHaveLength(329);
  const thread = await stage.incident("uptime");
  const { body: repository } = await stage.github.as("mona")("GET", "/repos/acme/web");
  const { body: issue } = await stage.github.as("mona")("GET", `/repos/acme/web/issues/${thread.number}`);
  const ours = (payload: Payload): Payload => ({
    ...payload,
    repository,
    installation: { ...Object(payload.installation), id: stage.github.installationId },
  });
  expect(await postAll((payload) => payload)).toEqual([]);
  expect(await postAll(ours)).toEqual([]);
  expect(await postAll((payload) => ({ ...ours(payload), ...("issue" in payload ? { issue } : {}) }))).toEqual([]);
  const troubles = stage.log.filter(
    ({ level, event }) => level === "error" || /^(job_failed|job_set_aside|request_failed)$/.test(event ?? ""),
  );
  expect(troubles).toEqual([]);
  expect(stage.log.filter(({ event }) => event === "delivery_accepted").length).toBeGreaterThanOrEqual(3 * 329);
  const { db } = stage.bot.deps.store;
  const left = db.selectFrom("delivery").select(["event", "state"]).where("state", "!=", "done");
  expect(await left.execute()).toEqual([]);
  expect(stage.ran()).toEqual([]);
});
