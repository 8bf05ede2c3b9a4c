import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTree } from "./architecture/source-tree.ts";
import { emptyPlaces, type Said, saidIn } from "./harness/said.ts";

const sources = readTree(fileURLToPath(new URL("..", import.meta.url)), ["src"]);
const said = saidIn(sources);

/** The texts' own words, without what fills their gaps and without code. */
const ownWords = (text: string): string => text.replace(/`[^`]*`/g, "").replace(/\{[^}]*\}/g, "");
const wordsIn = (text: string): number => ownWords(text).match(/[A-Za-z']{2,}/g)?.length ?? 0;
const lineOf = ({ from, text }: Said): string => `${from}: ${text}`;

/** What only those say who wrote it. */
const jargon =
  /\b(payload|webhook|transaction|enqueue\w*|queue\w*|daemon|stdout|stderr|null|undefined|exception|regex\w*|json|guid|rpc|mutex|delivery|repo|invalid|illegal|slot|parse\w*|timestamp|snapshot|backend)\b|[^!]!(?!\[)|\be\.g\./i;
/** Something to type, or to do. */
const nextStep = /`\/|\bwritten `|\b(Reopen|Write|Put|Shorten|Ask|ask|Which|Name|name|Decide|decide|Read|read)\b/;
/** The text goes on with what fills its gap. */
const goesOn = /\{[^}]*\}[.]?( Nothing was run\.)?$/;

describe("what the bot says in words of its own", () => {
  it("is looked for where files stand", () => {
    expect(emptyPlaces(sources)).toEqual([]);
  });

  it("PRODUCT all of it can be read in one place, templates/messages.md (after a change: npm run texts)", async () => {
    const catalogue = [
      "# What the bot says in its own words",
      "",
      "Longer comments are templates, in `comments/`. What stands here is taken from the source, where each text is changed; `{name}` is",
      "filled in. The agent's own words are the model's, in the language of whoever it answers. What `/help` says of each command stands",
      "in `src/slash/verbs.ts`, and in `docs/messages.md` as people see it.",
      ...[...Map.groupBy(said, ({ from }) => from)]
        .filter(([from]) => from !== "slash/verbs")
        .flatMap(([from, texts]) => [
          "",
          `## ${from}`,
          "",
          ...new Set(texts.map(({ text }) => `- ${text.trim().replace(/\s*\n\s*/g, " ⏎ ")}`)),
        ]),
      "",
    ].join("\n");
    await expect(catalogue).toMatchFileSnapshot("../templates/messages.md");
  });

  it("PRODUCT each is short, and in words that whoever is on call uses", () => {
    expect(said.filter(({ text }) => text.length > 280).map(lineOf)).toEqual([]);
    expect(said.filter(({ text }) => jargon.test(ownWords(text))).map(lineOf)).toEqual([]);
  });

  it("PRODUCT each answer to a mistake says what to do next", () => {
    const refusals = said.filter(({ isRefusal }) => isRefusal);
    expect(refusals.length).toBeGreaterThan(30);
    expect(refusals.filter(({ text }) => !nextStep.test(text) && !goesOn.test(text)).map(lineOf)).toEqual([]);
  });

  it("PRODUCT no sentence to people stands in two files", () => {
    const sentences = said.filter(
      ({ from, text }) => /^(commands|github)\//.test(from) && /[.?]$/.test(text) && wordsIn(text) > 3,
    );
    const twice = [...Map.groupBy(sentences, ({ text }) => text)].filter(
      ([, texts]) => new Set(texts.map(({ from }) => from)).size > 1,
    );
    expect(twice.map(([text]) => text)).toEqual([]);
  });
});
