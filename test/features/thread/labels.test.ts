import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { ActionState } from "../../../src/base/action.ts";
import type { Ending } from "../../../src/base/run.ts";
import { labelsOf } from "../../../src/features/thread/post.ts";
import { storeDrawing } from "../../../src/store/outbox/wanted.ts";
import { repo } from "../../harness/playground.ts";
import { statesOf, useStage } from "../../harness/stage.ts";
import { gone, later, lost, usePoster } from "./poster.ts";

const rules = { prefix: "bot: ", incidentLabel: "incident" };
const all = ["waiting for approval", "running", "held", "unknown outcome"];
const action = (state: ActionState, ...endings: readonly Ending[]) => ({
  state,
  runs: endings.map((ending) => ({ ending })),
});
const unknown: Ending = { kind: "unknown", reason: "the bot was killed" };
const open = { state: "open", held: false, actions: [] } as const;

describe("labels mirror the state", () => {
  it.each([
    ["nothing is proposed", open, []],
    ["something waits", { ...open, actions: [action("proposed"), action("done")] }, ["waiting for approval"]],
    ["an approved one is next in line", { ...open, actions: [action("approved")] }, ["running"]],
    ["one is being sent", { ...open, actions: [action("dispatching")] }, ["running"]],
    [
      "one runs and another waits",
      { ...open, actions: [action("running"), action("proposed")] },
      ["waiting for approval", "running"],
    ],
    ["held", { ...open, held: true, actions: [action("proposed")] }, ["waiting for approval", "held"]],
    ["an outcome is not known", { ...open, actions: [action("done", unknown)] }, ["unknown outcome"]],
    ["all have ended well", { ...open, actions: [action("done", { kind: "exited", code: 0 })] }, []],
    ["closed, and one still runs", { ...open, state: "closed", held: true, actions: [action("running")] }, ["running"]],
    [
      "closed with an unknown outcome",
      { ...open, state: "closed", actions: [action("done", unknown)] },
      ["unknown outcome"],
    ],
    [
      "nothing of what was proposed is left",
      { ...open, actions: [action("expired"), action("blocked"), action("void")] },
      [],
    ],
  ] as const)("PRODUCT %s", (_what, standing, names) => {
    const wanted = names.map((name) => `bot: ${name}`);
    const spare = all.map((name) => `bot: ${name}`).filter((name) => !wanted.includes(name));
    expect(labelsOf(standing, rules)).toEqual({ wanted, spare });
  });

  it("PRODUCT none is written without a prefix, and never the one by which an issue becomes an incident", () => {
    const standing = { ...open, held: true, actions: [action("proposed")] };
    expect(labelsOf(standing, { ...rules, prefix: "" })).toEqual({ wanted: [], spare: [] });
    const { wanted, spare } = labelsOf(standing, { ...rules, incidentLabel: "Bot: Held" });
    expect([...wanted, ...spare]).not.toContain("bot: held");
  });
});

describe("the labels of an issue", () => {
  const poster = usePoster();
  const ours = ["a", "b", "c"];
  const want = (...wanted: readonly string[]) =>
    storeDrawing(
      poster.store.db,
      { thread: poster.thread, known: [] },
      { comments: [], folded: [], labels: { wanted, spare: ours.filter((name) => !wanted.includes(name)) } },
    );
  const makeDue = () =>
    sql`update label set due_at = now() - interval '1 second' where due_at is not null`.execute(poster.store.db);
  /** What the poster does about them once they are due. */
  const written = async (perMinute?: number): Promise<readonly string[]> => {
    await makeDue();
    const before = poster.github.calls.length;
    await poster.serve(perMinute);
    return poster.github.calls.slice(before);
  };

  it("RR-08 are told a while after the change, all that should be there at once, and only where something changed", async () => {
    await want("b", "a");
    await poster.serve();
    expect(poster.github.calls).toEqual([]);
    expect(await poster.comesBackIn()).toBeGreaterThan(5);
    expect(await written()).toEqual(["label a, b"]);
    await want("a", "b");
    expect(await written()).toEqual([]);
    await want("b", "c");
    expect(await written()).toEqual(["label b, c", "unlabel a"]);
    await want();
    expect(await written()).toEqual(["unlabel b", "unlabel c"]);
    expect([...poster.github.labelled]).toEqual([]);
  });

  it("RR-08 what is over before it was told is not told", async () => {
    await want("a");
    await written();
    await want("b");
    await want("a");
    expect(await written()).toEqual([]);
  });

  it("PRODUCT nobody else's are touched; one of ours set or removed by hand is set right at the next change", async () => {
    await want("a", "b");
    await written();
    poster.github.labelled.add("theirs").add("c").delete("a");
    expect(await written()).toEqual([]);
    await want("a");
    await written();
    expect([...poster.github.labelled].sort()).toEqual(["a", "theirs"]);
    // Also where the change alone would only have taken one off.
    await want("a", "b");
    await written();
    poster.github.labelled.delete("a");
    await want("a");
    await written();
    expect([...poster.github.labelled].sort()).toEqual(["a", "theirs"]);
  });

  it("RR-08 a refusal is left until the next change, and nothing beside it fails", async () => {
    await want("a");
    await poster.want({ slot: "board", body: "board" });
    await makeDue();
    await poster.serve();
    expect(poster.github.calls).toEqual(["create board", "label a"]);
    await want("b");
    poster.github.fail(gone);
    expect(await written()).toEqual(["label b"]);
    expect(await written()).toEqual([]);
    await want("c");
    expect(await written()).toEqual(["label c", "unlabel a"]);
  });

  it("RR-07 an answer that was lost is no reason to do it twice, and after a few in vain it is given up", async () => {
    await want("a");
    poster.github.fail(lost, true);
    await written();
    expect(await poster.comesBackIn()).toBeGreaterThan(1);
    await written();
    expect([...poster.github.labelled]).toEqual(["a"]);
    await want("b");
    for (let attempt = 0; attempt < 8; attempt++) {
      poster.github.fail(lost);
      expect(await written(), `attempt ${attempt}`).toEqual(["label b"]);
    }
    expect(await written()).toEqual([]);
  });

  it("F-10 GitHub's limit pauses them and is waited out; they come after everything else", async () => {
    await want("a");
    await poster.want({ slot: "board", body: "board" });
    await makeDue();
    poster.github.fail(later);
    await poster.serve();
    expect(poster.github.calls).toEqual(["create board"]);
    expect(await poster.comesBackIn()).toBeGreaterThan(50);
  });

  it("RR-08 they leave most of the bucket to what people wait for, and go on where they stopped", async () => {
    // Six writes at once, of which labels may take two.
    await want("a", "b");
    expect(await written(12)).toEqual(["label a, b"]);
    await want("c");
    expect(await written(12)).toEqual(["label c"]);
    expect(await poster.comesBackIn()).toBeGreaterThan(1);
    await poster.want({ slot: "reply:1", body: "reply" });
    expect(await written(12)).toEqual(["create reply"]);
    await sql`update write_budget set refilled_at = refilled_at - interval '1 minute'`.execute(poster.store.db);
    expect(await written(12)).toEqual(["unlabel a", "unlabel b"]);
  });
});

describe("on GitHub", () => {
  const stage = useStage();
  const labelsPath = (number: number) => `/repos/${repo}/issues/${number}/labels`;
  const labelled = async (number: number): Promise<readonly string[]> => {
    const { body } = await stage.github.as("mona")("GET", labelsPath(number));
    return (body as readonly { name: string }[]).map(({ name }) => name).sort();
  };
  /** Lets the labels be due now, and waits for what follows. */
  const due = async (number: number): Promise<void> => {
    await stage.quiet();
    const { store } = stage.bot.deps;
    await sql`update label set due_at = now() - interval '1 second' where due_at is not null`.execute(store.db);
    await store.transaction((tx) => store.queue.enqueue(tx, "post", `${repo}#${number}`, { repo, issue: number }));
    await stage.quiet();
  };

  it("PRODUCT they follow the incident, one set by hand changes nothing, and what GitHub refuses disturbs nothing", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", "df -h");
    const { number } = thread;
    expect(await labelled(number)).toEqual(["incident"]);
    await due(number);
    expect(await labelled(number)).toEqual(["countersign: waiting for approval", "incident"]);
    const { body: listed } = await stage.github.as("mona")("GET", `/repos/${repo}/labels?per_page=100`);
    expect(listed).toContainEqual(
      expect.objectContaining({
        name: "countersign: waiting for approval",
        color: "fbca04",
        description: "A command waits for somebody's approval.",
      }),
    );

    const said = (await thread.comments()).length;
    const mona = stage.github.as("mona");
    await mona("DELETE", `${labelsPath(number)}/${encodeURIComponent("countersign: waiting for approval")}`);
    await mona("POST", labelsPath(number), { labels: ["countersign: running", "urgent"] });
    await due(number);
    expect(await labelled(number)).toEqual(["countersign: running", "incident", "urgent"]);
    expect(await statesOf(stage, number)).toEqual({ 1: "proposed", 2: "proposed" });
    expect(stage.ran()).toEqual([]);
    expect(await thread.comments()).toHaveLength(said);

    await stage.ask(thread, "sam", "/hold");
    await due(number);
    const held = ["countersign: held", "countersign: waiting for approval", "incident", "urgent"];
    expect(await labelled(number)).toEqual(held);

    stage.github.fault({ path: /labels/, times: 100 }, { status: 403, body: { message: "Resource not accessible" } });
    expect((await stage.ask(thread, "lee", "/resume")).isMarked("rocket")).toBe(true);
    await due(number);
    expect(await labelled(number)).toEqual(held);
    expect(stage.log.filter(({ event }) => event === "labels_failed")).toHaveLength(1);
    stage.github.clearFaults();

    await mona("PATCH", `/repos/${repo}/issues/${number}`, { state: "closed" });
    await due(number);
    expect(await labelled(number)).toEqual(["incident", "urgent"]);
    expect(stage.github.invalid()).toEqual([]);
  });
});
