import type { Discrepancy } from "./ledger.ts";
import type { Entry } from "./rebuild.ts";

type Difference = Extract<Discrepancy, { kind: "differs" }>;

/** What of an entry is held against the other, in words that a reader can compare. */
const fields: readonly { readonly what: string; readonly of: (entry: Entry) => string }[] = [
  { what: "its digest", of: ({ digest }) => digest.slice(0, 16) },
  { what: "who proposed it", of: ({ by }) => by },
  { what: "its risk", of: ({ risk }) => risk },
  { what: "where it runs", of: ({ place }) => place },
  { what: "the command", of: ({ command }) => command },
  { what: "what became of it", of: ({ gone }) => gone ?? "open, or run" },
  {
    what: "who approved it",
    of: ({ approvals }) => approvals.map(({ login }) => `@${login}`).join(" and ") || "nobody",
  },
];

/**
 * What the record that was rebuilt from the issue says otherwise than the store's, by number. That an action is not there at
 * all is said only where nothing found before says why. Pure.
 */
export function differencesOf(
  rebuilt: readonly Entry[],
  recorded: readonly Entry[],
  named: ReadonlySet<number>,
): readonly Difference[] {
  const onIssue = new Map(rebuilt.map((entry) => [entry.number, entry]));
  const missing = new Set(recorded.map(({ number }) => number));
  const found = recorded.flatMap((entry): readonly Difference[] => {
    const { number } = entry;
    const shown = onIssue.get(number);
    const differs = (what: string, issue: string, store: string): Difference => ({
      kind: "differs",
      number,
      what,
      issue,
      store,
    });
    if (!shown) return named.has(number) ? [] : [differs("its card", "not there", "posted")];
    return [
      ...fields.flatMap(({ what, of }) => (of(shown) === of(entry) ? [] : [differs(what, of(shown), of(entry))])),
      ...runsOf(shown, entry).map(({ what, issue, store }) => differs(what, issue, store)),
    ];
  });
  const unheardOf = rebuilt.filter(({ number }) => !missing.has(number) && !named.has(number));
  return [
    ...found,
    ...unheardOf.map(
      ({ number }): Difference => ({
        kind: "differs",
        number,
        what: "its card",
        issue: "there",
        store: "no such action",
      }),
    ),
  ];
}

function runsOf(shown: Entry, entry: Entry) {
  const listed = new Map(shown.runs.map((run) => [run.server, run]));
  const absent = entry.runs.filter(({ server }) => !listed.has(server));
  return [
    ...entry.runs.flatMap((run) => {
      const other = listed.get(run.server);
      if (!other) return [];
      const on = `on ${run.server}`;
      return [
        ...(other.end === run.end ? [] : [{ what: `how it ended ${on}`, issue: `${other.end}`, store: `${run.end}` }]),
        ...(other.outputSha256 === run.outputSha256
          ? []
          : [{ what: `its output ${on}`, issue: `${other.outputSha256}`, store: `${run.outputSha256}` }]),
      ];
    }),
    ...(absent.length === shown.unlisted
      ? []
      : [
          {
            what: "where it ran",
            issue: shown.runs.map(({ server }) => server).join(", ") || "nowhere",
            store: entry.runs.map(({ server }) => server).join(", "),
          },
        ]),
  ];
}
