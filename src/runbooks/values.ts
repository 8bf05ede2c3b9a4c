/**
 * Fills what a command leaves open with what is known of its incident by name. A value is somebody else's text: it fills a place
 * only where it is of its kind, and is quoted for it. Pure.
 */

import type { NamedValue, OpenPlace } from "../base/action.ts";
import type { Shell } from "../base/server.ts";
import { type CommandPlace, isKnownName, nameOf, placesIn, thingNamed } from "./places.ts";
import { quoteRunbook } from "./quote.ts";
import { isPlainValue, isProgramName, isSecretName, sameThings, type ValueKind, valueKinds } from "./value-names.ts";
import { isOption, isProgram, isReadAgain } from "./word-position.ts";

export interface FilledCommand {
  readonly command: string;
  readonly filled: readonly NamedValue[];
  readonly open: readonly OpenPlace[];
  /** Whether `/fill` can complete it; false where the shell is to work something out of an open value. */
  readonly fillable: boolean;
}

interface Filling {
  readonly shells: readonly Shell[];
  readonly isRunbook: boolean;
  /** The names to fill; all, where nothing is said. */
  readonly only?: readonly string[];
  /** Whether it is written for PowerShell. */
  readonly isPowershell?: boolean;
  readonly setBefore?: ReadonlySet<string>;
}

const ofSecret = "a secret is read on the server, and is not given here";
const ofRunbook = "an earlier line of the runbook sets it";

/** Fills each place of which exactly one value has the name; what is not filled stays as it is written. */
export function fillPlaces(command: string, values: readonly NamedValue[], how: Filling): FilledCommand {
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

/** Why a person's value cannot be what its name says; undefined where it can. */
export function misfitOf(name: string, value: string): string | undefined {
  if (isSecretName(name)) return `\`${name}\`: ${ofSecret}`;
  const { pattern, words } = valueKinds[kindOf(name, "person")];
  return pattern.test(hostOf(name, value)) ? undefined : `\`${name}\` must be ${words}`;
}

const speakers = { alert: "alert", form: "issue", person: "person" } as const;

/** The one value of a name, or of another name of the same thing; or why there is none. */
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
    // A person's word goes before what an alert or a form says.
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
    const isFit = pattern.test(first.value) && (first.source === "person" || isPlainValue(first.value, kind));
    return isFit ? { value: first } : { why: `the ${speakers[first.source]}'s value is not ${words}` };
  }
  return {};
}

/** What can be a value of this name; of a name that says nothing a person may give any text. */
function kindOf(name: string, source: NamedValue["source"]): ValueKind {
  const meant = thingNamed(name);
  const thing = sameThings.find(({ names }) => names.includes(meant));
  return thing?.kind ?? (source === "person" ? "text" : "word");
}

/** Whether what bears this name is a host. */
export const isHostName = (name: string): boolean => isKnownName(name) && kindOf(name, "alert") === "host";

/** Of a host its port goes: `10.0.3.4:9100` is scraped, and nobody logs in there. */
function hostOf(name: string, value: string): string {
  if (!isHostName(name)) return value;
  const [, bracketed, plain] = /^(?:\[([0-9A-Fa-f:]+)\](?::\d{1,5})?|([^:[\]]+):\d{1,5})$/.exec(value) ?? [];
  return bracketed ?? plain ?? value;
}

interface ValueGap {
  readonly before: string;
  readonly after: string;
}

const gapOf = (command: string, { at, written }: CommandPlace): ValueGap => ({
  before: command.slice(0, at),
  after: command.slice(at + written.length),
});

/** What no further reader takes for anything but letters. */
const plain = /^[A-Za-z0-9._/:=@-]+$/;

const allShells: readonly Shell[] = ["bash", "powershell", "cmd"];

/** A value as it is written in its gap, the same for every shell that may read it. */
function writeValue({ name, value, source }: NamedValue, { before, after }: ValueGap, shells: readonly Shell[]) {
  const no = (why: string) => ({ ok: false, why }) as const;
  if (source !== "person" && (isProgramName(thingNamed(name)) || isProgram(before) || isOption(before)))
    return no("the bot won't fill in a program or an option; give it yourself");
  if (isReadAgain(before)) {
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
