/** The places that a command leaves open: `<pod>`, `$POD`, `${pod}`, `{{ $labels.pod }}`. Pure. */

import { placeIn } from "./quote.ts";
import { sameThings } from "./value-names.ts";

export interface CommandPlace {
  /** As it is written. */
  readonly written: string;
  /** In small letters and digits, with `_` between: what it is asked for by. */
  readonly name: string;
  readonly at: number;
  /** Whether a value can stand there; `${POD%-*}` is the shell's to work out. */
  readonly fillable: boolean;
}

const inAngles = String.raw`(?<=^|[\s=/:,"'@({[.;|&_-])<([A-Za-z][\w.-]{0,60}(?: [\w.-]{1,60}){0,6})>(?=$|[\s/.:,;|)"'@}\]\\_-])`;
const inBraces = String.raw`\{\{\s{0,3}((?:\$labels|\.Labels|\.CommonLabels|\.GroupLabels)\.)?(\w{1,60})\s{0,3}\}\}`;
const anyPlace = new RegExp(`${inAngles}|${inBraces}`, "g");
const variable = /(?<!\\)\$(?:\{([A-Za-z_]\w{0,60})([^\w}][^}]{0,100})?\}|([A-Za-z_]\w{0,60}))/g;

/** A template's own words, as in `{{range .items}}…{{end}}`. */
const templateWords = /^(?:end|else|break|continue|nil|true|false|\d+)$/;

/** What a shell has by itself. */
const ownVariables =
  /^(?:HOME|HOSTNAME|PATH|PWD|OLDPWD|USER|LOGNAME|UID|EUID|PPID|SHELL|TERM|LANG|TMPDIR|IFS|RANDOM|SECONDS|LINENO|KUBECONFIG|REPLY|OPTARG|OPTIND|PIPESTATUS|LC_\w+|BASH\w*)$/;

const knownNames = new Set(sameThings.flatMap(({ names }) => names));

/** `Pod-Name` is `pod_name`. */
export const nameOf = (written: string): string =>
  written
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");

/** The name of what is meant: `my-namespace`, `pod_name` and `value of namespace label from alert` without what says nothing. */
export function thingNamed(name: string): string {
  if (knownNames.has(name)) return name;
  const core = name
    .replace(/_from_.*$/, "")
    .replace(/^(?:(?:my|your|the|a|an|affected|failing|failed|target|faulty|value_of|name_of|insert)_)+/, "")
    .replace(/(?:_(?:name|label|value|here))+$/, "");
  return core === "" ? name : core;
}

/** Whether it is the name of something that alerts speak of. */
export const isKnownName = (name: string): boolean => knownNames.has(thingNamed(name));

/**
 * The free places of a command in their order. In a runbook's a variable is one where it is written as one that whoever runs it sets,
 * and nothing in the command sets it. Who writes a command for this incident means the shell's variable, and what stands in quotes
 * as it stands.
 */
export function placesIn(command: string, isRunbook: boolean): readonly CommandPlace[] {
  const found: CommandPlace[] = [];
  for (const match of command.matchAll(anyPlace)) {
    const [written, angled, prefix, braced] = match;
    const { index: at } = match;
    const isText = !isRunbook && (command.includes("<<") || /single|double/.test(placeIn(command.slice(0, at))));
    if (angled !== undefined && !isText) found.push({ written, name: nameOf(angled), at, fillable: true });
    else if (braced !== undefined && (prefix !== undefined || (isRunbook && !templateWords.test(braced))))
      found.push({ written, name: nameOf(braced), at, fillable: true });
  }
  const free = isRunbook ? variablesIn(command).filter(({ name }) => isFree(name)) : [];
  return [...found, ...free.map((one) => ({ ...one, name: nameOf(one.name) }))].toSorted((a, b) => a.at - b.at);
}

/** The variables of a command that nothing in it sets, by their own names; in single quotes they are another program's. */
export const variablesIn = (command: string): readonly CommandPlace[] =>
  [...command.matchAll(variable)].flatMap(({ 0: written, 1: inner, 2: operator, 3: plain, index: at }) => {
    const name = inner ?? plain ?? "";
    if (isSet(command, name) || isSingleQuoted(command, at)) return [];
    return [{ written, name, at, fillable: operator === undefined }];
  });

const isFree = (name: string): boolean =>
  !ownVariables.test(name) &&
  (/^[A-Z][A-Z0-9_]+$/.test(name) || (/^[a-z]\w+$/.test(name) && isKnownName(nameOf(name))));

/** Whether it is set where a command begins, by `for`, `read` or `printf -v`; in `env POD=$POD`, `-p POD=$POD` it is only passed on. */
const isSet = (command: string, name: string): boolean =>
  new RegExp(
    String.raw`(?:^|[;&|({\n]|\b(?:export|local|declare|readonly|then|do)\s)\s*${name}\+?=|\bfor\s+${name}\s|\bread\s(?:[^;|&]*\s)?${name}\b|\bprintf\s+-v\s*${name}\b`,
  ).test(command);

function isSingleQuoted(command: string, at: number): boolean {
  const place = placeIn(command.slice(0, at));
  if (place !== "unclear") return place === "single";
  return [...command.matchAll(/'[^']*'/g)].some(({ index, 0: quoted }) => index < at && at < index + quoted.length);
}
