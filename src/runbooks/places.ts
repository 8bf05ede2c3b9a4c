import * as z from "zod";
import { placeIn } from "./quote.ts";
import table from "./value-names.json" with { type: "json" };

/** Open places of a command: `<pod>`, `[pod]`, `YOUR_POD`, `$POD`, `${pod}`, `{{ $labels.pod }}`. Pure. */

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
  /** For unknown names. */
  word: {
    pattern: /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,198}[A-Za-z0-9_])?$/,
    words: "one word: letters, digits and `.`, `_`, `-` within it",
  },
  /** For unknown names, from a person; it is quoted. */
  text: { pattern: /^.{1,200}$/su, words: "one line of text" },
} as const satisfies Readonly<Record<string, { readonly pattern: RegExp; readonly words: string }>>;
export type ValueKind = keyof typeof valueKinds;

/** A secret's name, place or age is none. */
const secretName =
  /pass(?:wor[dt]|wd|phrase|code)|secret|token|credential|kennwort|(?:api|access|private|signing|encryption|unseal|recovery|master|auth|license|account|storage|shared|ssh|root|webhook)_?keys?(?:_|$)|(?:^|_)(?:pass|pw|pwd|psk|pin|otp|creds?|bearer|jwt|cookie|dsn|auth|authorization|basic_auth|connection_string)(?:_|$)|pwd$/;
const besideSecret = /(?:name|file|path|dir|namespace|ttl|age|count|length)$/;

/** Returns whether a name (lowercase, `_` between words) means a secret, which is read on the server and never from people. */
export const isSecretName = (name: string): boolean => secretName.test(name) && !besideSecret.test(name);

const thing = z.strictObject({
  kind: z.enum(Object.keys(valueKinds) as ValueKind[]),
  names: z.array(z.string().regex(/^[a-z_]+$/)).min(1),
  /** The first name with a value counts: a scraper's `job` is no Job of a cluster. */
  inOrder: z.boolean().optional(),
});

/** Names that mean the same. Throws at start if malformed. */
export const sameThings = z.array(thing).parse(table);

export interface CommandPlace {
  readonly written: string;
  /** Lowercase, with `_` between words. */
  readonly name: string;
  readonly at: number;
  /** False for secrets and `${POD%-*}`, which the shell computes. */
  readonly fillable: boolean;
}

interface PlaceReading {
  readonly isRunbook: boolean;
  /** In PowerShell, `$name` is the script's own. */
  readonly hasVariables?: boolean;
  /** Set by earlier lines that cannot come along. */
  readonly setBefore?: ReadonlySet<string>;
}

const inAngles = String.raw`(?<=^|[\s=/:,"'@({[.;|&_-])<([A-Za-z][\w.-]{0,60}(?: [\w.-]{1,60}){0,6})>(?=$|[\s/.:,;|)"'@}\]\\_-])`;
const inBraces = String.raw`\{\{\s{0,3}((?:\$labels|\.Labels|\.CommonLabels|\.GroupLabels)\.)?(\w{1,60})\s{0,3}\}\}`;
const inBrackets = String.raw`(?<=[\s=/:,@]["']?)\[([A-Za-z][\w.-]{1,60}(?: [\w.-]{1,60}){0,6})\](?=$|["']?(?:$|[\s/,;|)@]|:(?!:)))`;
const ofReader = String.raw`(?<![\w$\{<-])((?:YOUR|your)[_-][A-Za-z][A-Za-z0-9_-]{0,60})(?![\w=(>-])`;
const anyPlace = new RegExp(`${inAngles}|${inBrackets}|${ofReader}|${inBraces}`, "g");
const variable = /(?<!\\)\$(?:\{([A-Za-z_]\w{0,60})([^\w}][^}]{0,100})?\}|([A-Za-z_]\w{0,60}))/g;

/** As in `{{range .items}}…{{end}}`. */
const templateWords = /^(?:end|else|break|continue|nil|true|false|\d+)$/;

const ownVariables =
  /^(?:HOME|HOSTNAME|PATH|PWD|OLDPWD|USER|LOGNAME|UID|EUID|PPID|SHELL|SHLVL|TERM|LANG|LANGUAGE|TZ|EDITOR|PAGER|DISPLAY|TMPDIR|IFS|RANDOM|SECONDS|LINENO|KUBECONFIG|REPLY|OPTARG|OPTIND|PIPESTATUS|(?:HOST|OS|MACH)TYPE|LC_\w+|BASH\w*|\w+_HOME|PG[A-Z]+|(?:GO|CLASS|PYTHON|MAN|NODE_|LD_LIBRARY_)PATH|(?:XDG|SSH|SUDO|AWS|ORACLE|CATALINA|JAVA)_\w+|\w*_PROXY)$/;

/** Printed by programs, or written without asking. */
const noPlace = /^(?:none|null|nil|pending|unknown|invalid|title|in|out)$/;

/** Followed by a program's own template. */
const formatOption = /(?:\s(?:-f|--format|--template)[=\s]\s{0,9}|\bgo-template=)(?:"[^"]*|'[^']*|[^\s"']*)$/;

const knownNames = new Set(sameThings.flatMap(({ names }) => names));

/** Normalizes a name: `Pod-Name` becomes `pod_name`. */
export const nameOf = (written: string): string =>
  written
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");

/** Removes empty words: `my-namespace`, `pod_name`, `value of namespace label from alert`. */
export function thingNamed(name: string): string {
  if (knownNames.has(name)) return name;
  const core = name
    .replace(/_from_.*$/, "")
    .replace(/^alert_(\w+)_label$/, "$1")
    .replace(/^(?:(?:my|your|the|a|an|affected|failing|failed|target|faulty|value_of|name_of|insert)_)+/, "")
    .replace(/(?:_(?:name|label|value|here))+$/, "");
  return core === "" ? name : core;
}

/** Returns whether alerts use this name. */
export const isKnownName = (name: string): boolean => knownNames.has(thingNamed(name));

/**
 * Finds open places in order. In a runbook, a variable is one if it looks like one that the reader sets and nothing sets it. In a command
 * for this incident, variables are the shell's, quoted text is literal, and secrets are no places.
 */
export function placesIn(command: string, reading: PlaceReading): readonly CommandPlace[] {
  const { isRunbook, hasVariables = true, setBefore } = reading;
  const found = [...command.matchAll(anyPlace)].flatMap(
    ({ 0: written, 1: angled, 2: bracketed, 3: ofReader, 4: prefix, 5: braced = "", index }) => {
      const before = command.slice(0, index);
      const isIn = /single|double/.test(placeIn(before)) || isSingleQuoted(command, index);
      const plain = angled ?? bracketed ?? ofReader;
      const name = nameOf(plain ?? braced);
      if (bracketed !== undefined && !isBracketPlace(bracketed, before, { isIn, isRunbook })) return [];
      const isForReader = ofReader !== undefined && (!isIn || /^YOUR/.test(ofReader));
      const isText = isForReader
        ? false
        : isRunbook
          ? isIn && !isKnownName(name) && !isSecretName(name)
          : isIn || command.includes("<<");
      const isTemplate =
        (prefix === undefined && (!isRunbook || templateWords.test(braced))) ||
        (prefix === ".Labels." && !isRunbook) ||
        formatOption.test(before);
      const isNone = noPlace.test(name) || (plain === undefined ? isTemplate || (isRunbook && isText) : isText);
      return isNone ? [] : [{ written, name, at: index, fillable: true }];
    },
  );
  const variables = isRunbook ? variablesIn(command) : [];
  const free = variables.flatMap((one) => {
    if (setBefore?.has(one.name)) return [{ ...one, name: nameOf(one.name), fillable: false }];
    const name = nameOf(one.name);
    const isUsual = /^[A-Z][A-Z0-9_]+$/.test(one.name) || (/^[a-z]\w+$/.test(one.name) && isKnownName(name));
    return hasVariables && isUsual && !ownVariables.test(one.name) ? [{ ...one, name }] : [];
  });
  return [...found, ...free]
    .filter(({ name }) => isRunbook || !isSecretName(name))
    .map((one) => ({ ...one, fillable: one.fillable && !isSecretName(one.name) }))
    .toSorted((a, b) => a.at - b.at);
}

/** A program that reads its own pattern, in which `[Service]` is text. */
const readsPattern = /(?:^|[|;&]\s*)(?:\S*\/)?(?:[ef]?grep|rg|ag|sed|awk|perl|find|jq|yq)\s[^|;&]*$/;

/**
 * Returns whether `[pod-name]` is a place: the shell's `[ -f x ]` has a blank behind the bracket, and of a glob such as `[a-z]` or `[abc]`
 * some part between hyphens is one letter or the whole is short and no usual name.
 */
function isBracketPlace(
  written: string,
  before: string,
  { isIn, isRunbook }: { readonly isIn: boolean; readonly isRunbook: boolean },
): boolean {
  const parts = written.split(/[\s_-]+/);
  const isKnown = isKnownName(nameOf(written));
  if (isIn) return isKnown && written === written.toLowerCase() && !readsPattern.test(before);
  if (!isRunbook || readsPattern.test(before)) return isKnown && !readsPattern.test(before);
  return isKnown || (parts.every((part) => part.length > 1) && (parts.length > 1 || written.length > 3));
}

/** Returns variables that nothing in the command sets; in single quotes they are another program's. */
export function variablesIn(command: string): readonly CommandPlace[] {
  const set = namesSetIn(command);
  return [...command.matchAll(variable)].flatMap(({ 0: written, 1: inner, 2: operator, 3: plain, index: at }) => {
    const name = inner ?? plain ?? "";
    if (set.has(name) || isSingleQuoted(command, at)) return [];
    return [{ written, name, at, fillable: operator === undefined }];
  });
}

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

/** Returns the variables that a POSIX command sets, at its start or by `for`, `read` and the like; `env POD=$POD` only passes one on. */
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

/** Returns the variables that a PowerShell line sets, in lowercase because PowerShell ignores case. */
export const namesSetInPowershell = (line: string): ReadonlySet<string> =>
  new Set([...line.matchAll(inPowershell)].map(([, plain, looped]) => (plain ?? looped ?? "").toLowerCase()));
