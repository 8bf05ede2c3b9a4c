/** By which names an alert, an issue form and a runbook call the same thing, and what can be one. */

import * as z from "zod";
import table from "./value-names.json" with { type: "json" };

export const valueKinds = {
  name: {
    pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/,
    words: "a name of letters, digits, dots, dashes and underscores",
  },
  host: {
    pattern: /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:]{2,39})$/,
    words: "a host's name or address",
  },
  number: { pattern: /^\d{1,15}(?:\.\d{1,9})?$/, words: "a number" },
  quantity: { pattern: /^\d{1,15}(?:\.\d{1,9})?(?:[A-Za-z]{1,3}|%)?$/, words: "a number with its unit" },
  path: { pattern: /^(?!.*\.\.)[A-Za-z0-9/._][A-Za-z0-9/._@%+:,-]{0,199}$/, words: "a path without spaces" },
  /** Of what no name is known. */
  word: {
    pattern: /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,198}[A-Za-z0-9_])?$/,
    words: "one word: letters, digits and `.`, `_`, `-` within it",
  },
  /** Of what no name is known, and a person gives it: quoted for its place. */
  text: { pattern: /^.{1,200}$/su, words: "one line of text" },
} as const satisfies Readonly<Record<string, { readonly pattern: RegExp; readonly words: string }>>;
export type ValueKind = keyof typeof valueKinds;

/** What holds a secret; the name, the place or the age of one is none. */
const secretName =
  /pass(?:wor[dt]|wd|phrase|code)|secret|token|credential|kennwort|(?:api|access|private|signing|encryption|unseal|recovery|master|auth|license|account|storage|shared|ssh|root|webhook)_?keys?(?:_|$)|(?:^|_)(?:pass|pw|pwd|psk|pin|otp|creds?|bearer|jwt|cookie|dsn|auth|authorization|basic_auth|connection_string)(?:_|$)|pwd$/;
const besideSecret = /(?:name|file|path|dir|namespace|ttl|age|count|length)$/;

/** Whether a name (in small letters, with `_` between) means a secret: it is read on the server, and asked of nobody. */
export const isSecretName = (name: string): boolean => secretName.test(name) && !besideSecret.test(name);

/** What decides what is run: only a person gives it. */
const programName =
  /(?:^|_)(?:commands?|cmd|scripts?|actions?|verbs?|subcommand|flags?|options?|opts|arg|args|arguments?|program|binary|executable|exec|query|expression)(?:_|$)/;

export const isProgramName = (name: string): boolean => programName.test(name);

/** Whether a value that nobody here has written is plain enough for its kind. */
export function isPlainValue(value: string, kind: ValueKind): boolean {
  if (/[%@,+]|--|\.\./.test(value)) return false;
  return !value.includes(":") || kind === "host" || (kind === "path" && value.startsWith("/"));
}

const thing = z.strictObject({
  kind: z.enum(Object.keys(valueKinds) as ValueKind[]),
  names: z.array(z.string().regex(/^[a-z_]+$/)).min(1),
  /** The first of the names that has a value counts, whichever of them is asked for: a scraper's `job` is no Job of a cluster. */
  inOrder: z.boolean().optional(),
});

/** Throws at start where the table has not this form. */
export const sameThings = z.array(thing).parse(table);
