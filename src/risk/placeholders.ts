/** Places to be filled in: `kubectl -n <namespace> get pod`, which a shell would read as two redirections. */

/**
 * A name in angle brackets that stands as a word or in one (`app-<name>.log` too), never `<in >out`, `<in>out` or `a<b`. It holds
 * no sign that a shell would act on.
 */
const place = /(?<=^|[\s=/:,"'@(-])<([A-Za-z][\w.-]*(?: [\w.-]+){0,4})>(?=$|[\s/.:,)"'@-])/g;

/** The text without what stands in quotes: there `<title>` is only text. A here-document holds what it likes. */
const unquoted = (text: string): string =>
  text.includes("<<") ? "" : text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./g, (part) => " ".repeat(part.length));

/** The places of a command that are still to be filled in, as they are written, each once. */
export const placeholdersIn = (text: string): readonly string[] => [
  ...new Set([...unquoted(text).matchAll(place)].map(([written]) => written)),
];

/** The command as it would be filled in: each place holds its own name as a plain word. */
export const filledIn = (text: string): string =>
  placeholdersIn(text).reduce(
    (filled, written) => filled.replaceAll(written, written.slice(1, -1).replace(/[^\w-]+/g, "-")),
    text,
  );
