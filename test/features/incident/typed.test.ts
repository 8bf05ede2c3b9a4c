import { describe, expect, it } from "vitest";
import { boardOf, useStage } from "../../harness/stage.ts";
import { postWebhook } from "../../harness/webhook.ts";

const stage = useStage();

/** Has GitHub tell of an issue that it has already told of, as it is with that type, and have it so when asked. */
async function tell(
  number: number,
  action: string,
  type: string | null,
  labels: readonly string[] = [],
): Promise<void> {
  const { payload } = await stage.bot.deps.store.db
    .selectFrom("delivery")
    .select("payload")
    .where("event", "=", "issues")
    .where("line", "like", `issue:%:${number}`)
    .orderBy("position")
    .executeTakeFirstOrThrow();
  const event = JSON.parse(payload);
  const issue = {
    ...event.issue,
    type: type === null ? null : { id: 1, name: type },
    labels: labels.map((name) => ({ name })),
  };
  stage.github.fault({ method: "GET", path: new RegExp(`/issues/${number}$`) }, { status: 200, body: issue });
  expect(await postWebhook(stage, "issues", { ...event, action, issue })).toBe(202);
  await stage.quiet();
  stage.github.clearFaults();
}

const stateOf = async (number: number) =>
  (await stage.bot.deps.store.db.selectFrom("incident").select("state").where("number", "=", number).executeTakeFirst())
    ?.state;

describe("an issue", () => {
  it("AL-6 with the type of an incident, as a form sets it, is one without the label", async () => {
    const thread = await stage.open({ labels: [], title: "Odd", body: "### Namespace\n\nshop\n" });
    await stage.quiet();
    expect(await stateOf(thread.number)).toBeUndefined();
    await tell(thread.number, "typed", "Bug");
    expect(await stateOf(thread.number)).toBeUndefined();
    stage.model.play({ text: "CONFIRMED: nothing to do." });
    await tell(thread.number, "opened", "incident");
    expect(await stateOf(thread.number)).toBe("open");
    expect(await boardOf(thread)).toContain("Board of this incident, opened by `@mona`");
    // Told twice it is one start.
    await tell(thread.number, "typed", "Incident");
    stage.model.verify();
  });

  it("AL-6 ends with its type, unless it has the label too; and a type put on again goes on with it", async () => {
    const thread = await stage.open({ labels: [], title: "Odd too" });
    await stage.quiet();
    stage.model.play({ text: "CONFIRMED: nothing to do." });
    await tell(thread.number, "typed", "Incident");
    await tell(thread.number, "untyped", null, ["incident"]);
    expect(await stateOf(thread.number)).toBe("open");
    await tell(thread.number, "untyped", null);
    expect(await stateOf(thread.number)).toBe("closed");
    await tell(thread.number, "typed", "Incident");
    expect(await stateOf(thread.number)).toBe("open");
    await tell(thread.number, "typed", "Task");
    expect(await stateOf(thread.number)).toBe("closed");
    stage.model.verify();
  });
});
