import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { incident } from "../../harness/playground.ts";
import { proposing, type Stage, startStage, useStage } from "../../harness/stage.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-injection-"));
const identityFile = join(folder, "identity.md");
let stage: Stage;
beforeAll(async () => {
  writeFileSync(identityFile, "You speak like a lighthouse keeper.");
  stage = await startStage({
    files: {
      "AGENTS.md": "Root.",
      "services/web/AGENTS.md": "Component.",
      ".github/instructions/web.instructions.md": '---\napplyTo: "services/web/**"\n---\nScoped.',
      ".github/instructions/db.instructions.md": '---\napplyTo: "db/**"\n---\nElsewhere.',
      ".github/countersign/rules.md": "Never on Fridays.",
      ".github/countersign/workflows/drain.yml":
        "name: drain\ndescription: Drains a node.\ninstructions: One node at a time.\nparams: { node: {} }\nsteps: [{ server: web-1, command: uptime, title: Look }]",
      ".github/countersign/workflows/broken.yml": "name: broken",
    },
    config: {
      reinjection: { turns: 1 },
      features: { planning: false },
      system_prompt: { identity_file: identityFile, custom_instructions_file: join(folder, "absent.md") },
    },
  });
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => stage.model.verify());

const messages = () => stage.model.requests.at(-1)?.body.messages.map(({ role, content }) => ({ role, content })) ?? [];
const injections = () => stage.log.filter(({ event }) => event === "prompt_injected");

describe("what the model is told", () => {
  it("INJ-3 the values in force are logged at the start", () => {
    expect(stage.log).toContainEqual(
      expect.objectContaining({ module: "systemPrompt", event: "reinjection_in_force", turns: 1, enabled: true }),
    );
  });

  it("INJ-3 INJ-4 S13.1 S13.3 S13.6 OP-2 OP-8 at first all layers, later instructions and rules again, each time logged", async () => {
    stage.model.play(proposing("LIKELY: looking.", "uptime"));
    const thread = await stage.open({ labels: [...incident.labels, "path:services/web"] });
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await stage.quiet();
    const [system] = messages();
    expect(system?.content).toMatch(/<identity [^>]*>\nYou speak like a lighthouse keeper\.\n<\/identity/);
    expect(system?.content).toMatch(/Root\.[\s\S]*Scoped\.[\s\S]*Component\./);
    expect(system?.content).toContain("- drain: Drains a node. (parameters: node)");
    expect(system?.content).not.toMatch(/Elsewhere|<planning>|<custom-instructions>|- broken:/);
    expect(injections()).toMatchObject([
      {
        module: "systemPrompt",
        msg: "system prompt injected",
        trigger: "initial",
        injections: { first: 1, repeated: 0 },
      },
    ]);
    expect(injections()[0]?.sections).toContainEqual({
      name: "rules",
      source: expect.stringMatching(/^acme\/web@[0-9a-f]{7}:\.github\/countersign\/rules\.md$/),
      sha256: expect.stringMatching(/^[0-9a-f]{12}$/),
      tokens: expect.any(Number),
    });
    expect(stage.log).toContainEqual(
      expect.objectContaining({
        event: "runbooks_faulty",
        problems: expect.arrayContaining([expect.stringContaining("broken.yml")]),
      }),
    );

    writeFileSync(identityFile, "You speak plainly.");
    await stage.ask(thread, "lee", "/approve 1", { text: "LIKELY, see 1, 2 and 3: done." });
    const later = messages();
    expect(later[0]?.content).toContain("You speak plainly.");
    expect(later.filter(({ role }) => role === "system")).toHaveLength(1);
    expect(later.at(-2)).toMatchObject({
      role: "user",
      content: expect.stringMatching(
        /^Countersign tells its instructions again at step 1 \(turns\)\.\n\n<instructions>\n[\s\S]*<rules /,
      ),
    });
    expect(injections()[1]).toMatchObject({
      trigger: "turns",
      injections: { first: 1, repeated: 1, failed: 0 },
      sections: [{ name: "instructions" }, { name: "rules" }],
    });

    await stage.ask(thread, "sam", "/run web-1\n```sh\nuptime\n```", { text: "LIKELY, see 1, 2 and 3: still done." });
    await stage.ask(thread, "lee", "/approve 2");
    // What was told again stays in the conversation as it was sent (INJ-5: the beginning never changes).
    expect(messages().slice(1, later.length)).toEqual(later.slice(1));
    expect(stage.github.invalid()).toEqual([]);
  });
});

describe("rules that are changed while an incident is open", () => {
  const path = ".github/countersign/rules.md";
  const url = `/repos/acme/web/contents/${path}`;
  async function change(rules: string): Promise<void> {
    const mona = stage.github.as("mona");
    const { body } = await mona("GET", url);
    const content = Buffer.from(rules).toString("base64");
    await mona("PUT", url, { message: "rules", content, sha: (body as { sha: string }).sha });
    await stage.quiet();
  }
  const rulesIn = (sent: ReturnType<typeof messages>) =>
    sent.map(({ content }) => /<rules [^>]*>\n([\s\S]*?)\n<\/rules/.exec(content ?? "")?.[1]);

  it("INJ-3 INJ-4 are told at once, and no old version stands below the new; the log and /status have the file's own hash", async () => {
    const thread = await stage.opened({}, { text: "LIKELY: one." });
    await stage.ask(thread, "sam", "/investigate", { text: "LIKELY: two." });
    expect(rulesIn(messages()).filter(Boolean)).toEqual(["Never on Fridays.", "Never on Fridays."]);

    const rules = "Never on Mondays.\n";
    await change(rules);
    await stage.ask(thread, "sam", "/investigate", { text: "LIKELY: three." });
    expect(rulesIn(messages()).filter(Boolean)).toEqual(["Never on Mondays.", "Never on Mondays."]);
    expect(messages().at(-2)?.content).toMatch(/^Countersign tells its instructions again at step 2 \(rules\)\.\n\n/);
    expect(messages().map(({ content }) => content)).toContain("LIKELY: two.");
    const sha256 = createHash("sha256").update(rules).digest("hex").slice(0, 12);
    const told = injections().at(-1);
    expect(told).toMatchObject({ trigger: "rules" });
    expect(told?.sections).toContainEqual(expect.objectContaining({ name: "rules", sha256 }));
    await stage.expectSaid(thread, "lee", "/status", `rules \`${sha256}\``);

    // By itself it is not told a second time: this is the turn's own number.
    await stage.ask(thread, "sam", "/investigate", { text: "LIKELY: four." });
    expect(injections().at(-1)?.trigger).toBe("turns");
    await change("Never on Fridays.");
  });
});

describe("a workflow's instructions", () => {
  it("S13.4 WF-1 are told with the steps that the agent starts, and to the whole session where a person starts it", async () => {
    stage.model.play(
      { text: "", toolCalls: [{ name: "start_workflow", arguments: { name: "drain", params: { node: "a" } } }] },
      { text: "LIKELY: drain it." },
    );
    const thread = await stage.opened();
    const result = messages().find(({ role }) => role === "tool")?.content;
    expect(result).toMatch(
      /<instructions-of-workflow-drain nonce="(\w+)">\nOne node at a time\.\n<\/instructions-of-workflow-drain nonce="\1">$/,
    );
    await stage.ask(thread, "sam", "/workflow drain node=b");
    await stage.ask(thread, "sam", "/investigate", { text: "LIKELY: drained." });
    expect(messages()[0]?.content).toMatch(
      /<session-instructions source="pillar troubleshoot, workflow drain" [^>]*>\n.*\n\nworkflow drain:\nOne node at a time\.\n/,
    );
  });
});

describe("rules that cannot be told", () => {
  const window = 16_000;
  const bare = useStage(() => ({
    files: { "AGENTS.md": "Root.", ".github/countersign/rules.md": "x".repeat(300 * 1024) },
    endpoint: { context_window: window },
  }));
  const told = () => bare.log.filter(({ event }) => event === "prompt_injected").map(({ trigger }) => trigger);
  const unread = () => bare.log.filter(({ event }) => event === "rules_unreadable");
  /** So many per cent of the window, in few characters: a reply is kept to 6,000 of them. */
  const pad = (share: number): string => "字".repeat((window * share) / 100 / 0.75);

  it("INJ-2 INJ-3 INJ-4 are named on the board and in the log, the third time as an error, and the work goes on; at 25, 50 and 75 % of the window what is left is told again", async () => {
    const steps = [5, 25, 1, 25, 1].map((share) => ({ text: `LIKELY: looking.\n\n${pad(share)}` }));
    bare.model.play(proposing(`LIKELY: looking.\n\n${pad(5)}`, "uptime"), ...steps);
    const thread = await bare.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    for (const number of [1, 2, 3, 4, 5]) {
      await bare.ask(thread, "lee", `/approve ${number}`);
      if (number < 5) await bare.ask(thread, "sam", "/run web-1\n```sh\nuptime\n```");
    }
    expect(told()).toEqual(["initial", "window 25 %", "window 50 %", "window 75 %"]);
    const fault = /^is left out: it has 307,200 bytes/;
    expect(unread()).toMatchObject([
      { level: "warn", inARow: 1, repo: "acme/web", reason: expect.stringMatching(fault) },
      { level: "warn", inARow: 2 },
      { level: "error", inARow: 3 },
      { level: "error", inARow: 4 },
    ]);
    expect(bare.log.findLast(({ event }) => event === "prompt_injected")).toMatchObject({
      injections: { first: 1, repeated: 3, failed: 4 },
      sections: [{ name: "instructions" }],
    });
    const [board] = await thread.comments();
    expect(board?.body.match(/rules\.md.*/g)).toEqual([
      expect.stringMatching(/^rules\.md is left out: .*: the agent uses its built-in instructions alone$/),
    ]);
    bare.model.verify();
  });

  it("INJ-2 those that are missing are told too, and are no failed read", async () => {
    const path = "/repos/acme/web/contents/.github/countersign/rules.md";
    const { body } = await bare.github.as("mona")("GET", path);
    await bare.github.as("mona")("DELETE", path, { message: "m", sha: (body as { sha: string }).sha });
    const thread = await bare.incident("uptime");
    const [board] = await thread.comments();
    expect(board?.body).toContain(
      "ℹ️ .github/countersign/rules.md is missing or empty: the agent uses its built-in instructions alone. To add rules: Countersign's templates/starter/rules.md",
    );
    expect(bare.log.findLast(({ event }) => event === "rules_missing")).toMatchObject({ level: "warn", inARow: 0 });
    expect(bare.log.findLast(({ event }) => event === "prompt_injected")).toMatchObject({ injections: { failed: 4 } });
  });
});

describe("by the endpoint's own count, and only where an endpoint has answered", () => {
  const counting = useStage(() => ({
    files: { "AGENTS.md": "Root.", ".github/countersign/rules.md": "Never on Fridays." },
    endpoint: { context_window: 100_000 },
  }));
  const told = () => counting.log.filter(({ event }) => event === "prompt_injected").map(({ trigger }) => trigger);
  const usage = (tokens: number) => ({ prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 });
  const last = () => counting.model.requests.at(-1)?.body.messages ?? [];
  const tellings = () =>
    last().filter(({ content }) => /^Countersign tells its instructions again/.test(content ?? ""));

  it("INJ-3 what the endpoint counted for the last request counts where it is more than our estimate", async () => {
    counting.model.play({ text: "LIKELY: one.", usage: usage(26_000) });
    const thread = await counting.open();
    await counting.quiet();
    expect(told()).toEqual(["initial"]);
    counting.model.play(
      { text: "LIKELY: two.", usage: usage(26_500) },
      { text: "LIKELY: three.", usage: usage(80_000) },
    );
    await counting.ask(thread, "sam", "/ask and now?");
    expect(told()).toEqual(["initial", "window 25 %"]);
    await counting.ask(thread, "sam", "/ask and then?");
    expect(told()).toEqual(["initial", "window 25 %"]);
    await counting.ask(thread, "sam", "/ask and again?", { text: "LIKELY: four.", usage: null });
    expect(told()).toEqual(["initial", "window 25 %", "window 75 %"]);
    expect(JSON.stringify(last())).not.toContain("inputTokens");
  });

  it("INJ-4 what no model has answered is not logged as told, and is told and logged with the next request", async () => {
    const before = told().length;
    counting.model.play({ status: 401 });
    const thread = await counting.open();
    await counting.quiet();
    expect(told().slice(before)).toEqual([]);
    await counting.ask(thread, "sam", "/ask and now?", { text: "LIKELY: one.", usage: usage(60_000) });
    expect(told().slice(before)).toEqual(["initial"]);
    expect(tellings()).toEqual([]);
    await counting.ask(thread, "sam", "/ask and then?", { status: 401 });
    expect(told().slice(before)).toEqual(["initial"]);
    await counting.ask(thread, "sam", "/ask and again?", { text: "LIKELY: two.", usage: usage(60_000) });
    expect(told().slice(before)).toEqual(["initial", "window 50 %"]);
    expect(tellings()).toHaveLength(1);
  });
});
