import type { ListItem, Nodes, Root } from "mdast";
import { describe, expect, test } from "vitest";
import { renderBatch } from "../../../src/github/render/batch.ts";
import { renderBoard } from "../../../src/github/render/board.ts";
import { renderCard, renderOwnCard } from "../../../src/github/render/card.ts";
import { explainUnknown } from "../../../src/github/render/ending.ts";
import { fc } from "../../harness/chance.ts";
import { heardBy } from "../../text/bots.ts";
import { nodesOf, parse, pieces, shortcode, textOutsideCode } from "../../text/markdown.ts";
import { action, board, byLee, card, high, hint, hypothesis, ink, medium, run, target } from "./views.ts";

/** What a hijacked model, an attacker's issue or a server may say anywhere. */
const hostile = fc
  .array(fc.constantFrom(...pieces, " | ", "✅ exit 0", "🟢 low", "- [x] **2**", "`web-9`"), { maxLength: 12 })
  .map((parts) => parts.join(""));
/** Commands as they are admitted: no control character but a newline, and something to see. */
const command = hostile.map((text) => `echo ${text.replace(/(?!\n)\p{C}/gu, "")}`);

const of = (markdown: string, type: Nodes["type"]): readonly Nodes[] =>
  nodesOf(parse(markdown)).filter((node) => node.type === type);
const textOf = (node: Nodes): string =>
  nodesOf(node)
    .map((inner) => (inner.type === "text" || inner.type === "inlineCode" ? inner.value : ""))
    .join("");

/** Nothing that a reader could take for ours, or that acts on its own: headings, HTML, images, links, mentions, commands. */
function isInert(markdown: string): void {
  const active = ["heading", "html", "image", "imageReference", "footnoteReference", "definition"];
  expect(
    nodesOf(parse(markdown))
      .map((node) => node.type)
      .filter((type) => active.includes(type)),
  ).toEqual([]);
  expect(textOutsideCode(markdown)).not.toMatch(/(?:^|[^\w`])@\w|#\d|GH-\d/);
  expect(textOutsideCode(markdown)).not.toMatch(shortcode);
}

/** The entries of a card, as a reader sees them. */
const entriesOf = (root: Root): readonly ListItem[] =>
  root.children.flatMap((node) => (node.type === "list" ? node.children : []));

describe("whatever is said", () => {
  test("SR-31 a card has exactly the entries of its actions, with number, risk and server first and the command in its fence", {
    tags: ["long"],
  }, () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ title: hostile, description: hostile, command }), { maxLength: 3 }),
        hostile,
        (drafts, prose) => {
          const actions = drafts.map(({ command, ...said }, index) =>
            action(index + 1, { ...said, spec: { place: "web-1", targets: [target("web-1")], command, risk: "low" } }),
          );
          const drawn = renderCard(card({ actions, prose }), hint, ink);
          isInert(drawn);
          const entries = entriesOf(parse(drawn));
          expect(entries).toHaveLength(actions.length);
          for (const [index, entry] of entries.entries()) {
            expect(entry.checked).toBe(false);
            expect(textOf(entry)).toMatch(new RegExp(`^${index + 1} · 🟢 low · web-1 · `));
            const [paragraph, code, ...more] = entry.children;
            expect(more).toEqual([]);
            expect(paragraph?.type).toBe("paragraph");
            const block = code?.type === "blockquote" ? code.children[0] : code;
            expect(block).toMatchObject({ type: "code", lang: "sh", value: actions[index]?.spec.command });
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("SR-31 prose stands above the list and holds no list, heading, fence, quote, table or HTML", () => {
    fc.assert(
      fc.property(hostile, (prose) => {
        const drawn = renderCard(card({ prose, actions: [action(1)] }), hint, ink);
        const types = parse(drawn).children.map((node) => node.type);
        expect(types.filter((type) => type !== "paragraph")).toEqual(["list"]);
        expect(of(drawn, "code")).toHaveLength(1);
      }),
      { numRuns: 60 },
    );
  });

  test("SR-31 in medium and high entries our reasons come before the command, and the findings' words are inert", () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(medium, high), (text, make) => {
        const risk = make === medium ? "medium" : "high";
        const drawn = renderOwnCard([make(1, { title: text, findings: [{ risk, text }] })], hint, ink);
        isInert(drawn);
        const [entry] = entriesOf(parse(drawn));
        expect(entry && textOf(entry)).toContain(`why ${risk}:`);
        expect(entriesOf(parse(drawn))).toHaveLength(1);
      }),
      { numRuns: 60 },
    );
  });

  test("SR-42 suggestions stay one line each, runbook links and notes one paragraph, and links lead where they say", () => {
    fc.assert(
      fc.property(hostile, hostile, (text, path) => {
        const url = `https://runbooks.acme.example/${encodeURI(path.replace(/[\ud800-\udfff]/g, ""))}`;
        const drawn = renderCard(
          card({ suggestions: [text, text], runbooks: [{ label: text, url }], notes: [text] }),
          hint,
          ink,
        );
        isInert(drawn);
        const types = parse(drawn).children.map((node) => node.type);
        expect(types).toEqual(["paragraph", "paragraph", "paragraph", "list", "paragraph", "paragraph"]);
        expect(of(drawn, "listItem")).toHaveLength(2);
        for (const link of of(drawn, "link"))
          expect(link).toHaveProperty("url", expect.stringMatching(/^https:\/\/runbooks\./));
      }),
      { numRuns: 60 },
    );
  });

  test("SR-31 the board has one line an action that begins with its state; the command cannot speak for it", () => {
    fc.assert(
      fc.property(command, hostile, (command, doing) => {
        const spec = { ...action(1).spec, command };
        const drawn = renderBoard(board({ doing, notes: [doing], actions: [action(1, { spec }), action(2)] }), ink);
        const lines = of(drawn, "listItem").map(textOf);
        expect(lines).toHaveLength(2);
        for (const [at, line] of lines.entries()) {
          expect(line.startsWith(`${at + 1}: 🟢 low · waits for approval · `), line).toBe(true);
          expect(line.endsWith(" on web-1"), line).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("SR-31 SR-42 AR-15 a hypothesis on the board is one line, and inert", () => {
    fc.assert(
      fc.property(hostile, (says) => {
        const drawn = renderBoard(board({ hypotheses: [hypothesis({ says }), hypothesis({ says: "last" })] }), ink);
        expect(of(drawn, "listItem")).toHaveLength(2);
        expect(heardBy(drawn)).toEqual([]);
        isInert(drawn.slice(0, drawn.indexOf("<sub>")));
      }),
      { numRuns: 60 },
    );
  });

  test("SR-42 SR-43 a run's output is one fence, and no line of it is a command to a bot", () => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (excerpt, failed) => {
        const ending = { kind: "exited", code: failed ? 1 : 0 } as const;
        const actions = [action(1, { state: "done", verdicts: byLee, runs: [run({ ending, excerpt })] })];
        const drawn = renderBatch({ login: "lee", note: null, waitsFor: null, actions }, ink);
        expect(of(drawn, "code")).toHaveLength(excerpt === "" ? 0 : 1);
        expect(heardBy(drawn)).toEqual([]);
        expect(of(drawn, "html").map((node) => "value" in node && node.value)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("AR-12 what a server asks, and why it could not be reached, is one inert paragraph", { tags: ["long"] }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const endings = [
          { kind: "waiting-for-input", asks: text },
          { kind: "unreachable", reason: text, remedy: text },
          { kind: "unknown", reason: text },
        ] as const;
        for (const ending of endings) {
          const actions = [action(1, { state: "done", verdicts: byLee, runs: [run({ ending, excerpt: "" })] })];
          const drawn = renderBatch({ login: "lee", note: text, waitsFor: null, actions }, ink);
          isInert(drawn);
          expect(new Set(parse(drawn).children.map((node) => node.type))).toEqual(new Set(["paragraph"]));
        }
        const ending = { kind: "unknown", reason: text } as const;
        const explained = explainUnknown({ number: 1, runs: [run({ ending }), run({ ending, server: "web-2" })] }, ink);
        isInert(explained);
        expect(parse(explained).children.map((node) => node.type)).toEqual(["paragraph", "paragraph"]);
      }),
      { numRuns: 60 },
    );
  });
});
