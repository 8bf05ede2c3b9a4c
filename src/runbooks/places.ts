/** The places that a command leaves open: `<pod>`, `$POD`, `${pod}`, `{{ $labels.pod }}`. Pure. */

import { placeIn } from "./quote.ts";
import { namesSetIn } from "./set-names.ts";
import { isSecretName, sameThings } from "./value-names.ts";

export interface CommandPlace {
  /** As it is written. */
  readonly written: string;
  /** In small letters and digits, with `_` between: what it is asked for by. */
  readonly name: string;
  readonly at: number;
  /** Whether a value can stand there; `${POD%-*}` is the shell's to work out, and a secret nobody's to give. */
  readonly fillable: boolean;
}

/** Who reads a command. */
export interface Reader {
  readonly isRunbook: boolean;
  /** Whether `$name` can be a place; where PowerShell reads it, it is the script's own. */
  readonly hasVariables?: boolean;
  /** What earlier lines of the runbook set and cannot be carried along, by its own names. */
  readonly setBefore?: ReadonlySet<string>;
}

const inAngles = String.raw`(?<=^|[\s=/:,"'@({[.;|&_-])<([A-Za-z][\w.-]{0,60}(?: [\w.-]{1,60}){0,6})>(?=$|[\s/.:,;|)"'@}\]\\_-])`;
const inBraces = String.raw`\{\{\s{0,3}((?:\$labels|\.Labels|\.CommonLabels|\.GroupLabels)\.)?(\w{1,60})\s{0,3}\}\}`;
const anyPlace = new RegExp(`${inAngles}|${inBraces}`, "g");
const variable = /(?<!\\)\$(?:\{([A-Za-z_]\w{0,60})([^\w}][^}]{0,100})?\}|([A-Za-z_]\w{0,60}))/g;

/** A template's own words, as in `{{range .items}}…{{end}}`. */
const templateWords = /^(?:end|else|break|continue|nil|true|false|\d+)$/;

/** What a shell, or the environment of a server, has by itself. */
const ownVariables =
  /^(?:HOME|HOSTNAME|PATH|PWD|OLDPWD|USER|LOGNAME|UID|EUID|PPID|SHELL|SHLVL|TERM|LANG|LANGUAGE|TZ|EDITOR|PAGER|DISPLAY|TMPDIR|IFS|RANDOM|SECONDS|LINENO|KUBECONFIG|REPLY|OPTARG|OPTIND|PIPESTATUS|(?:HOST|OS|MACH)TYPE|LC_\w+|BASH\w*|\w+_HOME|PG[A-Z]+|(?:GO|CLASS|PYTHON|MAN|NODE_|LD_LIBRARY_)PATH|(?:XDG|SSH|SUDO|AWS|ORACLE|CATALINA|JAVA)_\w+|\w*_PROXY)$/;

/** What programs print and people write in angles where they ask for nothing. */
const noPlace = /^(?:none|null|nil|pending|unknown|invalid|title|in|out)$/;

/** Behind these stands a template of the program's own. */
const formatOption = /(?:\s(?:-f|--format|--template)[=\s]\s{0,9}|\bgo-template=)(?:"[^"]*|'[^']*|[^\s"']*)$/;

const knownNames = new Set(sameThings.flatMap(({ names }) => names));

/** `Pod-Name` is `pod_name`. */
export const nameOf = (written: string): string =>
  written
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");

/** The name of what is meant: `my-namespace`, `pod_name`, `alert namespace label` and `value of namespace label from alert` without what says nothing. */
export function thingNamed(name: string): string {
  if (knownNames.has(name)) return name;
  const core = name
    .replace(/_from_.*$/, "")
    .replace(/^alert_(\w+)_label$/, "$1")
    .replace(/^(?:(?:my|your|the|a|an|affected|failing|failed|target|faulty|value_of|name_of|insert)_)+/, "")
    .replace(/(?:_(?:name|label|value|here))+$/, "");
  return core === "" ? name : core;
}

/** Whether two names mean one thing, as `ns` and `namespace` do. */
export const isSameThing = (one: string, other: string): boolean =>
  thingNamed(one) === thingNamed(other) ||
  sameThings.some(({ names }) => names.includes(thingNamed(one)) && names.includes(thingNamed(other)));

/** Whether it is the name of something that alerts speak of. */
export const isKnownName = (name: string): boolean => knownNames.has(thingNamed(name));

/**
 * The free places of a command in their order. In a runbook's a variable is one where it is written as one that whoever runs it sets,
 * and nothing in the command sets it. Who writes a command for this incident means the shell's variable, and what stands in quotes
 * as it stands; a secret is no place of theirs.
 */
export function placesIn(command: string, reader: Reader): readonly CommandPlace[] {
  const { isRunbook, hasVariables = true, setBefore } = reader;
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

/** The variables of a command that nothing in it sets, by their own names; in single quotes they are another program's. */
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
