/** One comment as it can stand on an issue. */
export interface Example {
  /** What it is, or what it answers. */
  readonly title: string;
  readonly body: string;
}

export interface Part {
  readonly title: string;
  readonly examples: readonly Example[];
}

/** What differs from run to run, in fixed words. */
const steadied: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, "https://github.com"],
  [/127\.0\.0\.1:\d+/g, "model.example"],
  [/#issuecomment-\d+/g, "#issuecomment-1"],
  [/\/issues\/\d+/g, "/issues/1"],
  [/\bissue \d+\b/g, "issue 1"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "00000000-0000-7000-8000-000000000000"],
  [/\bsession [0-9a-f]{8}\b/g, "session 00000000"],
  [/SHA256:[\w+/=]{43,}/g, "SHA256:host-key"],
  [/audit \d+:[0-9a-f]+/g, "audit 7:abababababababab"],
  [/\b[0-9a-f]{32,}\b/g, "0123456789abcdef"],
  // One in thirty short hashes has no letter: there its place tells what it is.
  [/(?<=at `|\w@)[0-9a-f]{7,16}(?=\b)|(?<=`)[0-9a-f]{12}(?=`)/g, "0123456789ab"],
  [/(?<=[@ `(])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,16}\b/g, "0123456789ab"],
  [/\b20\d\d-\d\d-\d\d\b/g, "2026-01-01"],
  [/\b\d\d:\d\d:\d\dZ/g, "14:02:00Z"],
  [/(?<!:)\b\d\d:\d\dZ/g, "14:02Z"],
  // Whether two stand on either side of a minute is chance.
  [/\b\d+(?: \d+)* until 14:02Z(?:, \d+(?: \d+)* until 14:02Z)+/g, "until 14:02Z"],
  [/\b\d\d:\d\d:\d\d(?= ·)/g, "14:02:00"],
  [/\b\d+\.\d s\b|(?<=(?:for|after|·) )\d+ s\b/g, "2 s"],
  [/GitHub ID `\d+`/g, "GitHub ID `500005`"],
  [/\b\d+ (tokens in|out, of|rows|entries|comments match|comments)/g, "77 $1"],
];

const steady = (text: string): string =>
  steadied.reduce((written, [varying, fixed]) => written.replace(varying, fixed), text);

const quoted = (body: string): string =>
  body
    .replace(/\n*<!-- countersign[^\n]*-->/g, "")
    .trim()
    .replace(/^/gm, "> ")
    .replace(/ +$/gm, "");

/** The page: each example below its title, as a quote, so that it looks as it does on GitHub. */
export const renderPage = (parts: readonly Part[]): string =>
  [
    "# Every message, as it is posted",
    "",
    "These are the comments that the bot can post on GitHub, rendered by its own code; what differs each time, such as times and links, is",
    "fixed. To write this page again: `npm run texts`.",
    ...parts.flatMap(({ title, examples }) => [
      "",
      `## ${title}`,
      ...examples.flatMap((example) => ["", `### ${example.title}`, "", quoted(steady(example.body))]),
    ]),
    "",
  ].join("\n");
