import { describe, expect, it } from "vitest";
import { giveFeedback } from "../../../src/store/feedback.ts";
import { messagesOf } from "../../../src/store/turns.ts";
import type { Step } from "../../agent/fake-model.ts";
import { boardOf, call, proposing, type Stage, sessionIn, statesOf, useStage } from "../../harness/stage.ts";
import { saying } from "../../ssh/fake-host.ts";

const stage = useStage(() => ({
  files: {
    "AGENTS.md": "# Web\n",
    ".github/countersign/workflows/look.yml": [
      "name: look",
      "description: Looks around.",
      "params: { unit: {} }",
      "steps:",
      ...["uptime", "df -h", "free -m", "systemctl status {{unit}}"].map(
        (command) => `  - { server: web-1, command: "${command}", title: Look }`,
      ),
    ].join("\n"),
  },
  // The fake counts 100 tokens for each request, so ours come to count a third of what they did.
  endpoint: { context_window: 2_500 },
}));

type Opened = Awaited<ReturnType<Stage["incident"]>>;

const db = () => stage.bot.deps.store.db;
const sessionFor = ({ number }: Opened) => sessionIn(stage, number);
const sent = () => stage.model.requests.at(-1)?.body.messages ?? [];
const toolResults = () => sent().flatMap(({ role, content }) => (role === "tool" ? [content] : []));

const syllables = "ba de fi go hu ka le mi no pu ra se ti vo wu".split(" ");
/** Lines of which no two are near to each other: those would be told once. */
const unlike = (count: number): string =>
  Array.from({ length: count }, (_, line) =>
    [7, 11, 13, 17, 19, 23].map((step) => syllables[(line * step + step) % 15] ?? "").join(line % 2 ? " " : "-"),
  )
    .map((words, line) => `${words} ${words.split("").toReversed().join("")}${"\u00e9".repeat(line % 9)}\n`)
    .join("");

describe("the board while a turn runs", () => {
  const waiting = useStage(() => ({ config: { model: { deadline: "60s", retry: { max_retries: 1 } } } }));

  it("S15.6 says that it waits for the model, and OP-5 what the agent does; afterwards neither", async () => {
    let resume: (() => void)[] = [];
    const held = () => new Promise<void>((resolve) => resume.push(resolve));
    const [first, second] = [held(), held()];
    waiting.model.play(
      { status: 429, headers: { "retry-after": "0.2" } },
      { ...call("list_servers", {}, "<status>Reading one two three four five six</status>"), after: first } as Step,
      { ...proposing("LIKELY: looking.", "uptime"), after: second },
    );
    const thread = await waiting.open();
    await thread.waitFor((body) => body.includes("⏳ rate limited, again in 1 s"), "the wait on the board");
    resume[0]?.();
    await thread.waitFor((body) => body.includes("⏳ Reading one two three four five\n"), "the status on the board");
    resume[1]?.();
    resume = [];
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await waiting.quiet();
    expect(await boardOf(thread)).not.toContain("⏳");
  });
});

describe("what the agent reads and makes", () => {
  it("AR-15 AR-18 a CONFIRMED without its run is LIKELY; the phase is the one it named last", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", "/approve 1", { text: "CONFIRMED: that is the cause.\n[PHASE] plan" });
    await thread.waitFor((body) => body.includes("**LIKELY**\n\nThat is the cause."), "the card");
    const words = "The agent says CONFIRMED and names no run that shows it; take it as LIKELY.";
    await thread.waitFor((body) => body.includes(words), "the note");
    expect(await boardOf(thread)).toContain("Phase 4 of 5 · Plan");
  });

  it("AR-10 what people thought of it, of this session alone", async () => {
    const other = await stage.incident("uptime");
    const thread = await stage.incident("uptime", "df -h");
    const give = async (of: Opened, note: string) => {
      const { id } = await sessionFor(of);
      const person = stage.github.person("sam");
      await stage.bot.deps.store.transaction((tx) =>
        giveFeedback(tx, id, { source: "command", slot: "card:1", verdict: "down", note, person, at: new Date() }),
      );
    };
    await give(other, "elsewhere");
    await give(thread, "wrong host");
    await stage.ask(thread, "lee", "/reject 2 never mind the disk");
    await stage.ask(thread, "lee", "/approve 1", call("get_feedback_history", {}), { text: "CONFIRMED by 1: fine." });
    const [history = ""] = toolResults();
    expect(history).toMatch(
      /^- 2 \(df -h\): turned down by lee\n<comment-by-lee nonce="[^"]+">\nnever mind the disk\n/,
    );
    expect(history).toMatch(/- your reply at step 1: 👎 by sam\n<comment-by-sam nonce="[^"]+">\nwrong host\n/);
    expect(history).not.toContain("elsewhere");
  });

  it("WF-1 SR-60 a workflow's steps become proposals that the limit of three does not count", async () => {
    stage.model.play(
      call("start_workflow", { name: "look" }),
      call("start_workflow", { name: "look", params: { unit: "checkout" } }),
      { text: "LIKELY: looking around." },
    );
    const thread = await stage.open();
    const card = await thread.waitFor((body) => body.includes("- [ ] **4**"), "the card");
    await stage.quiet();
    expect(card.body).toContain("systemctl status checkout");
    expect(toolResults()[0]).toMatch(/^Error: `unit` \(text\) is missing/);
    expect(Object.keys(await statesOf(stage, thread.number))).toHaveLength(4);
  });

  it("S15 old outputs are shortened before the window is full, and what is stored stays whole", async () => {
    const thread = await stage.incident("cat log");
    stage.play(saying(`begin\n${unlike(140)}end\n`));
    for (let number = 1; number <= 4; number += 1) {
      await stage.ask(thread, "lee", `/approve ${number}`, { text: `LIKELY: ${number} shows nothing.` });
      if (number < 4) await stage.ask(thread, "sam", "/run web-1\n```sh\ncat log\n```");
    }
    stage.play(async () => 0);
    const outputs = sent().filter(({ content }) => content.includes("<output-of-"));
    expect(outputs).toHaveLength(4);
    expect(outputs[0]?.content).toMatch(/you have read it; \d{4} characters left out; read_output shows them/);
    expect(outputs[3]?.content).toMatch(/begin\n[\s\S]*end\n/);
    const { id } = await sessionFor(thread);
    const stored = (await messagesOf(db(), id)).map(({ content }) => content).join("\n");
    expect(stored).not.toMatch(/you have read it|left out to save room/);
    expect(stage.log).toContainEqual(expect.objectContaining({ event: "session_compacted" }));
  });
});
