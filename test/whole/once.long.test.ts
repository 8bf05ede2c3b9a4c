import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type ActionSpec, digestOf } from "../../src/store/actions.ts";
import { fc } from "../harness/chance.ts";
import { usePlayground } from "../harness/playground.ts";
import { until } from "../harness/until.ts";
import { postWebhook } from "../harness/webhook.ts";

const spec: ActionSpec = {
  incidentId: "01a2006f-b1e4-70eb-9ab3-a04474363f17",
  number: 3,
  installationId: 1,
  repoId: 2,
  issueNodeId: "I_1",
  place: "web-1",
  targets: [
    {
      server: "web-1",
      host: "10.0.0.11",
      port: 22,
      user: "ops",
      os: "linux",
      hostKeys: ["SHA256:a"],
      jobId: null,
      wrapped: "env sh -c uptime",
      hardTimeoutMs: 1,
      outputCapBytes: 2,
    },
  ],
  command: "uptime",
  risk: "low",
  rulesVersion: "1",
  contextCommit: "abc",
  model: null,
  promptSha256: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  expiresAt: "2026-01-01T01:00:00.000Z",
  nonce: "n",
};

describe("what an approval binds", () => {
  it("SR-20 a change of any field of the action changes its digest", () => {
    const fields = Object.keys(spec);
    fc.assert(
      fc.property(
        fc.constantFrom(...fields),
        fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
        (field, value) => {
          const changed = { ...spec, [field]: value };
          const same = JSON.stringify(changed) === JSON.stringify(spec);
          expect(digestOf(changed) === digestOf(spec)).toBe(same);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("SR-20 the order in which the fields were written does not matter (RFC 8785)", () => {
    const turned = Object.fromEntries(Object.entries(spec).reverse());
    expect(digestOf({ ...spec, ...turned })).toBe(digestOf(spec));
  });
});

describe("SR-26 one approval runs a command once", () => {
  const playground = usePlayground();

  it("F-01 F-02 fifty copies of its delivery at once, under its GUID and under others", async () => {
    const { github, bot } = playground;
    const thread = await playground.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await thread.say("lee", "/approve 1");
    const { payload, guid } = await until(() =>
      bot.deps.store.db
        .selectFrom("delivery")
        .select(["payload", "guid"])
        .where("event", "=", "issue_comment")
        .where("payload", "like", "%/approve 1%")
        .executeTakeFirstOrThrow(),
    );
    const send = (id: string) => postWebhook({ bot }, "issue_comment", payload, id);
    const statuses = await Promise.all(Array.from({ length: 50 }, (_, n) => send(n % 2 === 0 ? guid : randomUUID())));
    expect(new Set(statuses)).toEqual(new Set([202]));
    await thread.waitFor((body) => /\*\*1\*\* ✅/.test(body), "the result");
    await playground.quiet();
    expect(playground.host.seen.commands.filter((command) => command.includes("echo spool"))).toHaveLength(1);
    expect(github.invalid()).toEqual([]);
  });

  it("fifty people's clicks: comments of two approvers at once, and a restart in between", async () => {
    const before = playground.host.seen.commands.length;
    const thread = await playground.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await Promise.all(Array.from({ length: 10 }, (_, n) => thread.say(n % 2 === 0 ? "lee" : "mona", "/approve 1")));
    await playground.restart();
    await Promise.all(Array.from({ length: 10 }, (_, n) => thread.say(n % 2 === 0 ? "lee" : "mona", "/approve 1")));
    await thread.waitFor((body) => /\*\*1\*\* (✅|❓)/.test(body), "the result");
    await playground.quiet();
    // Its runbook's two checks are one number.
    const sent = playground.host.seen.commands.slice(before);
    expect(sent).toHaveLength(new Set(sent).size);
    expect(sent.length).toBeLessThanOrEqual(2);
  });
});
