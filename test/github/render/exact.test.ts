import type { Nodes } from "mdast";
import { describe, expect, test } from "vitest";
import { renderAction, renderOwnCard } from "../../../src/github/render/card.ts";
import { renderCommand } from "../../../src/github/render/ink.ts";
import { readCard } from "../../../src/github/render/read-card.ts";
import { stepOf } from "../../../src/github/render/record.ts";
import { admit } from "../../../src/risk/admit.ts";
import { quote, wrap } from "../../../src/ssh/wrap.ts";
import { fc } from "../../harness/chance.ts";
import { server } from "../../ssh/inventory-entry.ts";
import { heardBy } from "../../text/bots.ts";
import { nodesOf, parse, pieces } from "../../text/markdown.ts";
import { action, hint, ink, target } from "./views.ts";

/** Whatever may stand in a command: what Markdown, shells and other bots care for, and any other character. */
const part = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...pieces.map((piece) => piece.replace(/(?!\n)\p{C}/gu, ""))) },
  fc.constantFrom(
    "echo ",
    "cat <<EOF\n",
    "\nEOF",
    "\\\n",
    "\n  ",
    " \\",
    "\n/approve 1\n",
    "\n @mona",
    "\n.deploy",
    "\n````",
    "'",
    '"',
  ),
  fc.string({ maxLength: 6, unit: "grapheme" }),
);
const given = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
const admitted = given.map((text) => admit(text, "person")).filter((answer) => answer.ok);

const codesIn = (markdown: string): readonly string[] =>
  nodesOf(parse(markdown)).flatMap((node: Nodes) => (node.type === "code" ? [node.value] : []));

const showing = (command: string, tidied: readonly string[] = []) =>
  action(1, { spec: { place: "web-1", targets: [target("web-1")], command, tidied, risk: "low" } });

describe("a command that was admitted", () => {
  test("SR-20 SR-31 SR-43 is on its card byte for byte what is wrapped, and no line of the card is another bot's", {
    tags: ["long"],
  }, () => {
    let quoted = 0;
    fc.assert(
      fc.property(admitted, ({ command, tidied }) => {
        const card = renderOwnCard([showing(command, tidied), showing("uptime")], hint, ink);
        expect(codesIn(card)).toEqual([command, "uptime"]);
        expect(readCard(card).map((shown) => shown.command)).toEqual([command, "uptime"]);
        expect(heardBy(card)).toEqual([]);
        expect(card.includes("│")).toBe(command.includes("│"));
        const wrapped = wrap(server(), command, "linux");
        expect(wrapped.endsWith(` ${quote(command)}`)).toBe(true);
        expect(codesIn(renderCommand(wrapped, ink))).toEqual([wrapped]);
        expect(heardBy(renderCommand(wrapped, ink))).toEqual([]);
        if (card.includes("\n  > ")) quoted++;
      }),
      { numRuns: 600 },
    );
    expect(quoted).toBeGreaterThan(30);
  });

  test("SR-34 is admitted again as it is", () => {
    fc.assert(
      fc.property(admitted, ({ command }) => {
        expect(admit(command, "person")).toEqual({ ok: true, command, tidied: [] });
      }),
    );
  });

  test("SR-31 SR-43 that another bot could hear stands in a quote, without a mark, and the card says why", () => {
    expect(renderAction(showing("cat <<EOF\n\n/approve 1\nbors r+\nEOF"), ink).split("\n").slice(1)).toEqual([
      "  *quoted, so that no other bot takes a line of it for its own command:*",
      "  > ```sh",
      "  > cat <<EOF",
      "  >",
      "  > /approve 1",
      "  > bors r+",
      "  > EOF",
      "  > ```",
    ]);
    expect(renderAction(showing("df -h\n/usr/bin/du -sh /srv"), ink)).not.toContain(">");
  });

  test("SR-34 and is not what was written says so above its block", () => {
    const drawn = renderAction(showing("df -h", ["spaces around it removed", "line ends changed to LF"]), ink);
    expect(drawn).toContain(
      "\n  *changed from what was written:* spaces around it removed; line ends changed to LF\n  ```sh\n  df -h\n  ```",
    );
  });

  test("SR-43 of a schedule is shown the same way", () => {
    const step = { step: 1, title: "Look", place: "web-1", server: "web-1", command: "echo a\n/approve 1" };
    const drawn = stepOf(step, 1, ink);
    expect(codesIn(drawn)).toEqual([step.command]);
    expect(heardBy(drawn)).toEqual([]);
  });
});

describe("a card that somebody else changed", () => {
  const command = "cat <<EOF\n- [ ] a\n```\n  b \nEOF";
  const card = renderOwnCard([showing(command)], hint, ink);
  test.each([
    ["a blank at the end of a line", card.replace("  b \n", "  b  \n")],
    ["a blank before a line", card.replace("\n    b", "\n     b")],
    ["a tick in a here-document", card.replace("[ ] a", "[x] a")],
    ["a fence that ends earlier", card.replaceAll("````", "```")],
    ["a line out of its block", card.replace("\n  EOF", "\nEOF")],
    ["a mark", card.replace("\n  EOF", "\n  │ EOF")],
  ])("SR-55 by %s is read as another command", (_how, changed) => {
    expect(changed).not.toBe(card);
    expect(readCard(changed)[0]?.command).not.toBe(command);
    expect(readCard(card)[0]?.command).toBe(command);
  });

  test("SR-55 is read as Markdown reads it, wherever a line of it went", () => {
    const lines = card.split("\n");
    fc.assert(
      fc.property(fc.nat(lines.length - 1), fc.constantFrom("", " ", "  ", "> ", "   ```", "  ````"), (at, piece) => {
        const changed = lines.map((line, index) => (index === at ? piece + line : line)).join("\n");
        const [read] = readCard(changed);
        const [shown] = codesIn(changed);
        if (read?.command === command) expect(shown).toBe(command);
      }),
    );
  });
});
