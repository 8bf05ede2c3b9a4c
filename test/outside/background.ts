/**
 * Counts how common words are in public operations texts, for `src/runbooks/match/background.json`: numbers only, no text.
 *
 *     node --import ./check-node.mjs test/outside/background.ts [LANGUAGE=]GITDIR[:FOLDER]... > src/runbooks/match/background.json
 *
 * Each argument is a collection: the git directory of a public repository (none is part of this one), or a folder of it; without a
 * language it is English. A passage is some sixty words of a file. A word's share is the mean of its shares in a language's collections,
 * without the highest of them, so that a product's own manual does not make its name common; then the highest of all languages. Class n
 * holds the words that about one of 2^n passages has. A word of fewer than three collections, or of one collection in a language that has
 * no more, of fewer than five passages, is left out, and so is what is as rare as an unknown word.
 */

import { execFileSync } from "node:child_process";
import { plainTermsOf, rarestClass } from "../../src/runbooks/match/words.ts";

const passageWords = 60;
const leastCollections = 3;
const leastPassages = 5;
const maxBuffer = 1 << 30;

interface Collection {
  readonly language: string;
  readonly passages: number;
  readonly having: ReadonlyMap<string, number>;
}

const byLanguage = Map.groupBy(process.argv.slice(2).map(read), ({ language }) => language);
const shares = new Map<string, number>();
for (const collections of byLanguage.values()) {
  const words = new Set(collections.flatMap(({ having }) => [...having.keys()]));
  for (const word of words) {
    const counts = collections.map(({ having }) => having.get(word) ?? 0);
    const having = counts.filter((count) => count > 0).length;
    const isKept =
      having >= leastCollections || (collections.length < leastCollections && Math.max(...counts) >= leastPassages);
    if (!isKept) continue;
    const rates = counts.map((count, at) => count / (collections[at]?.passages ?? 1)).toSorted((a, b) => a - b);
    const taken = rates.length < leastCollections ? rates : rates.slice(0, -1);
    const share = taken.reduce((sum, rate) => sum + rate, 0) / taken.length;
    shares.set(word, Math.max(shares.get(word) ?? 0, share));
  }
}
const classes = Array.from({ length: rarestClass }, (): string[] => []);
for (const [word, share] of shares) classes[Math.round(-Math.log2(share))]?.push(word);
console.log(
  JSON.stringify(
    classes.map((words) => words.toSorted().join(" ")),
    null,
    2,
  ),
);

function read(argument: string): Collection {
  const [, language = "en", directory = "", folder = ""] = /^(?:(\w+)=)?([^:]+)(?::(.*))?$/.exec(argument) ?? [];
  const git = (args: readonly string[], input?: string) =>
    execFileSync("git", [`--git-dir=${directory}`, ...args], { input, encoding: "utf8", maxBuffer });
  const files = git(["ls-tree", "-r", "-z", "HEAD", ...(folder === "" ? [] : [`${folder}/`])])
    .split("\0")
    .flatMap((line) => /^\d+ blob (\w+)\t.*\.(?:md|mdx|rst|txt|adoc|asciidoc|xml|ya?ml)$/s.exec(line)?.[1] ?? []);
  const text = git(["cat-file", "--batch"], files.join("\n"));
  const having = new Map<string, number>();
  let passages = 0;
  for (const file of text.split(/^[0-9a-f]{40} (?:blob \d+|missing)$/m)) {
    const terms = plainTermsOf(file);
    for (let at = 0; at < terms.length; at += passageWords) {
      passages++;
      for (const term of new Set(terms.slice(at, at + passageWords)))
        if (term.length <= 24 && /\p{L}/u.test(term)) having.set(term, (having.get(term) ?? 0) + 1);
    }
  }
  return { language, passages, having };
}
