/** Where PostgreSQL's driver reads passwords, so that none is shown (SR-47). */

import { join } from "node:path";

/** The driver needs no host. */
const parsed = (url: string): URL | null => URL.parse(url) ?? URL.parse(url.replace("@/", "@socket/"));

/** Before the host and in the query. */
export function passwordIn(url: string): readonly string[] {
  const address = parsed(url);
  if (!address) return [];
  return [decoded(address.password), ...address.searchParams.getAll("password")].filter((text) => text !== "");
}

/** The driver, too, keeps a `%` that begins no code. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, "%25"));
  } catch {
    return text;
  }
}

export function withoutPassword(url: string): string {
  const address = url.startsWith("file:") ? null : parsed(url);
  if (!address) return url.startsWith("file:") ? url : "an address that cannot be read";
  address.password = "";
  if (address.searchParams.has("password")) address.searchParams.delete("password");
  return URL.canParse(url) ? address.href : address.href.replace("@socket/", "@/");
}

/** Undefined if the address or PGPASSWORD has a password. */
export function passwordFileOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.PGPASSFILE) return env.PGPASSFILE;
  return env.HOME ? join(env.HOME, ".pgpass") : undefined;
}

/** Lines are `host:port:database:user:password`, with `\` before a literal `:` or `\`. */
export const passwordsOf = (text: string): readonly string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const match = line.startsWith("#") ? null : /^(?:(?:[^:\\]|\\.)*:){4}(.+)$/.exec(line);
    return match?.[1] === undefined ? [] : [match[1].replace(/\\([:\\])/g, "$1")];
  });
