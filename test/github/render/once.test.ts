import { describe, expect, test } from "vitest";
import { stoppedAnswer } from "../../../src/commands/act/approve.ts";
import { stateRefusal } from "../../../src/commands/answers.ts";
import { renderWhy } from "../../../src/commands/look/action.ts";
import { renderBatch } from "../../../src/github/render/batch.ts";
import { renderBoard } from "../../../src/github/render/board.ts";
import { renderCard, renderOwnCard, renderReminder } from "../../../src/github/render/card.ts";
import { renderRecord } from "../../../src/github/render/record.ts";
import type { Action } from "../../../src/store/actions.ts";
import { prose, proseWords } from "../../../src/text/prose.ts";
import { fc } from "../../harness/chance.ts";
import { htmlIn, seen } from "../../text/seen.ts";
import { action, board, byLee, card, hint, hypothesis, ink, run } from "./views.ts";

const texts = [
  "<img src=x onerror=alert(1)>",
  "&lt;img src=x&gt;",
  "a & b &amp; c",
  "the `<b>` tag",
  "</details><h1>x</h1>",
  "&amp;lt; &#60; &nbsp",
  "1 < 2 > 0 \\< \\& *x* [y](z)",
];

/** What draws somebody else's plain words, wherever they go. */
const places: Readonly<Record<string, (text: string) => string>> = {
  "a card's title": (title) => renderOwnCard([action(1, { title })], hint, ink),
  "a card's description": (description) => renderOwnCard([action(1, { description })], hint, ink),
  "a card's reasons": (text) =>
    renderOwnCard(
      [action(1, { findings: [{ risk: "high", text }], spec: { ...action(1).spec, risk: "high" } })],
      hint,
      ink,
    ),
  "a card's expectation": (contains) =>
    renderOwnCard([action(1, { spec: { ...action(1).spec, expect: { exit: 0, contains } } })], hint, ink),
  "a card's check": (check) => renderOwnCard([action(1, { spec: { ...action(1).spec, check } })], hint, ink),
  "a card's command": (command) => renderOwnCard([action(1, { spec: { ...action(1).spec, command } })], hint, ink),
  "a card's end": (stateReason) => renderOwnCard([action(1, { state: "void", stateReason })], hint, ink),
  suggestions: (text) => renderCard(card({ suggestions: [text] }), hint, ink),
  "runbook links": (label) => renderCard(card({ runbooks: [{ label, url: "https://a.example/x" }] }), hint, ink),
  "a card's notes": (text) => renderCard(card({ notes: [text] }), hint, ink),
  "a reminder": (title) => renderReminder([action(1, { title })], new Date(0), hint, ink),
  "the board's states": (stateReason) =>
    renderBoard(board({ actions: [action(1, { state: "void", stateReason })] }), ink),
  "what is going on": (doing) => renderBoard(board({ doing }), ink),
  "the board's notes": (text) => renderBoard(board({ notes: [text] }), ink),
  "the board's hypotheses": (says) => renderBoard(board({ hypotheses: [hypothesis({ says })] }), ink),
  "an output": (excerpt) => batchOf(run({ excerpt })),
  "what a server asks": (asks) => batchOf(run({ ending: { kind: "waiting-for-input", asks } })),
  // A sentence of its own, so its first letter is made large: the text is not the first.
  "why it did not start": (reason) => batchOf(run({ ending: { kind: "unreachable", reason: `It says: ${reason}` } })),
  "what nobody knows": (reason) => batchOf(run({ ending: { kind: "unknown", reason } })),
  "a surprise": (why) => batchOf(run({ outcome: { kind: "surprise", why } })),
  "a run card's note": (note) => renderBatch({ login: "lee", note, waitsFor: null, actions: [] }, ink),
  "a schedule's step": (title) => recordOf({ title }),
  "a schedule's command": (command) => recordOf({ command }),
  "a schedule's output": (excerpt) => recordOf({ excerpt }),
  "a step that was left out": (skipped) => recordOf({ skipped }),
  "why a risk": (text) => renderWhy("ls", [{ ruleId: "x", risk: "high", text }], [], ink),
  "why it is blocked": (text) => refusalOf({ state: "blocked", findings: [{ ruleId: "x", risk: "block", text }] }),
  "why it is void": (stateReason) => refusalOf({ state: "void", stateReason }),
  "what stops it": (words) =>
    stoppedAnswer({ kind: "stopped", lift: undefined, words: `x ${words}`, by: { by: "" }, kill: false }),
};

const batchOf = (one: ReturnType<typeof run>): string =>
  renderBatch(
    { login: "lee", note: null, waitsFor: null, actions: [action(1, { state: "done", verdicts: byLee, runs: [one] })] },
    ink,
  );

const recordOf = (change: object): string =>
  renderRecord(
    {
      failures: 0,
      suspended: undefined,
      runs: [
        {
          dueAt: new Date(0),
          state: "ok",
          why: null,
          steps: [{ step: 1, title: "Look", place: "web-1", server: "web-1", command: "uptime", ...change }],
        },
      ],
    },
    ink,
  );

const refusalOf = (change: object): string => {
  // What a refusal reads of it.
  const one = { ...action(1), ...change } as unknown as Action;
  const { what, next } = stateRefusal({ incident: { state: "open" }, action: one });
  return `${what} ${next}`;
};

const oursAlone = /^(?:<\/?details>|<details><summary>output<\/summary>|<\/?sub>)$/;

describe("what others wrote is drawn as they wrote it, escaped once", () => {
  test.each(Object.entries(places))("SR-42 in %s", (_place, draw) => {
    for (const text of texts) {
      const drawn = draw(text);
      // A note names things of others between backticks, which are drawn as code.
      const named = text.replace(/`([^`]*)`/g, "$1");
      expect([seen(drawn).includes(text), seen(drawn).includes(named)], drawn).toContain(true);
      expect(htmlIn(drawn).filter((html) => !oursAlone.test(html))).toEqual([]);
    }
  });

  test.each([
    ["<p>\n&lt;img src=x&gt;\n</p>", "<p> <img src=x> </p>"],
    ['see <b title="&quot;">it</b> &lt;i&gt;', 'see <b title=""">it</b> <i>'],
    ["a & b &amp; c &amp;lt;", "a & b & c &lt;"],
    ["the `<b>` and `&lt;` tag", "the <b> and &lt; tag"],
    ["\\<img src=x>", "<img src=x>"],
  ])("SR-31 Markdown %j reads %j", (written, read) => {
    expect(seen(ink.prose(written))).toBe(read);
    expect(htmlIn(ink.prose(written))).toEqual([]);
  });

  test("SR-31 prose that is written again reads the same: nothing is escaped on the way", { tags: ["long"] }, () => {
    const piece = fc.constantFrom(
      "&lt;",
      "&amp;",
      "&amp;lt;",
      "<b>",
      "</p>",
      "<p>\n",
      "`",
      "a ",
      " & ",
      "<!-- x -->",
      "\n\n",
      "&#60;",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (parts) => {
        const written = prose(parts.join(""));
        expect(seen(prose(written))).toBe(seen(written));
        expect(proseWords(written).replace(/\s+/g, "")).toBe(seen(written).replace(/\s+/g, ""));
      }),
      { numRuns: 500 },
    );
  });
});
