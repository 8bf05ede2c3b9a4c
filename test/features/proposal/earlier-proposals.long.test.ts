import { describe, expect, it } from "vitest";
import { newId } from "../../../src/store/ids.ts";
import { cardOf, proposing, statesOf, useStage } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";

const stage = useStage();

const done = { text: "INCONCLUSIVE: nothing more to say." };

describe("PA-6 what becomes of earlier proposals", () => {
  const states = (issue: number) => statesOf(stage, issue);
  const block = (text: string) => ({ text: `LIKELY: so.\n---ACTIONS_JSON_START---\n${text}\n---ACTIONS_JSON_END---` });
  const action = (command: string) => ({
    ...{ id: command, api: "ssh.execute", title: "Look", description: "looks" },
    params: { server: "web-1", command },
  });

  it("PA-6 without a block they stay; an answer to a question replaces none, any other block those that nobody has approved", async () => {
    const thread = await stage.incident("uptime", "df -h");
    await stage.ask(thread, "sam", "/ask why?", done);
    expect(await states(thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    await stage.ask(thread, "sam", "/ask what else?", proposing("LIKELY: better.", "df -h", "free -m"));
    expect(await states(thread.number)).toEqual({ 1: "proposed", 2: "proposed", 3: "proposed" });
    await stage.ask(thread, "lee", "/approve 3", proposing("LIKELY, see 3.", "vmstat"));
    expect(await states(thread.number)).toEqual({ 1: "superseded", 2: "superseded", 3: "done", 4: "proposed" });
  });

  it("PA-6 SR-20 one with an approval is replaced by its number alone, and its approval stands for nothing then", async () => {
    const thread = await stage.incident("rm -r /srv/app/cache/old", "df -h");
    const { db } = stage.bot.deps.store;
    const high = await db
      .selectFrom("action")
      .select("id")
      .orderBy("createdAt", "desc")
      .where("number", "=", 1)
      .execute();
    await db
      .insertInto("approval")
      .values({
        ...{ id: newId(), actionId: high[0]?.id ?? "", digest: "0", verdict: "approve", personId: 1, login: "lee" },
        ...{ role: "write", commentId: 1, commentNodeId: "x", commentSha256: "0", reason: "", withdrawnAt: null },
      })
      .execute();
    await stage.ask(thread, "sam", "/ask what else?", block(JSON.stringify({ actions: [action("free -m")] })));
    expect(await states(thread.number)).toEqual({ 1: "proposed", 2: "proposed", 3: "proposed" });
    stage.model.play(block(JSON.stringify({ actions: [action("uptime")], replaces: [1] })));
    await stage.ask(thread, "sam", "/ask what else?");
    expect(await states(thread.number)).toMatchObject({ 1: "superseded", 3: "proposed", 4: "proposed" });
    const left = await db
      .selectFrom("approval")
      .select("id")
      .where("withdrawnAt", "is", null)
      .where("commentId", "=", 1)
      .execute();
    expect(left).toEqual([]);
  });

  it("PA-6 RR-06 what ran while the reply was written is not proposed again, and the next turn hears of it", async () => {
    const thread = await stage.incident("uptime");
    const ran = Promise.withResolvers<void>();
    stage.model.play({ ...proposing("LIKELY: so.", "uptime", "df -h"), after: ran.promise }, done);
    await thread.say("sam", "/ask what else?");
    await expect.poll(() => stage.model.requests.at(-1)?.body.messages.at(-1)?.content).toContain("what else?");
    await thread.say("lee", "/approve 1");
    // Its result waits for the agent, who is busy.
    await until(async () => expect(await states(thread.number)).toEqual({ 1: "done" }));
    ran.resolve();
    await stage.quiet();
    expect(await states(thread.number)).toEqual({ 1: "done", 2: "proposed" });
    expect((await thread.comments()).map(({ body }) => body).join()).toContain(
      "1 is the same command and ended meanwhile, so it is not proposed again.",
    );
  });

  it("PA-6 what the agent takes back is superseded, and its card says by whom", async () => {
    const thread = await stage.incident("uptime", "df -h");
    await stage.ask(thread, "sam", "/ask still?", block(JSON.stringify({ withdraw: [1] })));
    expect(await states(thread.number)).toEqual({ 1: "superseded", 2: "proposed" });
    expect((await cardOf(thread, 2)).body).toContain("~~ superseded: taken back by the agent");
  });
});
