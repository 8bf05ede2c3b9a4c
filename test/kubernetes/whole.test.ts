import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sleep } from "../../src/base/clock.ts";
import { actionOf } from "../../src/store/actions.ts";
import { type Playground, repo, startPlayground } from "../harness/playground.ts";
import { useStarted } from "../harness/use-started.ts";
import { startApiServer } from "./api-server.ts";
import { hasKubectl } from "./world.ts";

const identity = "ops";
const podCrashes = `---
name: pod-crashes
description: A pod of the shop crashes again and again.
---

# A pod crashes

## Verify

\`\`\`sh
kubectl -n <namespace> describe pod <pod>
\`\`\`

## Act

\`\`\`sh
kubectl -n <namespace> delete pod <pod>
\`\`\`
`;
const runIt = (command: string): string => `/run prod-eu to see\n\`\`\`sh\n${command}\n\`\`\``;

describe.runIf(hasKubectl)("an incident on a cluster", () => {
  let playground: Playground;
  let rotate: (words: string) => string;
  const api = useStarted(() => startApiServer());
  beforeAll(async () => {
    const [kubeconfig, tokenFile] = [api.kubeconfig(identity), join(api.folder, "token")];
    const token = Buffer.from(identity).toString("hex");
    writeFileSync(tokenFile, token);
    const written = readFileSync(kubeconfig, "utf8");
    writeFileSync(kubeconfig, written.replace(`"token":"${token}"`, '"tokenFile":"token"'));
    // The same user to the API server, which reads it as hex up to the first other character.
    rotate = (words) => {
      writeFileSync(tokenFile, `${token}.${words}`);
      return `${token}.${words}`;
    };
    const entry = { kind: "kubernetes", kubeconfig_file: kubeconfig, context: "prod", namespaces: ["shop"] };
    playground = await startPlayground({
      servers: { "prod-eu": { ...entry, identity, groups: ["k8s"] } },
      files: { "AGENTS.md": "# Shop\n", ".github/skills/pod-crashes/SKILL.md": podCrashes },
    });
  });
  afterAll(async () => {
    await playground.close();
  });

  it("SR-20 SR-31 the card says cluster, namespace and identity, and what is approved runs there once", {
    tags: ["long"],
  }, async () => {
    const thread = await playground.open();
    await thread.say("mona", runIt("kubectl get pods | grep -v Running"));
    const { body } = await thread.waitFor((text) => text.includes("kubectl get pods"), "the card");
    expect(body).toContain("*on:* `prod-eu` · namespace `shop` · as `ops`");
    await thread.say("lee", "/approve 1");
    const result = await thread.waitFor((text) => text.includes("CrashLoopBackOff"), "the output");
    expect(result.body).toContain("exit 0, but: `batch-1");
    expect(api.requests.filter((request) => request.endsWith("/pods"))).toHaveLength(1);
  });

  it("OP-3 WF-3 SR-20 what a runbook leaves open in a cluster's command is a form, and /fill completes it; nothing of a form can be sent", {
    tags: ["long"],
  }, async () => {
    const thread = await playground.open({ title: "A pod of the shop crashes again and again", body: "On prod-eu." });
    const { body } = await thread.waitFor(
      (text) => text.includes("describe pod") && text.includes("```sh"),
      "the card",
    );
    expect(body).toContain("kubectl -n <namespace> describe pod <pod>");
    const number = /`\/fill (\d+) namespace=… pod=…`/.exec(body)?.[1] ?? "none";
    const { db } = playground.bot.deps.store;
    const { id } = await db
      .selectFrom("incident")
      .select("id")
      .where("number", "=", thread.number)
      .executeTakeFirstOrThrow();
    const form = await actionOf(db, id, Number(number));
    expect(form).toMatchObject({ state: "incomplete", spec: { targets: [{ wrapped: "" }] } });
    await thread.say("lee", `/explain ${number}`);
    await thread.waitFor((text) => text.includes("nothing before its values are filled in"), "what it would run");
    await thread.say("lee", `/fill ${number} namespace=pay pod=web-1`);
    await thread.waitFor((text) => /Nothing was run.*namespace/s.test(text), "why not in that namespace");
    await thread.say("lee", `/fill ${number} namespace=shop pod=web-1`);
    const filled = await thread.waitFor(
      (text) => text.includes("describe pod web-1") && text.includes("*on:*"),
      "the completed command",
    );
    expect(filled.body).toContain("*on:* `prod-eu` · namespace `shop` · as `ops`");
    expect((await actionOf(db, id, Number(number)))?.state).toBe("superseded");
  });

  it("SR-47 a token that was replaced while the bot runs is redacted from the moment that it is read, the old one still", {
    tags: ["long"],
  }, async () => {
    const { redact } = playground.bot.deps;
    const tokens = ["red pears on a tree", "blue plums on a shelf"].map((words) => words.replaceAll(" ", "-"));
    for (const words of tokens) {
      const token = rotate(words);
      expect(redact(token)).toMatchObject({ text: expect.stringContaining(words) });
      const thread = await playground.open();
      await thread.say("mona", runIt("kubectl get pods"));
      await thread.waitFor((text) => text.includes("kubectl get pods"), "the card");
      await thread.say("lee", "/approve 1");
      await thread.waitFor((text) => text.includes("CrashLoopBackOff"), "the output");
    }
    for (const words of tokens) expect(redact(`it is 6f7073.${words}`)).toMatchObject({ text: "it is [REDACTED]" });
  });

  it("RR-06 a change whose answer is lost is UNKNOWN, names the read that settles it, and was sent once", {
    tags: ["long"],
  }, async () => {
    const thread = await playground.open();
    const before = api.changes();
    await thread.say("mona", runIt("kubectl rollout restart deploy/web"));
    const { body } = await thread.waitFor((text) => text.includes("rollout restart"), "the card");
    api.set("broken-off");
    const restated = /\/approve 1 prod-eu/.test(body) ? "/approve 1 prod-eu it hangs" : "/approve 1";
    await thread.say("lee", restated);
    const result = await thread.waitFor((text) => text.includes("rollout status"), "the end");
    api.set("none");
    expect(result.body).toContain("kubectl rollout status deploy/web --namespace=shop");
    await playground.quiet();
    expect(api.changes()).toBe(before + 1);
  });

  it("SR-24 what changes while the API server does not say who the bot is is seen: nothing is sent", {
    tags: ["long"],
  }, async () => {
    const { github } = playground;
    const thread = await playground.open();
    await thread.say("mona", runIt("kubectl rollout restart deploy/web"));
    await thread.waitFor((text) => text.includes("rollout restart"), "the card");
    const before = api.changes();
    const { asked, letGo } = api.holdWhoami();
    const approval = await thread.say("lee", "/approve 1 prod-eu");
    await asked;
    github.fault({ event: "issue_comment.deleted" }, { drop: "before" });
    await github.deleteComment("lee", repo, approval);
    // What /approve itself has read is too old then.
    await sleep(1_050);
    letGo();
    await thread.waitFor((text) => text.includes("edited or deleted"), "why it was not sent");
    await playground.quiet();
    expect(api.changes()).toBe(before);
  });

  it("AR-15 a kubectl that failed is no answer of the filter behind it", { tags: ["long"] }, async () => {
    const thread = await playground.open();
    await thread.say("mona", runIt("kubectl get pods web-9 | grep Pending"));
    await thread.waitFor((text) => text.includes("grep Pending"), "the card");
    await thread.say("lee", "/approve 1");
    const { body } = await thread.waitFor((text) => text.includes("exit 1"), "the end");
    expect(body).toContain("exit 1 of kubectl");
    expect(body).not.toContain("no match");
  });

  it("SR-10 a command for another cluster is refused on the issue, with what to write instead", async () => {
    const thread = await playground.open();
    await thread.say("mona", runIt("kubectl --context other get pods"));
    const { body } = await thread.waitFor((text) => text.includes("could reach another cluster"), "the refusal");
    expect(body).toContain("to reach another one, name that server");
    await thread.say("mona", runIt("systemctl restart web"));
    await thread.waitFor((text) => text.includes("Begin the line with"), "the other refusal");
  });
});
