import { cases } from "../../commands/cases.ts";
import { fc } from "../../harness/chance.ts";
import { secretsOf } from "../../injection/secrets.ts";

/** Who is awake: two who approve, one who writes, one who only reads, and a bot that nobody should listen to. */
export const people = ["lee", "mona", "sam", "rita", "deploy-bot"] as const;
export type Login = (typeof people)[number];
const onCall = ["lee", "mona"] as const;
const writers = ["lee", "sam"] as const;
const readers = ["lee", "sam", "rita"] as const;

/** What a line of the script can name. */
export interface Names {
  /** Two numbers of the incident, mostly real ones. */
  readonly n: number;
  readonly m: number;
  /** Stands in one comment alone, so that what comes of it can be counted. */
  readonly token: string;
}

export interface Line {
  readonly weight: number;
  /** Who mostly says it; anybody may. */
  readonly by: readonly Login[];
  /** Whether the bot is to answer it, where it comes of a person. */
  readonly heard: boolean;
  readonly text: (names: Names) => string;
}

const block = (command: string): string => `\n\`\`\`sh\n${command}\n\`\`\``;
const canaries = { talk: secretsOf("talk on the issue"), note: secretsOf("a note"), output: secretsOf("an output") };
export const planted = Object.values(canaries).flat();
/** One of the secrets, on one line. */
export const canary = (where: keyof typeof canaries, index: number): string =>
  canaries[where][index % canaries[where].length]?.line.replaceAll("\n", " ") ?? "";

const line = (weight: number, by: Line["by"], text: Line["text"], heard = true): Line => ({ weight, by, text, heard });

/** Slash commands as tired people write them: right, wrong, twice, quoted, misspelt. */
const written: readonly Line[] = [
  line(24, onCall, ({ n }) => `/approve ${n}`),
  line(6, onCall, ({ n, m }) => `/approve ${n} ${m}`),
  line(4, onCall, ({ n }) => `/Approve ${n} web-1 it has to go, and nobody needs it`),
  line(3, onCall, () => "/approve all"),
  line(2, onCall, ({ n, m }) => `/approve ${n} ${m} --keep-going`),
  line(2, onCall, ({ n }) => `/ops approve ${n}`),
  line(1, onCall, ({ n }) => `/approve ${n} --timeout 10m`),
  line(1, onCall, ({ n }) => `/approve ${n} --dry-run`),
  line(1, onCall, ({ n }) => `/approve ${n}@0123456789ab`),
  line(1, onCall, () => "/approve 99"),
  line(1, onCall, () => "/approve"),
  line(2, onCall, ({ n }) => `/aprove ${n}`),
  line(2, onCall, ({ n }) => `\`/approve ${n}\``),
  line(2, onCall, ({ n }) => `> /approve ${n}\n\nI would not.`, false),
  line(2, onCall, ({ n }) => `> shall we?\n\n/approve ${n}`),
  line(4, onCall, ({ n }) => `/reject ${n} not at this hour ${canary("note", n)}`),
  line(1, onCall, ({ n }) => `/deny ${n}`),
  line(4, writers, ({ n, token }) => `/edit ${n}${block(`ls /srv/${token}`)}`),
  line(1, writers, ({ n }) => `/edit ${n}`),
  line(8, writers, ({ token }) => `/run web-1 is it there?${block(`ls /srv/${token}`)}`),
  line(3, writers, ({ token }) => `/run web${block(`ls /srv/${token}`)}`),
  line(3, writers, ({ token }) => `/run web-2${block(`systemctl restart ${token}`)}`),
  line(1, writers, () => `/run web-1${block("mkfs.ext4 /dev/sda1")}`),
  line(1, writers, () => `/run web-9${block("uptime")}`),
  line(3, writers, ({ n }) => `/cancel ${n}`),
  line(2, writers, () => "/hold I want to think"),
  line(1, writers, () => "/stop"),
  line(1, writers, () => "/hold --kill"),
  line(1, writers, () => "/hold all"),
  line(5, onCall, () => "/resume"),
  line(5, onCall, () => "/resume all"),
  line(2, onCall, ({ n }) => `/continue ${n}`),
  line(2, onCall, ({ n }) => `/wait ${n} 10m`),
  line(4, readers, ({ n }) => `/output ${n}`),
  line(2, readers, ({ n }) => `/output ${n} tail 5`),
  line(2, readers, ({ n, token }) => `/output ${n} grep ${token}`),
  line(5, writers, ({ token }) => `/ask what is ${token}?`),
  line(1, writers, () => "/ask 1"),
  line(2, writers, ({ token }) => `@countersign and ${token}?`),
  line(3, writers, () => "/answer q1 yes"),
  line(2, writers, () => "/answer q1 skip"),
  line(1, writers, () => "/workflow"),
  line(3, writers, ({ token }) => `/workflow look place=${token}`),
  line(1, writers, () => "/workflow lok"),
  line(1, writers, ({ n, token }) => `/fill ${n} pod=${token}`),
  line(1, readers, () => "/servers"),
  line(1, readers, () => "/skills"),
  line(1, readers, () => "/oncall"),
  line(4, readers, ({ n }) => `/explain ${n}`),
  line(3, onCall, () => "/auto on"),
  line(1, onCall, () => "/auto off"),
  line(2, onCall, () => "/lease 15m web-1 3"),
  line(1, writers, () => "/lease off"),
  line(1, writers, () => "/pillar revive"),
  line(1, writers, () => "/plan"),
  line(1, onCall, () => "/prompt show"),
  line(1, onCall, () => "/prompt set\nName the unit first."),
  line(2, writers, () => "/feedback up well seen"),
  line(1, writers, () => "/feedback down"),
  line(3, readers, () => "/status"),
  line(2, readers, () => "/help"),
  line(1, readers, () => "/help approve"),
  line(2, readers, () => "/whoami"),
  line(2, writers, ({ token }) => `/investigate\nLook at ${token} too.`),
  line(4, onCall, ({ n }) => `/retry ${n}`),
  line(2, readers, () => "/changes 2h"),
  line(3, onCall, ({ n }) => `/probe ${n}`),
  line(1, onCall, () => "/key list"),
  line(2, writers, () => "/handover @lee"),
  line(1, writers, () => "/handover @nobody-here"),
  line(2, readers, () => "/verify"),
  line(1, writers, () => "/close --anyway the volume was full"),
  line(8, readers, ({ n }) => `I have looked at it too: ${canary("talk", n)}`, false),
  line(1, readers, () => "/lgtm", false),
];

const authors = { see: readers, propose: writers, act: writers, approve: onCall } as const;
const begins = (text: string, verb: string): boolean => new RegExp(`^/(?:ops )?${verb}\\b`, "im").test(text);
const names = { n: 1, m: 2, token: "token" };
/** Every slash command: one that is not written above is given as in its case. */
const lines: readonly Line[] = [
  ...written,
  ...[...cases]
    .filter(([verb]) => !written.some(({ text }) => begins(text(names), verb)))
    .map(([, { may, good }]) => line(1, authors[may], () => good)),
];

/** One comment, and what befalls it and its delivery. */
export interface Move {
  readonly incident: number;
  readonly by: Login;
  readonly line: Line;
  /** How far from the newest number the two are that it names. */
  readonly back: readonly [number, number];
  readonly token: string;
  /** Further copies of a delivery. */
  readonly copies: number;
  readonly delayMs: number;
  readonly befalls: "nothing" | "edit" | "delete";
  /** How many are said at once from here on, and how far the bot comes before the next. */
  readonly burst: number;
  readonly pause: "none" | "delivered" | "quiet";
  /** What happens on the issue beside it. */
  readonly aside: "nothing" | "tampering" | "ticking" | "closing" | "reopening" | "thumbs";
}

const weighted = <T>(...choices: readonly (readonly [weight: number, value: T])[]) =>
  fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

const moves = (incidents: number, comments: number) =>
  fc.array(
    fc
      .record({
        incident: fc.nat(incidents - 1),
        line: fc.oneof(...lines.map((one) => ({ weight: one.weight, arbitrary: fc.constant(one) }))),
        stranger: fc.integer({ min: 0, max: 99 }),
        back: fc.tuple(weighted([4, 0], [3, 1], [2, 2], [1, 5]), weighted([3, 0], [3, 1], [2, 2])),
        copies: weighted([6, 0], [2, 1], [1, 4]),
        delayMs: weighted([4, 0], [2, 30], [1, 400]),
        befalls: weighted<Move["befalls"]>([16, "nothing"], [2, "edit"], [1, "delete"]),
        burst: fc.integer({ min: 1, max: 24 }),
        pause: weighted<Move["pause"]>([2, "none"], [2, "delivered"], [1, "quiet"]),
        aside: weighted<Move["aside"]>(
          [30, "nothing"],
          [1, "tampering"],
          [2, "ticking"],
          [1, "closing"],
          [3, "reopening"],
          [2, "thumbs"],
        ),
      })
      .map(
        ({ stranger, ...rest }): Omit<Move, "token"> => ({
          ...rest,
          by: stranger < 12 ? pick(people, stranger) : pick(rest.line.by, stranger),
        }),
      ),
    { minLength: comments, maxLength: comments },
  );

const pick = <T>(from: readonly T[], index: number): T => {
  const one = from[index % from.length];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
};

/** The script of a night: every line of the list is said at least once where there are comments enough, then by weight. */
export function writeNight(size: {
  readonly incidents: number;
  readonly comments: number;
  readonly seed: number;
}): readonly Move[] {
  const [drawn = []] = fc.sample(moves(size.incidents, size.comments), { numRuns: 1, seed: size.seed });
  return drawn.map((move, index) => {
    // Each in its place of a night that is shuffled anyway, so that none is left to chance.
    const own = index % 3 === 0 ? lines[index / 3] : undefined;
    return { ...move, ...(own ? { line: own, by: pick(own.by, index) } : {}), token: `k${index}z` };
  });
}
