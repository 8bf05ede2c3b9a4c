import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fillProtocol } from "../../../src/agent/prompt.ts";
import { parseReply, replyRecord } from "../../../src/agent/reply/protocol.ts";
import { fc } from "../../harness/chance.ts";
import { fuzzReplies } from "../reply-fuzz.ts";

interface LabelledReply {
  readonly id: string;
  readonly note: string;
  readonly finish: string;
  readonly text: string;
  readonly expect: { actions: string[]; error: string | null; suggestions: number; warnings: string[] };
}

/** Labelled by the documents alone: those that were given, and a round that was written before anybody ran it. */
const labelled = ["protocol.jsonl", "protocol-6.jsonl"].flatMap((file) =>
  readFileSync(new URL(`../../data/${file}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line): LabelledReply => JSON.parse(line)),
);

const start = "---ACTIONS_JSON_START---";
const end = "---ACTIONS_JSON_END---";
const suggestions = "[SUGGESTIONS]\n1. one\n2. two\n";

const action = (change: Record<string, unknown> = {}) => ({
  id: "a1",
  api: "ssh.execute",
  title: "Look",
  description: "Looks at the disk.",
  params: { server: "db-1", command: "df -h" },
  ...change,
});
const block = (...actions: unknown[]) => `${start}\n${JSON.stringify({ actions })}\n${end}\n`;
const withCommand = (command: unknown) => action({ params: { server: "db-1", command } });

/** Ids, error and warnings of a reply that has suggestions, as the labelled data has them. */
const outcome = (text: string, options = {}) => {
  const parsed = parseReply(`${text}\n${suggestions}`, options);
  return { actions: parsed.actions.map((one) => one.id), error: parsed.error, warnings: parsed.warnings };
};
const read = (...actions: string[]) => ({ actions, error: null, warnings: [] });
const invalid = { actions: [], error: null, warnings: ["invalid-action"] };

describe("the labelled replies", () => {
  it.each(labelled)("PA-4 $id: $note", ({ text, finish, expect: expected }) => {
    const parsed = parseReply(text, { finish });
    expect({
      actions: parsed.actions.map((one) => one.id),
      error: parsed.error,
      suggestions: parsed.suggestions.length,
      warnings: [...parsed.warnings].sort(),
    }).toEqual({ ...expected, warnings: [...expected.warnings].sort() });
  });
});

describe("issue 18.8 a lone JSON fence", () => {
  const json = JSON.stringify({ actions: [action()] }, null, 2);
  it.each([
    ["a json fence", `LIKELY: full.\n\n\`\`\`json\n${json}\n\`\`\`\nMore.`, 1],
    ["a fence without a language", `LIKELY: full.\n\`\`\`\n${json}\n\`\`\`\nMore.`, 1],
    ["tildes", `LIKELY: full.\n~~~JSON\n${json}\n~~~\nMore.`, 1],
    ["a log in another fence", `LIKELY: full.\n\`\`\`\n{"level":1}\n\`\`\`\n\`\`\`json\n${json}\n\`\`\`\nMore.`, 1],
    ["two of them", `LIKELY: full.\n\`\`\`json\n${json}\n\`\`\`\n\`\`\`json\n${json}\n\`\`\`\nMore.`, 0],
    ["a quoted one", `LIKELY: full.\n> \`\`\`json\n> ${JSON.stringify({ actions: [action()] })}\n> \`\`\`\nMore.`, 0],
    ["a fence of another language", `LIKELY: full.\n\`\`\`yaml\n${json}\n\`\`\`\nMore.`, 0],
    ["actions that are no list", 'LIKELY: full.\n```json\n{"actions": {"a": 1}}\n```\nMore.', 0],
  ])("with actions is taken as a block: %s", (_what, text, taken) => {
    const { actions, prose, unmarked } = parseReply(`${text}\n${suggestions}`, {});
    expect(actions).toHaveLength(taken);
    expect(prose).toMatch(/^LIKELY: full\.[\s\S]*More\.$/);
    if (taken === 1)
      expect({ unmarked, held: prose.includes("ssh.execute") }).toEqual({ unmarked: false, held: false });
  });

  it("beside a block counts for nothing", () => {
    const text = `\`\`\`json\n${JSON.stringify({ actions: [action({ id: "fenced" })] })}\n\`\`\`\n${block(action())}`;
    expect(parseReply(text, {}).actions.map(({ id }) => id)).toEqual(["a1"]);
  });
});

describe("PA-3 where a block is found", () => {
  it.each([
    ["an array instead of an object", `${start}\n${JSON.stringify([action()])}\n${end}`],
    ["text on the lines of the markers", `See: ${start} ${JSON.stringify([action()])} ${end} Done.`],
    ["everything on one line", `${start}${JSON.stringify([action()])}${end}`],
    ["pretty-printed JSON", `${start}\n${JSON.stringify([action()], null, 4)}\n${end}`],
    ["markers in backticks", `\`${start}\`\n${JSON.stringify([action()])}\n\`${end}\``],
    ["markers as headings", `### ${start}\n${JSON.stringify([action()])}\n### ${end}`],
    ["markers with blanks", `--- ACTIONS_JSON_START ---\n${JSON.stringify([action()])}\n--- ACTIONS_JSON_END ---`],
    ["markers with long dashes", `—ACTIONS_JSON_START—\n${JSON.stringify([action()])}\n—ACTIONS_JSON_END—`],
    ["markers indented by three blanks", `   ${start}\n   ${JSON.stringify([action()])}\n   ${end}`],
    ["a fence round the block", `\`\`\`\n${block(action())}\`\`\``],
    ["a json fence round the block", `\`\`\`json\n${block(action())}\`\`\``],
    ["a tilde fence inside the markers", `${start}\n~~~json\n${JSON.stringify([action()])}\n~~~\n${end}`],
    ["a markdown fence round the whole reply", `\`\`\`markdown\nLIKELY: x\n\n${block(action())}\`\`\``],
    ["a fence round the block that nobody closes", `\`\`\`json\n${block(action())}`],
    ["an unclosed fence before it", `\`\`\`\nlog\n\n${block(action())}`],
    ["a byte order mark before the JSON", `${start}\n\uFEFF${JSON.stringify([action()])}\n${end}`],
    ["bare carriage returns", block(action()).replaceAll("\n", "\r")],
    ["the text of a log before it", `\`\`\`\nlog line\n\`\`\`\n${block(action())}`],
    ["markers that were only talked about before", `I put them between ${start} and ${end}.\n\n${block(action())}`],
  ])("reads %s", (_what, text) => expect(outcome(text)).toEqual(read("a1")));

  it.each([
    ["a quote", block(action()).replace(/^/gm, "> ")],
    ["an indented quote", block(action()).replace(/^/gm, "  > ")],
    ["code indented by a tab", block(action()).replace(/^/gm, "\t")],
    ["a fenced log", `\`\`\`\n14:02 checkout: started\n${block(action())}\`\`\``],
    ["talk about the markers", `Put JSON between \`${start}\` and \`${end}\`.`],
    ["talk about a marker at the start of a line", `\`${start}\` opens a block.`],
    ["talk about the markers in quotation marks", `The marker is "${start}"`],
    ["a thought", `<think>\n${block(action())}</think>`],
    ["a thought nobody ended", `<think>\n${block(action())}`],
    ["a thought whose beginning stood in the prompt", `Maybe this:\n${block(action())}</think>\nNothing to do.`],
    ["a thought within the reply", `Well.\n<think>\n${block(action())}</think>\nNothing.`],
  ])("takes nothing from %s", (_what, text) => {
    const parsed = parseReply(text, {});
    expect({ actions: parsed.actions, error: parsed.error }).toEqual({ actions: [], error: null });
  });

  it("what a model thought aloud is no prose", () => {
    expect(parseReply("<think>\nhidden\n</think>\nshown", {}).prose).toBe("shown");
    expect(parseReply("hidden\n</think>\nshown", {}).prose).toBe("shown");
  });

  it("a thinking tag inside a command is part of the command", () => {
    const parsed = parseReply(block(withCommand("grep '<think>' /var/log/app.log")), {});
    expect(parsed.actions[0]?.params.command).toBe("grep '<think>' /var/log/app.log");
  });

  it("markers inside a string are part of the string", () => {
    const text = `${start}\n${JSON.stringify([withCommand(`echo "${start}" '${end}'`)], null, 2)}\n${end}`;
    expect(parseReply(text, {}).actions[0]?.params.command).toBe(`echo "${start}" '${end}'`);
  });

  it("text before and after the block is what people read", () => {
    expect(parseReply(`Before.\n\n${block(action())}\nAfter.\n\n${suggestions}`, {}).prose).toBe("Before.\n\nAfter.");
  });
});

describe("PA-4 what cannot be read", () => {
  it.each([
    ["a block with no end", `${start}\n${JSON.stringify([action()])}`, "stop", "truncated"],
    [
      "a block cut in its end marker",
      `${start}\n${JSON.stringify([action()])}\n---ACTIONS_JSON_E`,
      "length",
      "truncated",
    ],
    ["a reply cut before any block", "I think that the", "length", "truncated"],
    ["an empty block", `${start}\n${end}`, "stop", "bad-json"],
    ["a comma too many", `${start}\n{"actions":[],}\n${end}`, "stop", "bad-json"],
    ["text after the JSON", `${start}\n{"actions":[]} and more\n${end}`, "stop", "bad-json"],
    ["unquoted keys", `${start}\n{actions:[]}\n${end}`, "stop", "bad-json"],
    ["a raw newline in a string", `${start}\n[{"id":"a\nb"}]\n${end}`, "stop", "bad-json"],
    ["a bare action", `${start}\n${JSON.stringify(action())}\n${end}`, "stop", "bad-shape"],
    ["actions that are no list", `${start}\n{"actions":{}}\n${end}`, "stop", "bad-shape"],
    ["a number", `${start}\n42\n${end}`, "stop", "bad-shape"],
    ["null", `${start}\nnull\n${end}`, "stop", "bad-shape"],
    ["100,000 open brackets", `${start}\n${"[".repeat(100_000)}\n${end}`, "stop", "bad-json"],
  ])("says so of %s", (_what, text, finish, error) => {
    const parsed = parseReply(text, { finish });
    expect({ actions: parsed.actions, error: parsed.error, notes: parsed.notes.length }).toEqual({
      actions: [],
      error,
      notes: 1,
    });
  });

  it("suggestions below a block with no end are read", () => {
    const parsed = parseReply(`${start}\n{"actions":[\n${suggestions}`, {});
    expect({ error: parsed.error, suggestions: parsed.suggestions }).toEqual({
      error: "truncated",
      suggestions: ["one", "two"],
    });
  });

  it("a whole block is read although the reply was cut after it", () => {
    expect(parseReply(`${block(action())}\n[SUGGESTIONS]\n1. on`, { finish: "length" })).toMatchObject({
      actions: [{ id: "a1" }],
      error: null,
    });
  });

  it("the last whole block counts, also where a later one has no end", () => {
    const text = `${block(action({ id: "old" }))}${block(action({ id: "new" }))}${start}\n[`;
    expect(parseReply(text, { finish: "length" })).toMatchObject({ actions: [{ id: "new" }], error: null });
  });

  it("a block with a start and no end gives way to the next", () => {
    expect(outcome(`${start}\n${JSON.stringify([action({ id: "old" })])}\n${block(action())}`)).toEqual({
      ...read("a1"),
      warnings: ["multiple-blocks"],
    });
  });

  it("an end without a start is told", () => {
    expect(parseReply(`words\n${end}\nmore`, {})).toMatchObject({ prose: "words\nmore", notes: [expect.any(String)] });
  });

  it.each([
    ["no api", action({ api: undefined })],
    ["an unknown api", action({ api: "ssh.upload" })],
    ["an api of Object's", action({ api: "toString" })],
    ["no title", action({ title: undefined })],
    ["no params", action({ params: undefined })],
    ["params that are a list", action({ params: ["db-1", "df -h"] })],
    ["no server", action({ params: { command: "df -h" } })],
    ["a server that is no name", action({ params: { server: "db-1; reboot", command: "df -h" } })],
    ["no command", action({ params: { server: "db-1" } })],
    ["an empty command", withCommand("  ")],
    ["a command that is a list", withCommand(["df", "-h"])],
    ["a command of more than 2,000 bytes", withCommand(`echo ${"ü".repeat(1_000)}`)],
    ["text", "df -h"],
    ["null", null],
  ])("leaves out an action with %s, with a note", (_what, one) => {
    const parsed = parseReply(`${block(one)}${suggestions}`, {});
    expect({ actions: parsed.actions, error: parsed.error, warnings: parsed.warnings }).toEqual(invalid);
    expect(parsed.notes).toEqual([expect.stringMatching(/^Left out the proposal .*\.$/)]);
  });

  it.each<[string, Record<string, unknown>, object]>([
    ["no id", { id: undefined }, { id: "1" }],
    ["a blank id", { id: " " }, { id: "1" }],
    ["an id that is a number", { id: 7 }, { id: "7" }],
    ["no description", { description: undefined }, { description: "Look" }],
    ["a blank description", { description: " " }, { description: "Look" }],
    ["an unknown risk", { risk: "safe" }, { risk: "high" }],
    ["a risk that is a number", { risk: 1 }, { risk: "high" }],
    ["an empty risk", { risk: "" }, {}],
  ])("issue 18.8 an action with %s is taken, and a missing description asked for", (what, change, made) => {
    const asked = what.endsWith("description")
      ? ['The agent does not describe "Look": what it does, and why now.']
      : [];
    const { actions, warnings, notes, lost } = parseReply(`${block(action(change))}${suggestions}`, {});
    const taken = { ...action(), ...made };
    expect({ actions, warnings, notes, lost }).toEqual({ actions: [taken], warnings: [], notes: asked, lost: asked });
  });

  it("issue 18.8 of several without an id each gets its own", () => {
    const plain = action({ id: undefined });
    expect(parseReply(block(plain, plain), {}).actions.map(({ id }) => id)).toEqual(["1", "2"]);
  });

  it.each([
    0x0a, 0x0d, 0x09, 0x00, 0x1b, 0x7f, 0x9b, 0xad, 0x200b, 0x202e, 0x2028, 0x2066, 0xfe0f, 0xfeff, 0xe0041, 0xe000,
    0x3164, 0x378,
  ])("SR-32 leaves out a command with U+%i", (code) => {
    expect(outcome(block(withCommand(`df -h${String.fromCodePoint(code)}x`)))).toEqual(invalid);
  });

  it("SR-32 other scripts as data are fine", () => {
    expect(outcome(block(withCommand("grep 'Gerät пример 例' /var/log/app.log")))).toEqual(read("a1"));
  });

  it("keeps the whole actions beside those left out", () => {
    expect(outcome(block(action({ title: "" }), action({ id: "good" })))).toEqual({
      ...read("good"),
      warnings: ["invalid-action"],
    });
  });

  it("leaves out a server that may not be named, and takes any name where none are given", () => {
    expect(outcome(block(action()), { servers: ["web-1"] })).toEqual(invalid);
    expect(outcome(block(action()), { servers: ["web-1", "db-1"] })).toEqual(read("a1"));
    expect(outcome(block(action()))).toEqual(read("a1"));
  });

  it("ssh.list_servers needs no params", () => {
    const list = action({ api: "ssh.list_servers", params: undefined });
    expect(parseReply(block(list), {}).actions).toEqual([
      { id: "a1", api: "ssh.list_servers", title: "Look", description: "Looks at the disk.", params: {} },
    ]);
  });

  it("a risk is read in any case, and null is none", () => {
    const parsed = parseReply(block(action({ risk: "HIGH" }), action({ id: "b", risk: null })), {});
    expect(parsed.actions.map((one) => one.risk)).toEqual(["high", undefined]);
  });

  it("the third of one id becomes id-3, and a taken name is not taken twice", () => {
    const ids = ["a", "a", "a", "a-2"].map((id) => action({ id }));
    expect(parseReply(block(...ids), { maxActions: 4 }).actions.map((one) => one.id)).toEqual([
      "a",
      "a-2",
      "a-3",
      "a-2-2",
    ]);
  });

  it("a thousand bad actions make few notes", () => {
    expect(parseReply(block(...Array.from({ length: 1_000 }, () => null)), {}).notes).toHaveLength(6);
  });
});

describe("AR-20 the checks of a change", () => {
  it.each([
    ["one line", "df -h", ["df -h"], undefined],
    ["a list", ["df -h", "uptime"], ["df -h", "uptime"], undefined],
    ["an empty list", [], undefined, undefined],
    ["empty words", "", undefined, undefined],
    ["more than a set holds", Array.from({ length: 9 }, () => "df -h"), undefined, "check has more than 8"],
    ["two lines in one", ["df -h\nrm x"], undefined, "check holds a line break"],
    ["a number among them", ["df -h", 1], undefined, "check is missing"],
  ])("are taken from %s", (_what, check, taken, why) => {
    const { actions, notes } = parseReply(block(action({ check })), {});
    expect({ check: actions[0]?.check, kept: actions.length }).toEqual({
      check: taken,
      kept: why === undefined ? 1 : 0,
    });
    if (why !== undefined) expect(notes.join()).toContain(why);
  });
});

describe("PA-5 at most three actions", () => {
  it("drops further ones with a note", () => {
    const parsed = parseReply(block(...["a", "b", "c", "d", "e"].map((id) => action({ id }))), {});
    expect(parsed.actions.map((one) => one.id)).toEqual(["a", "b", "c"]);
    expect(parsed.notes).toEqual(["Left out 2 more: at most 3 proposals at a time."]);
  });

  it("the operator's number holds", () => {
    expect(parseReply(block(...["a", "b"].map((id) => action({ id }))), { maxActions: 1 }).actions).toHaveLength(1);
  });
});

describe("AR-21 suggestions", () => {
  it.each([
    ["numbers with brackets", "[SUGGESTIONS]\n1) one\n2) two", ["one", "two"]],
    ["stars", "[SUGGESTIONS]\n* one\n* two", ["one", "two"]],
    ["bold numbers", "[SUGGESTIONS]\n**1.** one\n**2.** two", ["one", "two"]],
    ["plain lines", "[SUGGESTIONS]\none\ntwo\n\nprose", ["one", "two"]],
    ["a loose list", "[SUGGESTIONS]\n\n1. one\n\n2. two", ["one", "two"]],
    ["an introduction", "[SUGGESTIONS]\nYou could:\n- one\n- two", ["one", "two"]],
    ["items over two lines", "[SUGGESTIONS]\n1. one\n   more\n2. two", ["one more", "two"]],
    ["a bold header", "**[SUGGESTIONS]**\n1. one\n2. two", ["one", "two"]],
    ["a heading", "## [SUGGESTIONS]:\n1. one\n2. two", ["one", "two"]],
    ["a closing tag", "[SUGGESTIONS]\n1. one\n2. two\n[/SUGGESTIONS]\nprose", ["one", "two"]],
    ["a fence round them", "```\n[SUGGESTIONS]\n1. one\n2. two\n```", ["one", "two"]],
    ["a rule below plain lines", "[SUGGESTIONS]\none\ntwo\n\n***\nfooter", ["one", "two"]],
    ["numbers on lines of their own", "[SUGGESTIONS]\n1.\n   one\n2.\n   two", ["one", "two"]],
    ["a second block, which wins", "[SUGGESTIONS]\n- x\n- y\n\n[SUGGESTIONS]\n- one\n- two", ["one", "two"]],
  ])("reads %s", (_what, text, expected) => {
    const parsed = parseReply(text, {});
    expect({ suggestions: parsed.suggestions, warnings: parsed.warnings }).toEqual({
      suggestions: expected,
      warnings: [],
    });
  });

  it.each([
    ["none", "words", 0, "suggestions-missing"],
    ["an empty block", "[SUGGESTIONS]\n", 0, "suggestions-missing"],
    ["quoted ones", "> [SUGGESTIONS]\n> 1. one\n> 2. two", 0, "suggestions-missing"],
    ["one", "[SUGGESTIONS]\n1. one", 1, "too-few-suggestions"],
    ["five", "[SUGGESTIONS]\n1. a\n2. b\n3. c\n4. d\n5. e", 4, "too-many-suggestions"],
  ])("says so of %s", (_what, text, count, warning) => {
    const parsed = parseReply(text, {});
    expect({ count: parsed.suggestions.length, warnings: parsed.warnings }).toEqual({ count, warnings: [warning] });
  });

  it("they are no prose", () => {
    expect(parseReply(`Words.\n\n${suggestions}\nMore words.`, {}).prose).toBe("Words.\n\nMore words.");
  });
});

describe("AR-20 runbook links", () => {
  it("are gathered and leave the prose", () => {
    const text =
      "Words.\n- [Open runbook](https://ex.org/skills/disk-full/SKILL.md)\n[Open runbook: Log rotation](docs/logs.md) helps.";
    const parsed = parseReply(text, {});
    expect(parsed.runbooks).toEqual([
      { label: "disk-full", url: "https://ex.org/skills/disk-full/SKILL.md" },
      { label: "Log rotation", url: "docs/logs.md" },
    ]);
    expect(parsed.prose).toBe("Words.\nLog rotation helps.");
  });

  it.each([
    ["Follow [Open runbook](docs/disk-full.md) before anything else.", "Follow disk-full.md before anything else."],
    ["See [Open runbook: Disk](docs/d.md), then [Open runbook](https://ex.org/net/).", "See Disk, then net."],
    ["Do as in [Open runbook](javascript:alert(1)).", "Do as in the runbook."],
    ["Runbook: [Open runbook](.github/skills/disk-full/SKILL.md)", "Runbook: disk-full"],
    ["📖 **Runbook links** · [Open runbook](docs/a.md) · [Open runbook](docs/b.md)", ""],
  ])("a sentence that lost its link stays a sentence: %s", (text, prose) => {
    expect(parseReply(text, {}).prose).toBe(prose);
  });

  it.each(
    [
      ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "java%73cript:alert", "data:text/html,x", "mailto:a@b"],
      ["//evil.example/x", "https://user:pw@evil.example/", "https:///x", "../../secrets"],
      ["docs/%2e%2e/x", "\\\\evil\\x"],
    ].flat(),
  )("%s does not survive", (url) => {
    const parsed = parseReply(`a [Open runbook](${url}) b`, {});
    expect({ runbooks: parsed.runbooks, prose: parsed.prose }).toEqual({ runbooks: [], prose: "a the runbook b" });
    expect(parsed.notes).toHaveLength(1);
  });

  it("one in code is cited, not meant", () => {
    expect(parseReply("```\n[Open runbook](https://ex.org/)\n```", {}).runbooks).toEqual([]);
  });
});

describe("AR-18 phase, confidence and status", () => {
  it.each(["[PHASE] plan", "[PHASE: plan]", "Phase: plan", "**Phase 4 of 5 · Plan**", "## Phase: Plan"])(
    "%s names the phase",
    (line) => expect(parseReply(`LIKELY: x\n${line}\ny`, {})).toMatchObject({ phase: "plan", prose: "LIKELY: x\ny" }),
  );

  it.each(["The next phase is plan B for all of us", "phased out", "Phase of the moon"])("%s names none", (line) => {
    expect(parseReply(line, {}).phase).toBeUndefined();
  });

  it.each([
    ["CONFIRMED by 2: full.", "CONFIRMED"],
    ["**LIKELY** — x", "LIKELY"],
    ["\n\nINCONCLUSIVE", "INCONCLUSIVE"],
    ["__LIKELY__: x", "LIKELY"],
    ["`LIKELY`: x", "LIKELY"],
    ["We CONFIRMED it", "CONFIRMED"],
    ["It is not CONFIRMED", undefined],
    ['The word "CONFIRMED"', undefined],
    ["CONFIRMEDLY", undefined],
  ])("%j has confidence %s", (text, confidence) => expect(parseReply(text, {}).confidence).toBe(confidence));

  it("OP-5 a status has at most six words and leaves the prose", () => {
    const parsed = parseReply("<status>Reading the error log of the whole night</status>\nWords.", {});
    expect({ status: parsed.status, prose: parsed.prose }).toEqual({
      status: "Reading the error log of the",
      prose: "Words.",
    });
  });
});

describe("the protocol as the model is told it", () => {
  it("PA-1 its own example is read without a warning", () => {
    const template = readFileSync(new URL("../../../templates/prompt/protocol.md", import.meta.url), "utf8");
    const text = fillProtocol(template, {});
    const parsed = parseReply(text, { servers: ["web-1"] });
    expect({ actions: parsed.actions.length, suggestions: parsed.suggestions.length, error: parsed.error }).toEqual({
      actions: 1,
      suggestions: 2,
      error: null,
    });
    expect(() => fillProtocol("{{hole}}", {})).toThrow("hole");
    expect(text).toContain("`ssh.execute` (server, command) or `ssh.list_servers` (no params).");
  });

  it("replyRecord is one line of `countersign reply --jsonl`", () => {
    expect(JSON.parse(JSON.stringify(replyRecord(parseReply(block(action()), {}))))).toEqual({
      actions: [action()],
      suggestions: [],
      runbooks: [],
      warnings: ["suggestions-missing"],
      error: null,
    });
  });
});

describe("whatever the model writes", () => {
  it.each([
    ["behind the suggestions' header", `[SUGGESTIONS]${block(action())}`, 1, []],
    ["behind the header, in a fence", `[SUGGESTIONS]~~~~${JSON.stringify([action()])}`, 0, ["unmarked"]],
    ["where a fence names its language", `~~~~${JSON.stringify([action()])}\n${start}`, 0, ["truncated"]],
    ["among the suggestions", `[SUGGESTIONS]\n${JSON.stringify([action()])}\n1. a\n2. b`, 0, ["unmarked"]],
  ])("PA-4 a proposal %s is taken or told of", (_where, text, taken, told) => {
    const { actions, unmarked, error } = parseReply(text, {});
    expect(actions).toHaveLength(taken);
    expect([...(unmarked ? ["unmarked"] : []), ...(error ? [error] : [])].filter((one) => told.includes(one))).toEqual(
      told,
    );
  });

  it("AR-21 words above a list of suggestions are read, what only introduces it is not", () => {
    expect(parseReply("[SUGGESTIONS]\nMind the backup.\n1. a\n2. b", {})).toMatchObject({
      prose: "Mind the backup.",
      suggestions: ["a", "b"],
    });
    expect(parseReply("[SUGGESTIONS]\nYou could ask:\n1. a\n2. b", {})).toMatchObject({
      prose: "",
      suggestions: ["a", "b"],
    });
  });

  it("PA-4 never throws, keeps to its limits, and drops nothing silently", { tags: ["long"] }, () => {
    fuzzReplies(3_000);
  });

  it("PA-3 a good block is found whatever plain words stand round it", () => {
    const words = fc.string({
      unit: fc.constantFrom("a", "B", " ", "\n", ".", "é", "1", "-", "*", "#", "("),
      maxLength: 200,
    });
    fc.assert(
      fc.property(words, words, (before, after) => {
        const flat = before.replace(/^[ ]{4,}/gm, " ");
        expect(parseReply(`${flat}\n${block(action())}${after}`, {}).actions).toHaveLength(1);
      }),
    );
  });

  it("PA-3 a command comes out as it went in", () => {
    const commands = fc.string({ minLength: 1, maxLength: 200 }).filter((one) => one.trim() !== "");
    fc.assert(
      fc.property(commands, fc.constantFrom(0, 2), (command, indent) => {
        const text = `${start}\n${JSON.stringify([withCommand(command)], null, indent)}\n${end}`;
        expect(parseReply(text, {}).actions[0]?.params.command).toBe(command);
      }),
    );
  });

  it.each([
    ["one letter", "a".repeat(333_333)],
    ["dashes", "-".repeat(333_333)],
    ["markers on one line", `${start}{`.repeat(13_333)],
    ["ends on one line", end.repeat(13_333)],
    ["starts on lines of their own", `${start}\n`.repeat(13_333)],
    ["fences nobody closes", "```json\n".repeat(40_000)],
    ["fences that close together", `${"```json\n".repeat(40_000)}\`\`\``],
    ["wrapping fences that close together", `${"```md\n".repeat(40_000)}\`\`\``],
    ["pairs of fences", "```\n".repeat(66_666)],
    ["escaped quotes", `${start}"${'\\"'.repeat(166_666)}`],
    ["thoughts", "<think>\n".repeat(40_000)],
    ["ends of thoughts", "</think>\n".repeat(33_333)],
    ["suggestion headers", "[SUGGESTIONS]\n".repeat(23_333)],
    ["suggestions", `[SUGGESTIONS]\n${"- x\n".repeat(66_666)}`],
    ["continued suggestions", `[SUGGESTIONS]\n- x\n${"  y\n".repeat(66_666)}`],
    ["links", "[open runbook](".repeat(20_000)],
    ["brackets", "[open runbook".repeat(23_333)],
    ["status tags", "<status>".repeat(33_333)],
    ["blank lines", "\n".repeat(333_333)],
    ["blanks", `phase${" ".repeat(333_333)}`],
    ["backticks", `${start}\n${"`".repeat(333_333)}x\n${end}`],
    ["blanks behind a fence", `${start}\n\`\`\`${" ".repeat(333_333)}x\n${end}`],
    ["letters behind a fence", `${start}\n\`\`\`${"a".repeat(333_333)} x${end}`],
    ["valid actions", block(...Array.from({ length: 8_000 }, () => action()))],
  ])("SR-48 a flood of %s is read in linear time", { tags: ["long"] }, (_what, text) => {
    expect(parseReply(text, {}).actions.length).toBeLessThanOrEqual(3);
  });
});
