import { describe, expect, it } from "vitest";
import { incident } from "../../harness/playground.ts";
import { boardOf, newsOf, proposing, sessionIn, statesOf, useStage } from "../../harness/stage.ts";

const stage = useStage();

const sure = { title: incident.title, body: incident.body };
const check = "echo spool is at 97 percent";

describe("OFF-1 a runbook that surely fits, beside a model", () => {
  it("has its checks on a card while the model still reads; the model's card adds and repeats nothing", async () => {
    const gate = Promise.withResolvers<void>();
    stage.model.play({ ...proposing("LIKELY: the spool is full.", check, "df -h"), after: gate.promise });
    const thread = await stage.open(sure);
    const card = await thread.waitFor((body) => body.includes(check) && body.includes("```sh"), "the checks");
    expect(card.body).toContain("While the agent reads: this follows the runbook that matches the text.");
    expect(card.body).toMatch(/- \[ \] \*\*1\*\*[\s\S]*97 percent\n {2}uname -s/);
    expect(stage.model.requests.length).toBeLessThanOrEqual(1);
    gate.resolve();
    await thread.waitFor((body) => body.includes("- [ ] **2**"), "the model's card");
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    expect(await boardOf(thread)).toMatch(/df -h/);
    expect(await sessionIn(stage, thread.number)).toMatchObject({ steps: 1 });
  });

  it("stands in the first message, with its checks under their numbers, and is not sent again", async () => {
    stage.model.play(proposing("LIKELY: the spool is full.", "df -h"));
    const thread = await stage.open(sure);
    await thread.waitFor((body) => body.includes("- [ ] **2**"), "the model's card");
    await stage.quiet();
    expect(newsOf(stage)).toMatch(/<skill source="[^"]+" nonce="\w+">\n# Spool full\n/);
    expect(newsOf(stage)).toMatch(
      /What stands here already:\n<[^>]+>\n1 of the runbook 2 checks: "echo spool is at 97 percent", "uname -s", low, open\n/,
    );
    stage.model.play({ text: "CONFIRMED by 1: it is full." });
    await stage.ask(thread, "lee", "/approve 1");
    expect(newsOf(stage)).not.toContain("# Spool full");
  });

  it("is not posted where no runbook is sure", async () => {
    const gate = Promise.withResolvers<void>();
    stage.model.play({ ...proposing("LIKELY: odd.", "uptime"), after: gate.promise });
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("reading the incident"), "the board");
    gate.resolve();
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect((await thread.comments()).map(({ body }) => body).join()).not.toContain("While the agent reads");
  });
});
