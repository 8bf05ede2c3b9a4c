import { describe, expect, it } from "vitest";
import { restoreComment, setComment } from "../../../src/store/outbox/posting.ts";
import type { Slot } from "../../../src/store/outbox/thread-comments.ts";
import { storeDrawing } from "../../../src/store/outbox/wanted.ts";
import { proposing, startStage } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { gone, later, lost, usePoster } from "./poster.ts";

const stage = useStarted(() => startStage());

const hidden = async (number: number): Promise<Readonly<Record<string, string>>> => {
  const rows = await stage.bot.deps.store.db
    .selectFrom("comment")
    .select(["slot", "foldAs", "folded", "githubId"])
    .where("issue", "=", number)
    .where("foldAs", "is not", null)
    .execute();
  const seen: { readonly id: number; readonly hidden: string | undefined }[] = [];
  for await (const page of stage.bot.deps.readComments({
    installationId: await installation(),
    repo: "acme/web",
    issue: number,
  }))
    seen.push(...page);
  return Object.fromEntries(
    rows.map(({ slot, githubId }) => [
      slot.replace(/^batch:.*/, "batch"),
      String(seen.find(({ id }) => id === githubId)?.hidden),
    ]),
  );
};
const installation = async () =>
  (await stage.bot.deps.store.db.selectFrom("incident").select("installationId").executeTakeFirstOrThrow())
    .installationId;

it("PRODUCT a card that nobody decided on and that was superseded is folded as outdated, with an old run that went well; what failed or was approved stays, and /verify minds none", {
  tags: ["long"],
}, async () => {
  const thread = await stage.incident("uptime", "df -h");
  await stage.ask(thread, "lee", "/approve 1", proposing("LIKELY: on.", "ps aux"));
  stage.play(async () => 1);
  // 3 fails; its card has a decision on it.
  await stage.ask(thread, "lee", "/approve 3", proposing("LIKELY: on.", "free -m"));
  // Nobody decides on 4: a person's own command runs, and the agent proposes something else.
  stage.play(async () => 0);
  await stage.ask(thread, "sam", "/run web-1\n```sh\nuptime\n```");
  await stage.ask(thread, "lee", "/approve 5", proposing("LIKELY: on.", "ss -tln"));
  // Nobody decided on the third card's proposal, but it has the failure.
  expect(await hidden(thread.number)).toEqual({});
  await stage.ask(thread, "sam", "/run web-1\n```sh\nuptime\n```");
  await stage.ask(thread, "lee", "/approve 7", proposing("LIKELY: on.", "ss -tan"));
  expect(await hidden(thread.number)).toEqual({ "card:4": "outdated" });
  const { said } = await stage.ask(thread, "lee", "/verify");
  expect(said.join()).not.toMatch(/\*\*hidden\*\*|\*\*edited\*\*/);
});

describe("the poster folds what is over", () => {
  const poster = usePoster();
  const fold = async (as: "OUTDATED" | "RESOLVED", ...slots: readonly Slot[]) =>
    storeDrawing(
      poster.store.db,
      { thread: poster.thread, known: await Promise.all(slots.map(poster.row)) },
      { comments: [], folded: slots.map((slot) => ({ slot, as })), labels: undefined },
    );
  const served = async (perMinute?: number): Promise<readonly string[]> => {
    const before = poster.github.calls.length;
    await poster.serve(perMinute);
    return poster.github.calls.slice(before);
  };
  const nodeOf = async (slot: string) => (await poster.row(slot)).nodeId;

  it("DC-6 once, however often it is wanted, as what it was folded first", async () => {
    await poster.want({ slot: "card:1", body: "card" });
    await fold("OUTDATED", "card:1");
    const [posted, folded] = await served();
    expect([posted, folded]).toEqual(["create card", `fold ${await nodeOf("card:1")} OUTDATED`]);
    await fold("OUTDATED", "card:1");
    await fold("RESOLVED", "card:1");
    expect(await served()).toEqual([]);
    // GitHub keeps a comment folded that is edited.
    await poster.want({ slot: "card:1", body: "card 2" });
    expect(await served()).toEqual(["edit card 2"]);
  });

  it("RR-08 not before it reads as it should, and after everything that people wait for", async () => {
    await poster.want({ slot: "card:1", body: "card" }, { slot: "batch:1", body: "run" });
    await served();
    await poster.want({ slot: "card:1", body: "struck", pace: { holdMs: 30_000, apartMs: 0 } });
    await fold("OUTDATED", "card:1");
    await fold("RESOLVED", "batch:1");
    await poster.want({ slot: "reply:1", body: "reply" });
    expect(await served()).toEqual(["create reply", `fold ${await nodeOf("batch:1")} RESOLVED`]);
    await poster.want({ slot: "card:1", body: "struck out" });
    expect(await served()).toEqual(["edit struck out", `fold ${await nodeOf("card:1")} OUTDATED`]);
  });

  it("RR-07 one whose answer was lost is asked for again, and is folded once", async () => {
    await poster.want({ slot: "card:1", body: "card" });
    await served();
    await fold("OUTDATED", "card:1");
    const call = `fold ${await nodeOf("card:1")} OUTDATED`;
    poster.github.fail(lost, true);
    expect(await served()).toEqual([call]);
    expect(await poster.comesBackIn()).toBeGreaterThan(1);
    expect(await served()).toEqual([call]);
    expect(await served()).toEqual([]);
    expect([...poster.github.folded]).toHaveLength(1);
  });

  it("RR-08 what fails again and again, or for good, is given up; the rest goes on", async () => {
    await poster.want({ slot: "card:1", body: "card" }, { slot: "card:2", body: "card" });
    await served();
    await fold("OUTDATED", "card:1", "card:2");
    const second = `fold ${await nodeOf("card:2")} OUTDATED`;
    poster.github.fail(gone);
    expect((await served())[1]).toBe(second);
    await poster.want({ slot: "card:3", body: "card" });
    await served();
    await fold("OUTDATED", "card:3");
    for (let attempt = 0; attempt < 8; attempt++) {
      poster.github.fail(lost);
      expect(await served(), `attempt ${attempt}`).toHaveLength(1);
    }
    expect(await served()).toEqual([]);
    expect(await poster.row("card:3")).toMatchObject({ parked: null, body: "card" });
  });

  it("F-10 GitHub's limit is waited out, and what people wait for still comes first", async () => {
    await poster.want({ slot: "card:1", body: "card" });
    await served();
    await fold("OUTDATED", "card:1");
    poster.github.fail(later);
    await served();
    expect(await poster.comesBackIn()).toBeGreaterThan(50);
    await poster.want({ slot: "reply:1", body: "reply" });
    const over = { pausedUntil: null };
    await poster.store.db.updateTable("writeBudget").set(over).execute();
    expect(await served()).toEqual(["create reply", `fold ${await nodeOf("card:1")} OUTDATED`]);
  });

  it("RR-08 a comment that was parked, or is not there yet, is not folded; one posted anew after it was deleted is", async () => {
    await poster.want({ slot: "card:1", body: "card" }, { slot: "card:2", body: "card" });
    poster.github.fail(gone);
    await fold("OUTDATED", "card:1", "card:2");
    await served();
    expect([...poster.github.folded]).toEqual([await nodeOf("card:2")]);
    const [first, second] = [await poster.row("card:1"), await poster.row("card:2")];
    expect(first.parked).toBe(gone.why);
    await poster.store.transaction((tx) => restoreComment(tx, second, "create"));
    await served();
    expect(poster.github.calls.at(-1)).toBe(`fold ${await nodeOf("card:2")} OUTDATED`);
    await poster.want({ slot: "card:2", body: "changed" });
    await setComment(poster.store.db, await poster.row("card:2"), { parked: "for a test" });
    expect(await served()).toEqual([]);
  });

  it("RR-07 a crash between the fold and its record folds it again, which GitHub does once", async () => {
    await poster.want({ slot: "card:1", body: "card" });
    await fold("OUTDATED", "card:1");
    await served();
    await poster.store.db.updateTable("comment").set({ folded: false }).where("slot", "=", "card:1").execute();
    await served();
    expect([...poster.github.folded]).toEqual([await nodeOf("card:1")]);
  });
});
