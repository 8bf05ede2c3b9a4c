import { parseDuration } from "../base/duration.ts";
import type { SlashCommand } from "./grammar.ts";
import { verbs } from "./verbs.ts";

/** The one word that the command takes, where it has one. */
const switchIn = ({ ids, words }: Pick<SlashCommand, "ids" | "words">): string | undefined =>
  ids.length === 0 && words.length === 1 ? words[0]?.toLowerCase() : undefined;

/** What stands where the server is to be named again: `web-1:`, `` `web-1` `` and `web-1,web-2` mean what they say. */
export const restatedIn = ({ words }: Pick<SlashCommand, "words">): string | undefined =>
  words[0]
    ?.replace(/[`:]/g, "")
    .split(",")
    .filter((name) => name !== "")
    .join(", ");

/** Of `/run` and `/edit`: each line of the block is a command of its own, and all of them are a set of checks. */
export const eachFlag = "--each";

/** The commands of such a block. */
export const linesIn = (block: string): readonly string[] =>
  block
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** What `/lease` or `/auto`, its short form, says; times in ms. */
export type LeaseWord =
  | { readonly kind: "off" }
  | { readonly kind: "on"; readonly timeMs?: number; readonly places?: string; readonly commands?: number };

/** `/lease 15m web-1 [20]`, `/lease off`, `/auto on`, `/auto off`; undefined for anything else. */
export function leaseIn(slash: Pick<SlashCommand, "verb" | "ids" | "words" | "flags">): LeaseWord | undefined {
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
