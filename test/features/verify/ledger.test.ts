import { describe, expect, it } from "vitest";
import {
  compare,
  type Discrepancy,
  type LedgerEntry,
  type LedgerWord,
  type PostedComment,
  rebuild,
  type SeenComment,
  type StoredLedger,
} from "../../../src/features/verify/ledger.ts";
import { renderProposalRecords, renderRunRecords, withRecords } from "../../../src/github/render/record.ts";

const sha = "cd".repeat(32);
const at = (second: number): Date => new Date(Date.UTC(2026, 2, 1, 14, 0, second));

const card = (number: number, command = "df -h"): string =>
  withRecords(
    `- [ ] **${number}** · 🟢 low · \`web-1\` · **Look**\n  \`\`\`sh\n  ${command}\n  \`\`\``,
    renderProposalRecords([{ number, digest: `digest ${number}`, origin: "model", authorLogin: null }]),
  );
const results = (number: number, code = 0): string =>
  withRecords(
    `**${number}** · exit ${code}`,
    renderRunRecords(
      [
        {
          number,
          verdicts: [{ verdict: "approve", login: "lee", commentId: 30 }],
          runs: [{ server: "web-1", step: null, ending: { kind: "exited", code }, redactedSha256: sha }],
        },
      ],
      false,
    ),
  );

const ours = (id: number, mark: string, body: string): SeenComment => ({
  id,
  ours: true,
  login: "countersign",
  body,
  mark,
  sha256: "",
  createdAt: at(id),
  edited: true,
  editor: "countersign",
  hidden: undefined,
  imitates: undefined,
});
const person = (id: number): SeenComment => ({
  ...ours(id, "", ""),
  ours: false,
  login: "lee",
  mark: undefined,
  sha256: "as it was",
  edited: false,
  editor: undefined,
});
const posted = (id: number, mark: string, body: string, numbers: readonly number[]): PostedComment => ({
  mark,
  slot: mark,
  bodies: [body],
  githubId: id,
  settled: true,
  firstPostedAt: at(id),
  parked: null,
  numbers,
  failed: false,
});
const word: LedgerWord = {
  commentId: 30,
  login: "lee",
  kinds: ["command_approved"],
  numbers: [1],
  sha256: "as it was",
  withdrawn: false,
};
const entry = (number: number, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  number,
  digest: `digest ${number}`,
  by: "model",
  risk: "low",
  place: "web-1",
  command: "df -h",
  gone: undefined,
  approvals: [],
  runs: [],
  unlisted: 0,
  ...change,
});

/** An issue as it should be: two cards, an approval and the results of it, and one comment that says nothing of the record. */
const seen = [
  ours(10, "a", card(1)),
  ours(20, "b", card(2)),
  person(30),
  ours(40, "c", results(1)),
  person(50),
] as const;
const held: StoredLedger = {
  posted: [posted(10, "a", card(1), [1]), posted(20, "b", card(2), [2]), posted(40, "c", results(1), [1])],
  words: [word],
  entries: [
    entry(1, { approvals: [{ login: "lee", commentId: 30 }], runs: [{ server: "web-1", end: 0, outputSha256: sha }] }),
    entry(2),
  ],
  moving: [],
  reposted: new Set(),
};

const with1 = <T extends { readonly id: number }>(list: readonly T[], id: number, change: Partial<T>): readonly T[] =>
  list.map((one) => (one.id === id ? { ...one, ...change } : one));
const without = (id: number) => seen.filter((one) => one.id !== id);
const heldWith = (githubId: number, change: Partial<PostedComment>): StoredLedger => ({
  ...held,
  posted: held.posted.map((one) => (one.githubId === githubId ? { ...one, ...change } : one)),
});
/** A finding in short: its kind and where it is. */
const short = (finding: Discrepancy): string =>
  finding.kind === "differs"
    ? `differs ${finding.number} ${finding.what}: ${finding.issue} / ${finding.store}`
    : `${finding.kind} ${"at" in finding ? finding.at.id : "posted" in finding ? finding.posted.mark : "word" in finding ? finding.word.commentId : ""}`;
const found = (issue: readonly SeenComment[], store: StoredLedger = held): readonly string[] =>
  compare(issue, store).map(short);

const unsent = (githubId: number, change: Partial<PostedComment> = {}) =>
  heldWith(githubId, { githubId: null, settled: false, ...change });
const running = { ...heldWith(40, { bodies: ["running"] }), moving: [1] };

const fine: readonly (readonly [what: string, issue: readonly SeenComment[], store?: StoredLedger])[] = [
  ["an issue as it should be", seen],
  ["whatever the order in which GitHub gives it", seen.toReversed()],
  [
    "line ends and a box that was ticked",
    with1(seen, 10, { body: `${card(1).replace("[ ]", "[x]").replaceAll("\n", "\r\n")}\r\n` }),
  ],
  [
    "an edit that is still in the outbox",
    with1(seen, 10, { body: "drawn anew" }),
    heldWith(10, { bodies: [card(1), "drawn anew"], settled: false }),
  ],
  ["a comment that is not posted yet", without(20), unsent(20)],
  ["one that was posted while the issue was read", without(20), heldWith(20, { settled: false })],
  ["one of which the answer was lost", seen, unsent(20)],
  ["a card that the bot has tidied away", with1(seen, 10, { hidden: "OUTDATED" })],
  ["what was put back further down", with1(seen, 10, { createdAt: at(59) }), { ...held, reposted: new Set(["a"]) }],
  ["a run that is under way", with1(seen, 40, { body: "running" }), running],
  ["an approval taken back in time", without(30), { ...held, words: [{ ...word, withdrawn: true }], moving: [1] }],
];

const wrong: readonly (readonly [
  what: string,
  issue: readonly SeenComment[],
  store: StoredLedger,
  names: readonly string[],
])[] = [
  [
    "an edited card",
    with1(seen, 10, { body: card(1, "rm -rf /") }),
    held,
    ["edited 10", "differs 1 the command: rm -rf / / df -h"],
  ],
  ["a card whose marker was taken off", with1(seen, 10, { mark: undefined }), held, ["edited 10"]],
  ["an edited output", with1(seen, 40, { body: `fine\n${results(1)}` }), held, ["edited 40"]],
  [
    "another exit code",
    with1(seen, 40, { body: results(1, 1) }),
    held,
    ["edited 40", "differs 1 how it ended on web-1: 1 / 0"],
  ],
  [
    "a deleted run card",
    without(40),
    held,
    ["deleted c", "differs 1 who approved it: nobody / @lee", "differs 1 where it ran: nowhere / web-1"],
  ],
  ["a deleted card", without(20), held, ["deleted b"]],
  ["a deleted approval", without(30), held, ["word-deleted 30", "differs 1 who approved it: nobody / @lee"]],
  ["an edited approval", with1(seen, 30, { sha256: "other" }), held, ["word-edited 30"]],
  [
    "an edited word of which no hash is kept",
    with1(seen, 30, { edited: true }),
    { ...held, words: [{ ...word, sha256: undefined }] },
    ["word-edited 30"],
  ],
  ["a hidden approval", with1(seen, 30, { hidden: "resolved" }), held, ["word-hidden 30"]],
  ["a hidden failure", with1(seen, 40, { hidden: "resolved" }), heldWith(40, { failed: true }), ["hidden 40"]],
  ["a card called spam", with1(seen, 10, { hidden: "spam" }), held, ["hidden 10"]],
  [
    "two cards in each other's place",
    with1(with1(seen, 10, { body: card(2), mark: "b" }), 20, { body: card(1), mark: "a" }),
    held,
    ["reordered 10", "reordered 20"],
  ],
  ["a card at another time", with1(seen, 10, { createdAt: at(45) }), held, ["displaced 10"]],
  ["a look-alike", with1(seen, 50, { imitates: [1] }), held, ["forged 50"]],
  ["a comment in our name", [...seen, ours(60, "x", "All is well.")], held, ["unknown 60"]],
  ["a card in our name of an action that never was", [...seen, ours(60, "x", card(9))], held, ["unknown 60"]],
  ["a second copy", [...seen, ours(60, "a", card(1))], held, ["copied 60"]],
  ["what could not be posted", without(20), unsent(20, { parked: "locked" }), ["unposted b"]],
  [
    "a store that has another digest",
    seen,
    { ...held, entries: [entry(1, { ...held.entries[0], digest: "other" }), entry(2)] },
    ["differs 1 its digest: digest 1 / other"],
  ],
  [
    "a store that knows no such action",
    seen,
    { ...held, entries: held.entries.slice(0, 1) },
    ["differs 2 its card: there / no such action"],
  ],
  [
    "a store with more than the issue",
    seen,
    { ...held, entries: [...held.entries, entry(3)] },
    ["differs 3 its card: not there / posted"],
  ],
];

describe("what /verify finds", () => {
  it.each(fine.map(([what, issue, store = held]) => ({ what, issue, store })))(
    "DC-6 nothing in $what",
    ({ issue, store }) => expect(found(issue, store)).toEqual([]),
  );

  it.each(wrong)("DC-6 %s", (_, issue, store, names) => expect(found(issue, store)).toEqual(names));

  it("DC-6 a thread of 2,500 comments with 200 cards is held against the store in one go", () => {
    const numbers = Array.from({ length: 200 }, (_, n) => n + 1);
    const cards = numbers.map((number) => ours(number * 10, `m${number}`, card(number)));
    const talk = Array.from({ length: 2_300 }, (_, n) => person(10_000 + n));
    const store: StoredLedger = {
      ...held,
      posted: numbers.map((number) => posted(number * 10, `m${number}`, card(number), [number])),
      words: talk.map(({ id }) => ({ ...word, commentId: id, numbers: [] })),
      entries: numbers.map((number) => entry(number)),
    };
    expect(found([...cards, ...talk], store)).toEqual([]);
    expect(found([...cards.slice(1), ...talk], store)).toEqual(["deleted m1"]);
  });
});

describe("the record of an issue", () => {
  it("DC-6 is rebuilt from its comments alone, and from nobody's but ours", () => {
    expect(rebuild(seen)).toEqual(held.entries);
    const forged = seen.map((one) => ({ ...one, ours: false }));
    expect(rebuild(forged)).toEqual([]);
    expect(rebuild([])).toEqual([]);
  });

  it("DC-6 takes the first card of a number; a later one changes nothing", () => {
    expect(rebuild([...seen, ours(60, "x", card(1, "id"))])).toEqual(held.entries);
  });
});
