import * as z from "zod";
import { placeIn } from "./quote.ts";
import table from "./value-names.json" with { type: "json" };

/** The places that a command leaves open (`<pod>`, `$POD`, `${pod}`, `{{ $labels.pod }}`), and what their names mean. Pure. */

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
  /** If the name is not known. */
  word: {
    pattern: /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,198}[A-Za-z0-9_])?$/,
    words: "one word: letters, digits and `.`, `_`, `-` within it",
  },
  /** If the name is not known and a person gives the value; it is quoted for its place. */
  text: { pattern: /^.{1,200}$/su, words: "one line of text" },
} as const satisfies Readonly<Record<string, { readonly pattern: RegExp; readonly words: string }>>;
export type ValueKind = keyof typeof valueKinds;

/** Names of secrets. The name, the place or the age of a secret is none. */
const secretName =
  /pass(?:wor[dt]|wd|phrase|code)|secret|token|credential|kennwort|(?:api|access|private|signing|encryption|unseal|recovery|master|auth|license|account|storage|shared|ssh|root|webhook)_?keys?(?:_|$)|(?:^|_)(?:pass|pw|pwd|psk|pin|otp|creds?|bearer|jwt|cookie|dsn|auth|authorization|basic_auth|connection_string)(?:_|$)|pwd$/;
const besideSecret = /(?:name|file|path|dir|namespace|ttl|age|count|length)$/;

/**
 * Whether a name (in lowercase, with `_` between words) means a secret. A secret is read on the server, and people are never asked
 * for it.
 */
export const isSecretName = (name: string): boolean => secretName.test(name) && !besideSecret.test(name);

/** A value of such a name decides what runs: only a person gives it. */
const programName =
  /(?:^|_)(?:commands?|cmd|scripts?|actions?|verbs?|subcommand|flags?|options?|opts|arg|args|arguments?|program|binary|executable|exec|query|expression)(?:_|$)/;

export const isProgramName = (name: string): boolean => programName.test(name);

/** Whether a value that no person here wrote is plain enough for its kind. */
export function isPlainValue(value: string, kind: ValueKind): boolean {
  if (/[%@,+]|--|\.\./.test(value)) return false;
  return !value.includes(":") || kind === "host" || (kind === "path" && value.startsWith("/"));
}

const thing = z.strictObject({
  kind: z.enum(Object.keys(valueKinds) as ValueKind[]),
  names: z.array(z.string().regex(/^[a-z_]+$/)).min(1),
  /** The first of the names with a value counts, whichever is asked for: a scraper's `job` is no Job of a cluster. */
  inOrder: z.boolean().optional(),
});

/** Which names mean the same. Throws at start if the table is malformed. */
export const sameThings = z.array(thing).parse(table);

export interface CommandPlace {
  readonly written: string;
  /** In lowercase letters and digits, with `_` between words. */
  readonly name: string;
  readonly at: number;
  /** Whether a value can stand there. The shell computes `${POD%-*}`, and nobody may give a secret. */
  readonly fillable: boolean;
}

interface PlaceReading {
  readonly isRunbook: boolean;
  /** Whether `$name` can be a place; in PowerShell it is the script's own. */
  readonly hasVariables?: boolean;
  /** Variables that earlier lines of the runbook set and that cannot come along, by their own names. */
  readonly setBefore?: ReadonlySet<string>;
}

const inAngles = String.raw`(?<=^|[\s=/:,"'@({[.;|&_-])<([A-Za-z][\w.-]{0,60}(?: [\w.-]{1,60}){0,6})>(?=$|[\s/.:,;|)"'@}\]\\_-])`;
const inBraces = String.raw`\{\{\s{0,3}((?:\$labels|\.Labels|\.CommonLabels|\.GroupLabels)\.)?(\w{1,60})\s{0,3}\}\}`;
const anyPlace = new RegExp(`${inAngles}|${inBraces}`, "g");
const variable = /(?<!\\)\$(?:\{([A-Za-z_]\w{0,60})([^\w}][^}]{0,100})?\}|([A-Za-z_]\w{0,60}))/g;

/** A template's own words, as in `{{range .items}}…{{end}}`. */
const templateWords = /^(?:end|else|break|continue|nil|true|false|\d+)$/;

/** Variables that a shell or a server's environment has by itself. */
const ownVariables =
  /^(?:HOME|HOSTNAME|PATH|PWD|OLDPWD|USER|LOGNAME|UID|EUID|PPID|SHELL|SHLVL|TERM|LANG|LANGUAGE|TZ|EDITOR|PAGER|DISPLAY|TMPDIR|IFS|RANDOM|SECONDS|LINENO|KUBECONFIG|REPLY|OPTARG|OPTIND|PIPESTATUS|(?:HOST|OS|MACH)TYPE|LC_\w+|BASH\w*|\w+_HOME|PG[A-Z]+|(?:GO|CLASS|PYTHON|MAN|NODE_|LD_LIBRARY_)PATH|(?:XDG|SSH|SUDO|AWS|ORACLE|CATALINA|JAVA)_\w+|\w*_PROXY)$/;

/** Words in angle brackets that programs print and people write without asking for a value. */
const noPlace = /^(?:none|null|nil|pending|unknown|invalid|title|in|out)$/;

/** After these options stands a template of the program itself. */
const formatOption = /(?:\s(?:-f|--format|--template)[=\s]\s{0,9}|\bgo-template=)(?:"[^"]*|'[^']*|[^\s"']*)$/;

const knownNames = new Set(sameThings.flatMap(({ names }) => names));

/** Normalizes a name: `Pod-Name` becomes `pod_name`. */
export const nameOf = (written: string): string =>
  written
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");

/**
 * The name of the thing itself: `my-namespace`, `pod_name`, `alert namespace label` and `value of namespace label from alert`
 * without their empty words.
 */
export function thingNamed(name: string): string {
  if (knownNames.has(name)) return name;
  const core = name
    .replace(/_from_.*$/, "")
    .replace(/^alert_(\w+)_label$/, "$1")
    .replace(/^(?:(?:my|your|the|a|an|affected|failing|failed|target|faulty|value_of|name_of|insert)_)+/, "")
    .replace(/(?:_(?:name|label|value|here))+$/, "");
  return core === "" ? name : core;
}

/** Whether two names mean the same, such as `ns` and `namespace`. */
export const isSameThing = (one: string, other: string): boolean =>
  thingNamed(one) === thingNamed(other) ||
  sameThings.some(({ names }) => names.includes(thingNamed(one)) && names.includes(thingNamed(other)));

/** Whether alerts use this name. */
export const isKnownName = (name: string): boolean => knownNames.has(thingNamed(name));

/**
 * The open places of a command, in order. In a runbook's command, a variable is a place if its name looks like one that the reader
 * sets and nothing in the command sets it. In a command written for this incident, variables are the shell's, quoted text is meant
 * literally, and secrets are no places.
 */
export function placesIn(command: string, reading: PlaceReading): readonly CommandPlace[] {
  const { isRunbook, hasVariables = true, setBefore } = reading;
  const found = [...command.matchAll(anyPlace)].flatMap(
    ({ 0: written, 1: angled, 2: prefix, 3: braced = "", index }) => {
      const before = command.slice(0, index);
      const isIn = /single|double/.test(placeIn(before)) || isSingleQuoted(command, index);
      const name = nameOf(angled ?? braced);
      const isText = isRunbook ? isIn && !isKnownName(name) && !isSecretName(name) : isIn || command.includes("<<");
      const isTemplate =
        (prefix === undefined && (!isRunbook || templateWords.test(braced))) ||
        (prefix === ".Labels." && !isRunbook) ||
        formatOption.test(before);
      const isNone = noPlace.test(name) || (angled === undefined ? isTemplate || (isRunbook && isText) : isText);
      return isNone ? [] : [{ written, name, at: index, fillable: true }];
    },
  );
  const variables = isRunbook ? variablesIn(command) : [];
  const free = variables.flatMap((one) => {
    if (setBefore?.has(one.name)) return [{ ...one, name: nameOf(one.name), fillable: false }];
    return hasVariables && isFree(one.name) ? [{ ...one, name: nameOf(one.name) }] : [];
  });
  return [...found, ...free]
    .filter(({ name }) => isRunbook || !isSecretName(name))
    .map((one) => ({ ...one, fillable: one.fillable && !isSecretName(one.name) }))
    .toSorted((a, b) => a.at - b.at);
}

/** The variables of a command that nothing in it sets, by their own names. Variables in single quotes are another program's. */
export function variablesIn(command: string): readonly CommandPlace[] {
  const set = namesSetIn(command);
  return [...command.matchAll(variable)].flatMap(({ 0: written, 1: inner, 2: operator, 3: plain, index: at }) => {
    const name = inner ?? plain ?? "";
    if (set.has(name) || isSingleQuoted(command, at)) return [];
    return [{ written, name, at, fillable: operator === undefined }];
  });
}

const isFree = (name: string): boolean =>
  !ownVariables.test(name) &&
  (/^[A-Z][A-Z0-9_]+$/.test(name) || (/^[a-z]\w+$/.test(name) && isKnownName(nameOf(name))));

function isSingleQuoted(command: string, at: number): boolean {
  const place = placeIn(command.slice(0, at));
  if (place !== "unclear") return place === "single";
  return [...command.matchAll(/'[^']*'/g)].some(({ index, 0: quoted }) => index < at && at < index + quoted.length);
}

const value = String.raw`(?:"[^"]{0,500}"|'[^']{0,500}'|\$\([^)]{0,500}\)|(?!\$\()[^\s;&|"'])*`;
const assignment = String.raw`[A-Za-z_]\w*(?:\[[^\]\s]{0,60}\])?\+?=${value}`;
const words = "export|local|declare|readonly|typeset|if|elif|while|until|else|then|do|time";
/** A lookahead, because a value may contain a command that sets another variable. */
const assigned = new RegExp(
  String.raw`(?:^|[;&|(){\n!]|\b(?:${words})\s)(?=(?:\s{1,40}|-\w+\s|!\s|\b(?:${words})\s)*((?:${assignment}\s{1,40})*${assignment}))`,
  "g",
);
const assignedName = new RegExp(String.raw`([A-Za-z_]\w*)(?:\[[^\]\s]{0,60}\])?\+?=${value}`, "g");
const named =
  /\b(?:for|select)\s{1,40}([A-Za-z_]\w*)|\bprintf\s{1,40}-v\s{0,40}([A-Za-z_]\w*)|\bgetopts\s{1,40}\S{1,100}\s{1,40}([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*):?=/g;
const reads = /\b(?:read|mapfile|readarray)\s([^;&|<>()\n]{0,500})/g;
const inPowershell = /\$([A-Za-z_]\w*)\s{0,40}[-+*/]?=(?!=)|\bforeach\s{0,40}\(\s{0,40}\$([A-Za-z_]\w*)\s{1,40}in\b/gi;

/**
 * The variables that a POSIX shell's command sets, at the start of a command or by `for`, `read` and the like; `env POD=$POD` only
 * passes one on.
 */
export function namesSetIn(command: string): ReadonlySet<string> {
  const assignments = [...command.matchAll(assigned)].flatMap(([, chain = ""]) =>
    [...chain.matchAll(assignedName)].map(([, name = ""]) => name),
  );
  const others = [...command.matchAll(named)].flatMap((match) => match.slice(1).filter((name) => name !== undefined));
  const read = [...command.matchAll(reads)].flatMap(([, rest = ""]) =>
    rest.split(/\s+/).filter((word) => /^[A-Za-z_]\w*$/.test(word)),
  );
  return new Set([...assignments, ...others, ...read]);
}

/** The variables that a line of PowerShell sets, in lowercase because PowerShell ignores case. */
export const namesSetInPowershell = (line: string): ReadonlySet<string> =>
  new Set([...line.matchAll(inPowershell)].map(([, plain, looped]) => (plain ?? looped ?? "").toLowerCase()));

/** By which names an alert, an issue form and a runbook call the same thing, and what can be one. */
