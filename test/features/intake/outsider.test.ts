import { describe, expect, it } from "vitest";
import { createThread } from "../../../demo/thread.ts";
import { incident, repo } from "../../harness/playground.ts";
import { auditOf, boardOf, useStage } from "../../harness/stage.ts";

const looked = { text: "LIKELY: looked." };

describe("in a public repository, an outsider's issue with the label", () => {
  const stage = useStage(() => ({ private: false, people: [{ login: "tina", role: "triage" }] }));

  const submit = async (by: string) => {
    const number = await stage.github.submitForm(by, repo, incident);
    return { ...createThread(stage.github, repo, number), number };
  };
  const labels = (number: number) => `/repos/${repo}/issues/${number}/labels`;
  const locked = async (number: number): Promise<unknown> => {
    const { body } = await stage.github.as("mona")("GET", `/repos/${repo}/issues/${number}`);
    return (body as { locked?: unknown }).locked;
  };

  it.each([
    ["eve", "none"],
    ["rita", "read"],
    ["tina", "triage"],
  ])("SR-59 by %s is left alone: no model, no card, no lock, one line in the audit", async (by, role) => {
    const before = stage.model.requests.length;
    const thread = await submit(by);
    await stage.quiet();
    await thread.say(by, "/ask what is going on?");
    await stage.quiet();
    expect(stage.model.requests).toHaveLength(before);
    expect((await thread.comments()).map(({ login }) => login)).toEqual([by]);
    expect(await locked(thread.number)).toBe(false);
    const refused = await auditOf(stage, { kind: "incident_refused" });
    const told = refused.map(({ body }) => body).filter(({ issue }) => issue === thread.number);
    expect(told[0]).toMatchObject({ by: { login: by }, role, repo, issue: thread.number });
  });

  it("SR-59 begins when somebody with write access puts the label on, and not when triage does", async () => {
    const thread = await submit("eve");
    await stage.quiet();
    const again = async (by: string) => {
      await stage.github.as("mona")("DELETE", `${labels(thread.number)}/incident`);
      expect(await stage.github.as(by)("POST", labels(thread.number), { labels: ["incident"] })).toMatchObject({
        status: 200,
      });
      await stage.quiet();
    };
    await again("tina");
    expect(await boardOf(thread)).toBeUndefined();
    stage.model.play(looked);
    await again("sam");
    expect(await boardOf(thread)).toContain("Board of this");
    expect(await locked(thread.number)).toBe(true);
  });

  it("SR-59 begins at /investigate, and any other command of somebody with write access is told so", async () => {
    const thread = await submit("eve");
    await stage.expectReply(thread, "sam", "/status", "whoever opened it may not open one. Comment `/investigate`");
    await stage.ask(thread, "sam", "/investigate", looked);
    expect(await boardOf(thread)).toContain("Board of this");
  });

  it("SR-59 is asked for again where GitHub does not say who that is", { tags: ["long"] }, async () => {
    stage.github.fault({ path: /graphql/, times: 1 }, { status: 502 });
    stage.model.play(looked);
    await (await stage.open({ by: "lee" })).waitFor((body) => body.includes("Looked."), "the card");
    await stage.quiet();
  });
});
