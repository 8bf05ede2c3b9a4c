import { describe, expect, it } from "vitest";
import { demoRepo, startDemo } from "../../demo/demo.ts";
import { infraRepo } from "../../demo/infra.ts";
import { createThread, openIssue } from "../../demo/thread.ts";
import { useStarted } from "../harness/use-started.ts";

describe("issue 42.1: the demo's incident whose fix is a patch", () => {
  const demo = useStarted(() => startDemo({ port: 0 }));
  const quiet = async (): Promise<void> => {
    for (let still = 0; still < 2; still++) {
      await demo.github.settled();
      await demo.bot.deps.store.queue.idle();
    }
  };
  const post = (path: string, body: object) =>
    fetch(`${demo.bot.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const pull = async (number: number) =>
    JSON.parse(await (await fetch(`${demo.bot.url}/page/pull?number=${number}`)).text());
  const open = async () => {
    const incident = demo.incidents.find(({ id }) => id === "memory");
    if (!incident) throw new Error("the demo has no such incident");
    const number = await openIssue(demo.github, demoRepo, { by: "mona", ...incident, labels: [incident.label] });
    return createThread(demo.github, demoRepo, number);
  };

  it.each([1, 2])("goes from the alert to a merged pull request and its check, time %i", async (round) => {
    const thread = await open();
    await thread.waitFor((body) => body.includes("`/approve 1`"), "the looks");
    await thread.say("lee", "/approve 1");
    const { body: card } = await thread.waitFor((body) => body.includes("```diff"), "the patch");
    expect(card).toContain("-              memory: 128Mi\n  +              memory: 256Mi");
    const number = Number(/^- \[ \] \*\*(\d+)\*\* .*Raise the memory limit/m.exec(card)?.[1]);
    await thread.say("eve", `/approve ${number}`);
    await quiet();
    const before = await demo.github.as("mona")("GET", `/repos/${infraRepo}/pulls?state=all`);
    expect(before.body).toHaveLength(round - 1);

    await thread.say("lee", `/approve ${number}`);
    const { body: board } = await thread.waitFor(
      (body) => /pull request \d+\]\(.*one check passed/.test(body),
      "the board",
    );
    const at = Number(/pull request (\d+)\]/.exec(board)?.[1]);
    expect(await pull(at)).toMatchObject({
      state: "draft",
      title: "Raise the memory limit of pricing",
      branches: { base: "main", head: expect.stringMatching(/^countersign\//) },
      html: expect.stringContaining('href="/issues/'),
      diff: expect.stringContaining("-              memory: 128Mi\n+              memory: 256Mi"),
      checks: [{ name: "manifests", conclusion: "success" }],
    });

    expect((await post("/page/merge", { as: "mona", pull: at })).status).toBe(200);
    const { body: check } = await thread.waitFor((body) => body.includes("Check: Raise the memory limit"), "the check");
    expect(await pull(at)).toMatchObject({ state: "merged" });
    const checks = [...check.matchAll(/^- \[ \] \*\*(\d+)\*\*/gm)].map((match) => match[1]);
    await thread.say("lee", `/approve ${checks.join(" ")}`);
    await thread.waitFor((body) => body.includes("cluster has the new limit"), "the end");
    const texts = (await thread.comments()).map(({ body }) => body).join("\n");
    expect(texts).toMatch(/^\s*256Mi$/m);
    expect(demo.github.invalid()).toEqual([]);
    expect((await post("/page/reset", {})).status).toBe(200);
  });
});
