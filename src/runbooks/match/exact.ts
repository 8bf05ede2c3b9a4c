/** Finds codes and messages that only one runbook has (OFF-1). */

import { isRare } from "./background.ts";
import { camelCaseIn, quotedIn } from "./clean.ts";
import { conceptsIn } from "./concepts.ts";
import { type Candidate, withoutExclusions } from "./profile.ts";
import { termsOf, wordsOf } from "./words.ts";

/** By runbook index, the weight of what only it has of `text`; `words` are the text's. */
export type ExactMatcher = (text: string, words: readonly string[]) => ReadonlyMap<number, number>;

const weights = { description: 2, body: 1 } as const;
const maxQuoteWords = 30;

/** Indexes the runbooks. */
export function createExact(candidates: readonly Candidate[]): ExactMatcher {
  const owners = new Map<string, { readonly id: number; readonly weight: number } | undefined>();
  const quotes = new Map<string, string[]>();
  for (const [id, { name, description, body = "", metadata = {} }] of candidates.entries()) {
    const own = `${name}\n${withoutExclusions(description)}\n${metadata.service ?? ""}`;
    for (const [text, weight] of [
      [own, weights.description],
      [body, weights.body],
    ] as const) {
      // Of a body, the units that its commands name.
      const services =
        text === own
          ? servicesIn(metadata.service ?? "")
          : [...body.matchAll(unit)].flatMap(([, name = ""]) => servicesIn(name));
      const names = text === own ? [plainWords(name).join(" ")] : [];
      for (const sign of [...codesIn(text), ...quotesIn(text), ...names, ...services]) {
        if (!/^\d+(?:\.\d+)+$/.test(sign) && !isRare(termsOf(sign))) continue;
        const before = owners.get(sign);
        if (!owners.has(sign)) {
          // A service has many faults.
          owners.set(sign, { id, weight: services.includes(sign) ? weight / 2 : weight });
          const [first, second] = sign.split(" ");
          const start = `${first} ${second}`;
          if (second !== undefined) quotes.set(start, [...(quotes.get(start) ?? []), sign]);
        } else if (before?.id !== id) owners.set(sign, undefined);
      }
    }
  }

  return (text, words) => {
    const found = new Map<number, number>();
    const said = words.flatMap((word, at) => {
      const near = quotes.get(`${word} ${words[at + 1]}`);
      const rest = near === undefined ? "" : `${words.slice(at, at + maxQuoteWords).join(" ")} `;
      return near?.filter((quote) => rest.startsWith(`${quote} `)) ?? [];
    });
    for (const sign of new Set([...codesIn(text), ...said, ...words])) {
      const owner = owners.get(sign);
      if (owner !== undefined && conceptsIn(wordsOf(sign)).products.size === 0)
        found.set(owner.id, (found.get(owner.id) ?? 0) + (isName(sign) ? owner.weight / 2 : owner.weight));
    }
    return found;
  };
}

/** `ERR_CERT_DATE_INVALID`, `ORA-00257`, `EMFILE`, `FailedScheduling`, `datfrozenxid_age`, the range of an address. */
function codesIn(text: string): readonly string[] {
  const codes =
    text.match(
      /\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{1,6}-?\d{3,8}|E[A-Z]{4,14}|0x[\da-fA-F]{4,16}|[a-z][a-z0-9]+(?:_[a-z0-9]+)+)\b/g,
    ) ?? [];
  const ranges = [
    ...text.matchAll(/(?<![\d.])(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}|[x*]))?(?:\.(?:\d{1,3}|[x*]))?(?![\d.]*\d)/g),
  ];
  return [
    ...[...codes, ...camelCaseIn(text)].filter((code) => termsOf(code).length > 0),
    ...ranges.flatMap(([, a = "", b = "", c]) =>
      /^(?:169|100|198|203)$/.test(a) && c !== undefined ? [`${a}.${b}`] : [],
    ),
  ];
}

/** `GitHub` may be a product. */
const isName = (sign: string): boolean => /^[A-Z]?[a-z0-9]+[A-Z]+[a-z0-9]*$/.test(sign);

const quotesIn = (text: string): readonly string[] =>
  quotedIn(text)
    .map(plainWords)
    .filter((words) => words.length > 2 && words.length <= maxQuoteWords)
    .map((words) => words.join(" "));

const unit = /\b(?:systemctl\s+(?:--?\S+\s+)*[a-z-]+|journalctl\s(?:.*\s)?(?:-u|--unit))[ =]+([a-z][\w@.-]+)/g;

const servicesIn = (list: string): readonly string[] =>
  list.split(/[\s,;]+/).map((name) => plainWords(name.replace(/\.(?:service|timer|socket)$/, "")).join(" "));

const plainWords = (text: string): readonly string[] => wordsOf(text).map((spellings) => spellings[0] ?? "");
