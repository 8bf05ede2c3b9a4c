import type { NamedValue, OpenPlace } from "../base/action.ts";
import { allShells, type Shell } from "../base/server.ts";
import {
  type CommandPlace,
  isKnownName,
  isSecretName,
  nameOf,
  placesIn,
  sameThings,
  thingNamed,
  type ValueKind,
  valueKinds,
} from "./places.ts";
import { type Gap, placeIn, quoteRunbook } from "./quote.ts";

/** Fills places with the incident's values, which are other people's text: each must fit the place's kind and is quoted. Pure. */

export interface FilledCommand {
  readonly command: string;
  readonly filled: readonly NamedValue[];
  readonly open: readonly OpenPlace[];
  /** False if the shell computes something from an open value. */
  readonly fillable: boolean;
}

interface FillOptions {
  readonly shells: readonly Shell[];
  readonly isRunbook: boolean;
  /** By default all. */
  readonly only?: readonly string[];
  readonly isPowershell?: boolean;
  readonly setBefore?: ReadonlySet<string>;
}

const ofSecret = "a secret is read on the server, and is not given here";
const ofRunbook = "an earlier line of the runbook sets it";

/** Fills places whose name has exactly one value; others stay. */
export function fillPlaces(command: string, values: readonly NamedValue[], how: FillOptions): FilledCommand {
  const filled = new Map<string, NamedValue>();
  const open = new Map<string, OpenPlace>();
  const { isRunbook, setBefore = new Set() } = how;
  const hasVariables = how.isPowershell !== true && how.shells.every((shell) => shell === "bash");
  const places = placesIn(command, { isRunbook, hasVariables, setBefore }).filter(
    ({ name }) => how.only?.includes(name) ?? true,
  );
  let text = "";
  let from = 0;
  for (const place of places) {
    const end = place.at + place.written.length;
    const found = place.fillable ? valueFor(place.name, values) : {};
    const written = found.value && writeValue({ ...found.value, name: place.name }, gapOf(command, place), how.shells);
    text += command.slice(from, place.at) + (written?.ok ? written.text : place.written);
    from = end;
    if (found.value && written?.ok) filled.set(place.name, { ...found.value, name: place.name });
    else {
      const why = isSecretName(place.name)
        ? ofSecret
        : [...setBefore].some((name) => nameOf(name) === place.name)
          ? ofRunbook
          : (found.why ?? (written?.ok === false ? written.why : undefined));
      const kind = valueKinds[kindOf(place.name, "person")].words;
      open.set(place.name, { name: place.name, kind, ...(why === undefined ? {} : { why }) });
    }
  }
  return {
    command: text + command.slice(from),
    filled: [...filled.values()],
    open: [...open.values()],
    fillable: places.every(({ fillable }) => fillable),
  };
}

/** Returns why a person's value does not fit its name; undefined if it does. */
export function misfitOf(name: string, value: string): string | undefined {
  if (isSecretName(name)) return `\`${name}\`: ${ofSecret}`;
  const { pattern, words } = valueKinds[kindOf(name, "person")];
  return pattern.test(hostOf(name, value)) ? undefined : `\`${name}\` must be ${words}`;
}

const speakers = { alert: "alert", form: "issue", person: "person" } as const;

/** Returns the one value of a name or its synonyms, or why there is none. */
export function valueFor(
  name: string,
  values: readonly NamedValue[],
): { readonly value?: NamedValue; readonly why?: string } {
  const meant = thingNamed(name);
  const thing = sameThings.find(({ names }) => names.includes(meant));
  const others = thing?.names ?? [meant];
  const asked = [...new Set([name, meant])];
  const groups = thing?.inOrder ? others.map((one) => [one]) : [...asked.map((one) => [one]), others];
  for (const names of groups) {
    const having = values.filter((one) => names.includes(nameOf(one.name)));
    // A person's value precedes an alert's or a form's.
    const said = having.some(({ source }) => source === "person")
      ? having.filter(({ source }) => source === "person")
      : having;
    const fitting = said.map((one) => ({ ...one, value: hostOf(name, one.value) }));
    const [first] = fitting;
    if (first === undefined) continue;
    if (fitting.some(({ value }) => value !== first.value))
      return { why: "several different values are known; give the right one" };
    const kind = kindOf(name, first.source);
    const { pattern, words } = valueKinds[kind];
    // A value from outside must be plain enough for its kind.
    const mayHaveColon = kind === "host" || (kind === "path" && first.value.startsWith("/"));
    const isPlain = !/[%@,+]|--|\.\./.test(first.value) && (!first.value.includes(":") || mayHaveColon);
    return pattern.test(first.value) && (first.source === "person" || isPlain)
      ? { value: first }
      : { why: `the ${speakers[first.source]}'s value is not ${words}` };
  }
  return {};
}

/** An unknown name takes any text of a person. */
function kindOf(name: string, source: NamedValue["source"]): ValueKind {
  const meant = thingNamed(name);
  const thing = sameThings.find(({ names }) => names.includes(meant));
  return thing?.kind ?? (source === "person" ? "text" : "word");
}

/** Returns whether this name means a host. */
export const isHostName = (name: string): boolean => isKnownName(name) && kindOf(name, "alert") === "host";

/** `10.0.3.4:9100` is for scraping, not for login. */
function hostOf(name: string, value: string): string {
  if (!isHostName(name)) return value;
  const [, bracketed, plain] = /^(?:\[([0-9A-Fa-f:]+)\](?::\d{1,5})?|([^:[\]]+):\d{1,5})$/.exec(value) ?? [];
  return bracketed ?? plain ?? value;
}

const gapOf = (command: string, { at, written }: CommandPlace): Gap => ({
  before: command.slice(0, at),
  after: command.slice(at + written.length),
});

/** Such a value decides what runs, so only a person gives it. */
const programName =
  /(?:^|_)(?:commands?|cmd|scripts?|actions?|verbs?|subcommand|flags?|options?|opts|arg|args|arguments?|program|binary|executable|exec|query|expression)(?:_|$)/;

/** Every further reader takes it literally. */
const plain = /^[A-Za-z0-9._/:=@-]+$/;

function writeValue({ name, value, source }: NamedValue, { before, after }: Gap, shells: readonly Shell[]) {
  const no = (why: string) => ({ ok: false, why }) as const;
  if (source !== "person" && (programName.test(thingNamed(name)) || isProgram(before) || isOption(before)))
    return no("the bot won't fill in a program or an option; give it yourself");
  // Another shell or program may read it again.
  if (placeIn(before) !== "bare" || readers.test(before) || inside.test(before)) {
    if (!plain.test(value)) return no("there, only letters, digits and `. _ / : = @ -` can stand; use `/edit`");
    if (source !== "person" && kindOf(name, source) === "word" && !/^[A-Za-z0-9]+$/.test(value))
      return no(`the ${speakers[source]}'s value is not only letters and digits`);
  }
  const written = (shells.length === 0 ? allShells : shells).map((shell) =>
    quoteRunbook(value, { before, after }, shell),
  );
  const [first] = written;
  if (first === undefined) return no("no shell reads it");
  const bad = written.find((one) => !one.ok);
  if (bad?.ok === false) return no(`its value ${bad.why}`);
  return written.every((one) => one.ok && first.ok && one.text === first.text)
    ? first
    : no("this value can't be written safely for both Linux and Windows");
}

/** Programs that start another program, and what follows them. */
const wrappers: Readonly<Record<string, "program" | "host" | "inside">> = {
  ...Object.fromEntries(
    "sudo doas env exec eval command builtin xargs nohup time timeout nice ionice setsid stdbuf chroot watch parallel strace unshare nsenter flock runuser su sh bash dash zsh ksh ash source . powershell pwsh cmd iex invoke-expression start-process"
      .split(" ")
      .map((name) => [name, "program"]),
  ),
  ssh: "host",
  ...Object.fromEntries("kubectl oc docker podman nerdctl crictl".split(" ").map((name) => [name, "inside"])),
};
const keyword = /^(?:!|then|do|else|elif|if|while|until|time|\{|&)$/;
const setsVariable = /^[A-Za-z_]\w*\+?=/;
/** For other wrappers, any one-letter option may take a word. */
const takesWord: ReadonlyMap<string, RegExp> = new Map([
  ["sudo", /^-[A-Za-z]*[ugpCrthUDRT]$/],
  ["xargs", /^-[A-Za-z0]*[nPILdasE]$/],
]);
const wordOfWrapper = /^(?:\d+(?:\.\d+)?[smhd]?|\S*=\S*)$/;

const wordsOf = (before: string): readonly string[] =>
  (/[^;|&(){`\n]*$/.exec(before)?.[0] ?? "").replace(/["'\\]/g, "").split(/[ \t]+/);

/** Also after `sudo -n`, `timeout 5` or `kubectl exec … --`. If in doubt, yes. */
function isProgram(before: string): boolean {
  const words = wordsOf(before)
    .slice(0, -1)
    .filter((word) => word !== "");
  let at = 0;
  for (;;) {
    while (keyword.test(words[at] ?? "") || setsVariable.test(words[at] ?? "")) at += 1;
    const word = words[at];
    if (word === undefined) return true;
    const name = word.replace(/^.*\//, "").toLowerCase();
    const kind = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
    if (kind === undefined) return false;
    at += 1;
    if (kind === "inside") {
      const inner = words.findIndex((one, index) => index >= at && /^(?:exec|debug|run|rsh)$/.test(one));
      if (inner < 0) return false;
      const dashes = words.indexOf("--", inner);
      const rest = words.slice(inner + 1).filter((one) => !one.startsWith("-"));
      // Without `--`, the program follows the pod's or container's name.
      if (dashes < 0) return rest.length > 0 && rest.length <= 2;
      at = dashes + 1;
      continue;
    }
    let mayTake = false;
    for (let next = words[at]; next !== undefined; next = words[at]) {
      if (next.startsWith("-")) mayTake = (takesWord.get(name) ?? /^-[A-Za-z]$/).test(next);
      else if (mayTake || wordOfWrapper.test(next)) mayTake = false;
      else break;
      at += 1;
    }
    if (kind === "host" && words[at] !== undefined) at += 1;
    else if (kind === "host") return false;
  }
}

/** After `=` it is a value. */
const isOption = (before: string): boolean => /(?:^|\s)["']?-[^\s=]*$/.test(before);

const readers =
  /(?:^|[\s;&|(){}`"'=/])(?:(?:ba|da|z|k|a)?sh|ssh|rsh|eval|su|runuser|source|xargs|parallel|watch|iex|invoke-\w+|powershell|pwsh|cmd)(?:\.exe)?\s/i;
const inside = /\b(?:kubectl|oc|docker|podman|nerdctl|crictl)\s[^;|&\n]*\b(?:exec|debug|run|rsh)\b/;

const maxValues = 50;
const maxNameCharacters = 60;
const maxValueCharacters = 200;
const maxLineCharacters = 400;

/** GitHub writes this for an empty field. */
const noResponse = /^_?No response_?$/i;
const heading = /^#{3}\s+(\S.*?)\s*#*$/;
const line = /^\s*(?:[-*+]\s+)?(?:\*\*|__|`)?([A-Za-z][\w .-]{0,60}?)(?:\*\*|__|`)?\s*:(?:\*\*|__)?\s+(\S.*)$/;

/**
 * Returns values from an issue form or own lines (`### Namespace` and `shop`, or `namespace: shop`). A name with two values has none; code
 * blocks do not count.
 */
export function formValues(body: string): Readonly<Record<string, string>> {
  const found = new Map<string, string | undefined>();
  const add = (written: string, text: string): void => {
    const name = nameOf(written);
    const value = text
      .trim()
      .replace(/^(`+|["'])(.*)\1$/, "$2")
      .trim();
    if (name === "" || name.length > maxNameCharacters || noResponse.test(value)) return;
    if (value === "" || value.length > maxValueCharacters || (!found.has(name) && found.size >= maxValues)) return;
    found.set(name, found.has(name) && found.get(name) !== value ? undefined : value);
  };
  for (const part of sectionsOf(body)) {
    const lines = part.lines.filter((text) => text.trim() !== "");
    const [only] = lines;
    if (part.title !== undefined && only !== undefined && lines.length === 1 && !line.test(only)) add(part.title, only);
    for (const text of lines) {
      const [, name, value] = line.exec(text) ?? [];
      if (name !== undefined && value !== undefined) add(name, value);
    }
  }
  return Object.fromEntries([...found].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

interface FormSection {
  readonly title: string | undefined;
  readonly lines: string[];
}

function sectionsOf(body: string): readonly FormSection[] {
  let section: FormSection = { title: undefined, lines: [] };
  const sections = [section];
  let fence: string | undefined;
  for (const text of body.split(/\r?\n/)) {
    const mark = /^\s*(```+|~~~+)/.exec(text)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      continue;
    }
    if (fence !== undefined || text.length > maxLineCharacters) continue;
    const title = heading.exec(text)?.[1];
    if (title === undefined) section.lines.push(text);
    else {
      section = { title, lines: [] };
      sections.push(section);
    }
  }
  return sections;
}
