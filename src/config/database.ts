/** Where the driver of PostgreSQL takes its password from, so that the bot knows what it must not say (SR-47). */

import { join } from "node:path";

/** The password in the address of a store. */
export const passwordIn = (url: string): readonly string[] =>
  URL.canParse(url) && new URL(url).password !== "" ? [decodeURIComponent(new URL(url).password)] : [];

/** The file from which a password comes where neither address nor PGPASSWORD has one. */
export function passwordFileOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.PGPASSFILE) return env.PGPASSFILE;
  return env.HOME ? join(env.HOME, ".pgpass") : undefined;
}

/** Every password of such a file, a line each: `host:port:database:user:password`, with `\` before a `:` or `\` that is meant. */
export const passwordsOf = (text: string): readonly string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const match = line.startsWith("#") ? null : /^(?:(?:[^:\\]|\\.)*:){4}(.+)$/.exec(line);
    return match?.[1] === undefined ? [] : [match[1].replace(/\\([:\\])/g, "$1")];
  });
