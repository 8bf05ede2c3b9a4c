import { describe, expect, it } from "vitest";
import { helpText, hintFor, type Moment } from "../../src/commands/look/help.ts";
import { commandFor, commands } from "../../src/commands/slash-comment.ts";
import { parseSlashCommand } from "../../src/slash/grammar.ts";
import { fc } from "../harness/chance.ts";

const lee = { see: true, propose: true, act: true, approve: true, missing: "" };
const sam = { see: true, propose: true, act: true, approve: false, missing: "only acme/oncall may" };
const rita = { see: true, propose: false, act: false, approve: false, missing: "needs write access; you have read" };
const calm: Moment = { isClosed: false, lift: undefined, questions: [], open: [], running: [], ended: undefined };
const low = (number: number) => ({ number, risk: "low", place: "web-1" });

/** What /help shows before the fold, and in it. */
function shown(
  rights: typeof lee,
  moment: Partial<Moment>,
): { readonly now: readonly string[]; readonly all: readonly string[] } {
  const [before = "", folded = ""] = helpText(rights, { ...calm, ...moment }).split("<details>");
  const lines = (text: string) => [...text.matchAll(/^- `([^`]+)` · /gm)].map(([, line = ""]) => line);
  return { now: lines(before), all: lines(folded) };
}

describe("/help", () => {
  it.each([
    [
      "with proposals",
      { open: [low(1), low(2), { ...low(3), risk: "high" }] },
      ["/approve 1 2", "/explain 1", "/reject 1", "/edit 1", "/ask", "/run <server>"],
    ],
    [
      "with high risk alone",
      { open: [{ ...low(3), risk: "high" }] },
      ["/approve 3 web-1 <why>", "/explain 3", "/reject 3", "/edit 3", "/ask", "/run <server>"],
    ],
    [
      "while one runs",
      { running: [4], open: [low(5)] },
      ["/cancel 4", "/output 4", "/wait 4 10m", "/approve 5", "/explain 5", "/reject 5"],
    ],
    [
      "on hold",
      { lift: "/resume", open: [low(5)], ended: 2 },
      ["/resume", "/explain 5", "/reject 5", "/edit 5", "/output 2", "/ask"],
    ],
    [
      "with a question",
      { questions: ["q1"], ended: 2 },
      ["/answer q1 yes", "/output 2", "/ask", "/run <server>", "/status", "/close"],
    ],
    ["when all is done", { ended: 7 }, ["/output 7", "/ask", "/run <server>", "/status", "/close", "/hold"]],
    [
      "when it is closed",
      { isClosed: true, ended: 7 },
      ["/output 7", "/status", "/verify", "/feedback up", "/explain 7", "/whoami"],
    ],
  ] as const)("PRODUCT shows the six that fit now, ready to be typed: %s", (_when, moment, now) => {
    expect(shown(lee, moment).now).toEqual(now);
  });

  it("PRODUCT whoever asks: at most six, each theirs to say and read as a command, and all of theirs folded", () => {
    const number = fc.integer({ min: 1, max: 99 });
    const moments = fc.record({
      isClosed: fc.boolean(),
      lift: fc.constantFrom(undefined, "/resume", "/resume all"),
      questions: fc.constantFrom([], ["q2"]),
      open: fc.array(
        fc.record({ number, risk: fc.constantFrom("low", "medium", "high"), place: fc.constant("web-1") }),
        { maxLength: 4 },
      ),
      running: fc.array(number, { maxLength: 3 }),
      ended: fc.option(number, { nil: undefined }),
    });
    fc.assert(
      fc.property(moments, fc.constantFrom(lee, sam, rita), (moment, rights) => {
        const { now, all } = shown(rights, moment);
        const verbs = now.map((text) => {
          const slash = parseSlashCommand(text, []);
          return slash?.kind === "command" ? slash.verb : text;
        });
        expect(new Set(verbs).size).toBe(now.length);
        expect(now.length).toBeGreaterThan(3);
        expect(now.length).toBeLessThanOrEqual(6);
        const mine = commands.filter(({ may }) => rights[may]);
        expect(verbs.filter((verb) => !mine.some((command) => command.verb === verb))).toEqual([]);
        expect(all).toEqual(mine.map(({ usage }) => usage));
      }),
    );
  });
});

describe("a command that is nearly one", () => {
  it.each([
    ["`/approve 7`", "/approve 7"],
    ["`/approve 7 8@1a2b3c4d` please", "/approve 7 8@1a2b3c4d"],
    ["``/approve all``", "/approve all"],
    ["`/ops approve 7`", "/approve 7"],
    ["`/hold`", "/hold"],
    ["`/approve`", "/approve <number>"],
    ["`/output 3 tail 50`", "/output 3"],
    ["/aprove 7", "/approve 7"],
    ["/halp", "/help"],
  ])("SR-22 PRODUCT %s is answered with %s, and nothing is run", (body, right) => {
    const slash = parseSlashCommand(body, ["ops"]);
    if (!slash) throw new Error("it is talk");
    expect(hintFor(slash)).toMatch(/^Nothing was run\. /);
    expect(/`([^`]+)`\??$/.exec(hintFor(slash))?.[1]).toBe(right);
    expect(commandFor(right.replace(/^\/(\w+).*/, "$1"))).toBeDefined();
  });
});
