import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { feedbackOf } from "../../../src/store/feedback.ts";
import { cardOf, proposing, useStage } from "../../harness/stage.ts";

const skill = "---\nname: spool-full\ndescription: The spool is full.\n---\n\n# Spool full\n\nLook at it.\n";
const path = ".github/skills/spool-full/SKILL.md";

const stage = useStage(() => ({
  files: { ".github/countersign/rules.md": "Ask first.\n", [path]: skill },
  people: [{ login: "renovate", type: "Bot", role: "write" }],
}));

type Opened = Thread & { readonly number: number };
const news = () => stage.model.requests.at(-1)?.body.messages.at(-1)?.content ?? "";
const system = () => String(stage.model.requests.at(-1)?.body.messages[0]?.content);
const react = (login: string, commentId: number, content: string) =>
  stage.github.as(login)("POST", `/repos/acme/web/issues/comments/${commentId}/reactions`, { content });
const given = async ({ number }: Opened) => {
  const { db } = stage.bot.deps.store;
  const { id } = await db
    .selectFrom("session")
    .innerJoin("incident", "incident.id", "session.incidentId")
    .select("session.id")
    .where("incident.number", "=", number)
    .executeTakeFirstOrThrow();
  return (await feedbackOf(db, id)).map(({ login, slot, verdict, source, note }) =>
    [login, slot, verdict, source, note].join(" ").trim(),
  );
};

describe("AR-10 feedback", () => {
  it("is taken by /feedback, and a wrong one is told how to give it", async () => {
    const thread = await stage.incident("uptime");
    for (const [typed, said] of [
      ["/feedback", /Write `\/feedback up` or `\/feedback down`/],
      ["/feedback maybe", /Write `\/feedback up` or `\/feedback down`/],
      [`/feedback up ${"x".repeat(1_001)}`, /1,001 characters; 1,000 are kept/],
    ] as const) {
      await stage.expectRefusal(thread, "sam", typed, said);
    }
    expect((await stage.ask(thread, "rita", "/feedback up")).isMarked("-1")).toBe(true);
    expect(await given(thread)).toEqual([]);
    expect(await stage.ask(thread, "sam", "/feedback up")).toMatchObject({ reactions: ["eyes", "rocket"], said: [] });
    await stage.ask(thread, "sam", "/feedback DOWN it was\nthe other disk");
    expect(await given(thread)).toEqual(["sam card:1 down command it was\nthe other disk"]);
  });

  it("is read from reactions with the turn's own request, each person once a comment, bots not, and what is taken back is gone", async () => {
    const thread = await stage.incident("uptime");
    const card = await cardOf(thread, 1);
    const [made] = await Promise.all(["rita", "sam", "renovate"].map((login) => react(login, card.id, "+1")));
    await react("sam", card.id, "-1");
    await react("mona", card.id, "heart");
    stage.model.play(
      { text: "", toolCalls: [{ name: "get_feedback_history", arguments: {} }] },
      { text: "LIKELY: then otherwise." },
    );
    await stage.ask(thread, "sam", "/ask and now?");
    expect((await given(thread)).sort()).toEqual(["rita card:1 up reaction", "sam card:1 down reaction"]);
    expect(news()).toMatch(/- your reply at step 1: 👎 by sam/);
    const { id } = (made?.body ?? {}) as { id?: number };
    const gone = await stage.github.as("rita")("DELETE", `/repos/acme/web/issues/comments/${card.id}/reactions/${id}`);
    expect(gone.status).toBe(204);
    await stage.ask(thread, "sam", "/ask and now?", { text: "LIKELY: still." });
    expect(await given(thread)).toEqual(["sam card:1 down reaction"]);
    // Of a reaction and a word on the same comment the later counts.
    await stage.ask(thread, "sam", "/feedback up");
    expect((await given(thread)).sort()).toEqual(["sam card:1 down reaction", "sam card:3 up command"]);
  });

  it("AR-10 AR-11 at the end of an incident reactions are read once more, and the runbook's record stands in the next one's menu and card", async () => {
    const using = { text: `LIKELY: the spool.\n\n[Open runbook](${path})` };
    const proposingToo = proposing(using.text, "systemctl restart spooler");
    const ended = async (thumb: string | undefined, how: "close" | "issue") => {
      const thread = await stage.opened({}, proposingToo);
      const card = await thread.waitFor((body) => body.includes("📖"), "the card");
      expect(card.body).not.toContain("worked");
      if (thumb) await react("sam", card.id, thumb);
      if (how === "close") await stage.ask(thread, "lee", "/close --anyway");
      else await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });
      await stage.quiet();
      return thread;
    };
    // All of them begin before the first ends, so none has a record yet.
    const { db } = stage.bot.deps.store;
    const first = await ended("-1", "issue");
    expect(await given(first)).toEqual(["sam card:1 down reaction"]);
    await db
      .updateTable("incident")
      .set({ closedAt: new Date(Date.now() + 60_000) })
      .where("state", "=", "closed")
      .execute();
    const second = await ended("+1", "close");
    expect(await given(second)).toEqual(["sam card:1 up reaction"]);
    const twelveDaysAgo = new Date(Date.now() - 12 * 24 * 3_600_000 - 60_000);
    await db.updateTable("incident").set({ closedAt: twelveDaysAgo }).where("state", "=", "closed").execute();
    // In the first and the second a check showed the fault, and after a command of the agent's it was gone.
    await db
      .updateTable("incident")
      .set({ helped: JSON.stringify([1]) })
      .where("state", "=", "closed")
      .execute();
    await db.updateTable("feedback").set({ givenAt: twelveDaysAgo }).execute();

    stage.model.play(using, using);
    const third = await stage.open();
    const card = await third.waitFor((body) => body.includes("📖"), "the card");
    expect(card.body).toMatch(/📖 \*\*Runbook links\*\* · \[spool-full\]\([^)]+\) \(worked 1 of 2, last 12 days ago\)/);
    expect(system()).toContain("(worked 1 of 2, last 12 days ago) The spool is full.");
    const before = system();
    await stage.quiet();
    // What comes later is for the next session: a prompt that changes costs the provider's cache.
    expect((await stage.ask(second, "mona", "/feedback down")).isMarked("rocket")).toBe(true);
    await stage.ask(third, "sam", "/ask sure?");
    expect(system()).toBe(before);
  });
});

describe("OP-6 the plan", () => {
  it("is one comment, edited in place; /plan links it; what is in it calls nobody", async () => {
    const thread = await stage.incident("uptime");
    const planning = (plan: string) => ({ text: "", toolCalls: [{ name: "update_plan", arguments: { plan } }] });
    stage.model.play(planning("- [ ] look at the disk, @mona"), { text: "LIKELY: a plan." });
    await stage.ask(thread, "sam", "/ask plan it");
    const plan = await thread.waitFor((body) => body.startsWith("📋 **Plan**"), "the plan");
    expect(plan.body).not.toMatch(/(?<![`\w])@mona/);
    stage.model.play(planning("- [x] look at the disk"), planning("x".repeat(10_001)), { text: "LIKELY: done." });
    await stage.ask(thread, "sam", "/ask go on");
    expect(news()).toContain("a plan has at most 10,000 characters");
    const plans = (await thread.comments()).filter(({ body }) => body.startsWith("📋 **Plan**"));
    expect(plans).toMatchObject([{ id: plan.id, body: expect.stringContaining("done: look at the disk") }]);
    await stage.expectSaid(thread, "sam", "/plan", `#issuecomment-${plan.id}`);
  });
});
