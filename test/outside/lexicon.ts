/**
 * Learns which English word a word of another language stands for, for `src/runbooks/match/lexicon.json`: pairs of words, no text.
 *
 *     node --import ./check-node.mjs test/outside/lexicon.ts GITDIR LANGUAGE... > src/runbooks/match/lexicon.json
 *
 * GITDIR is the git directory of tldr-pages/tldr, whose pages are translated line by line. The pairs are those of IBM's Model 1: a word's
 * English word is the one that explains the lines it stands in. A rare word, a doubtful pair and one with a word that every page has are
 * left out.
 */

import { execFileSync } from "node:child_process";
import { bitsOf, plainTermsOf } from "../../src/runbooks/match/words.ts";

const rounds = 8;
const leastLines = 4;
const leastShare = { first: 0.4, second: 0.3 } as const;
const maxBuffer = 1 << 30;

const [directory = "", ...languages] = process.argv.slice(2);
const english = pagesIn("pages");
const englishWords = new Set([...english.values()].flat(2));
const lexicon = Object.fromEntries(
  languages.map((language) => [language, learn(pagesIn(`pages.${language}`)).join(" ")]),
);
console.log(JSON.stringify(lexicon, null, 1));

function learn(pages: ReadonlyMap<string, readonly (readonly string[])[]>): readonly string[] {
  const pairs = [...pages].flatMap(([name, lines]) => {
    const originals = english.get(name) ?? [];
    return originals.length === lines.length ? lines.map((words, at) => ({ words, others: originals[at] ?? [] })) : [];
  });
  const lines = new Map<string, number>();
  for (const { words } of pairs) for (const word of words) lines.set(word, (lines.get(word) ?? 0) + 1);
  let shares = new Map<string, Map<string, number>>();
  for (let round = 0; round < rounds; round++) {
    const counts = new Map<string, Map<string, number>>();
    for (const { words, others } of pairs)
      for (const other of others) {
        const weights = words.map((word) => (round === 0 ? 1 : (shares.get(word)?.get(other) ?? 0)));
        const all = weights.reduce((sum, weight) => sum + weight, 0);
        for (const [at, word] of words.entries()) {
          const weight = (weights[at] ?? 0) / (all || 1);
          if (weight < 0.001) continue;
          const row = counts.get(word) ?? new Map<string, number>();
          counts.set(word, row.set(other, (row.get(other) ?? 0) + weight));
        }
      }
    shares = counts;
    for (const row of shares.values()) {
      const all = [...row.values()].reduce((sum, count) => sum + count, 0);
      for (const [other, count] of row) row.set(other, count / all);
    }
  }
  return [...shares]
    .flatMap(([word, row]) => {
      if ((lines.get(word) ?? 0) < leastLines || englishWords.has(word) || /^\p{Script=Latin}{1,2}$|\d/u.test(word))
        return [];
      const [first, second] = [...row].toSorted((a, b) => b[1] - a[1]);
      const kept = [
        ...(first !== undefined && first[1] >= leastShare.first ? [first[0]] : []),
        ...(second !== undefined && second[1] >= leastShare.second ? [second[0]] : []),
      ].filter((other) => bitsOf(other) > 0);
      return kept.length === 0 || kept.includes(word) ? [] : [[word, ...kept].join("=")];
    })
    .toSorted();
}

/** By page, the words of its lines of prose. */
function pagesIn(folder: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const git = (args: readonly string[], input?: string) =>
    execFileSync("git", [`--git-dir=${directory}`, ...args], { input, encoding: "utf8", maxBuffer });
  const files = git(["ls-tree", "-r", "-z", "HEAD", `${folder}/`])
    .split("\0")
    .flatMap((line) => {
      const [, oid, path = ""] = /^\d+ blob (\w+)\t[^/]+\/(.*\.md)$/.exec(line) ?? [];
      return oid === undefined ? [] : [{ oid, path }];
    });
  const texts = git(["cat-file", "--batch"], files.map(({ oid }) => oid).join("\n")).split(
    /^[0-9a-f]{40} (?:blob \d+|missing)$/m,
  );
  return new Map(
    files.map(({ path }, at) => [
      path,
      (texts[at + 1] ?? "")
        .split("\n")
        .filter((line) => /^[>-] /.test(line) && !/https?:/.test(line))
        .map((line) => [...new Set(plainTermsOf(line.replace(/`[^`]*`/g, " ")))]),
    ]),
  );
}
