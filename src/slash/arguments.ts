import { parseDuration } from "../base/duration.ts";
import type { SlashCommand } from "./grammar.ts";
import { type Audience, type Verb, verbs } from "./verbs.ts";

type SwitchLine = Pick<SlashCommand, "ids" | "words" | "flags">;

const switchIn = ({ ids, words, flags }: SwitchLine): string | undefined =>
  flags.size === 0 && ids.length === 0 && words.length === 1 ? words[0]?.toLowerCase() : undefined;

/** Returns who may give a command as written here. */
export const audienceOf = ({ may, mayOff = may }: Pick<Verb, "may" | "mayOff">, line: SwitchLine): Audience =>
  switchIn(line) === "off" ? mayOff : may;

/** Each line of the block becomes a command of one set of checks. */
export const eachFlag = "--each";

export const linesIn = (block: string): readonly string[] =>
  block
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Times in ms. */
export type LeaseWord =
  | { readonly kind: "off" }
  | { readonly kind: "on"; readonly timeMs?: number; readonly places?: string; readonly commands?: number };

/** Reads `/lease 15m web-1 [20]`, `/lease off`, `/auto on`, `/auto off`; undefined for anything else. */
export function leaseIn(slash: SwitchLine & Pick<SlashCommand, "verb">): LeaseWord | undefined {
  if (slash.flags.size > 0) return undefined;
  const one = switchIn(slash);
  if (one === "off") return { kind: "off" };
  if (slash.verb === verbs.auto.verb) return one === "on" ? { kind: "on" } : undefined;
  const [time = "", ...rest] = slash.words;
  const timeMs = parseDuration(time.toLowerCase());
  const last = rest.length > 1 ? /^\[?(\d{1,4})\]?$/.exec(rest.at(-1) ?? "")?.[1] : undefined;
  const places = rest.slice(0, last === undefined ? undefined : -1).join(",");
  if (slash.ids.length > 0 || timeMs === undefined || !/[^\s,]/.test(places)) return undefined;
  return { kind: "on", timeMs, places, ...(last === undefined ? {} : { commands: Number(last) }) };
}
