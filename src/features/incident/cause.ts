import { withoutCitations } from "../../agent/reply/citations.ts";
import { memberOf } from "../../base/action.ts";
import { wentWell } from "../../base/run.ts";
import { saidOnce } from "../../github/render/card.ts";
import { commandWords } from "../../runbooks/lessons.ts";
import type { Action } from "../../store/actions.ts";
import { alertOf } from "../../store/alerts.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import type { HypothesisRow } from "../../store/hypotheses.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import { outputsOf } from "../../store/outputs.ts";
import type { Run } from "../../store/runs.ts";
import { messagesOf, type Turn } from "../../store/turns.ts";
import { proseWords } from "../../text/prose.ts";
import { delimitedIn } from "../../text/read/visible.ts";
import { speaksToAgent } from "../../text/speech.ts";

export interface IncidentHistory {
  readonly actions: readonly Action[];
  readonly runs: readonly Run[];
  readonly turns: readonly Turn[];
  readonly hypotheses: readonly HypothesisRow[];
  /** What outsiders may have written: outputs, the alert, rejected proposals. None of it becomes a cause. */
  readonly foreign: readonly string[];
}

interface AgentsCause {
  readonly sure: string;
  readonly isConfirmed: boolean;
  readonly words: string;
}

/**
 * Returns the agent's last confirmed turn or hypothesis before what helped, or before the last change if nothing is seen to have helped,
 * because after a fix the agent confirms that all is well; if it confirmed nothing, its last turn.
 */
export function agentsCause(past: IncidentHistory): AgentsCause | undefined {
  // An offline turn quotes a runbook, which names no cause.
  const heard = past.turns.filter(({ offline }) => !offline);
  const fixedAt = (helpedIn(past).at(-1) ?? fixesOf(past).at(-1))?.at ?? Number.POSITIVE_INFINITY;
  const before = heard.filter(({ createdAt }) => createdAt.getTime() < fixedAt);
  const turn = before.findLast(isConfirmed) ?? before.at(-1) ?? heard.at(-1);
  const said = turn && causeOfTurn(turn, past.foreign);
  if (said?.isConfirmed && said.words !== "") return said;
  const confirmed = past.hypotheses.filter(({ status }) => status === "confirmed");
  const hypothesis = confirmed.findLast(({ changedAt }) => changedAt.getTime() < fixedAt) ?? confirmed.at(-1);
  const words = hypothesis ? ownWords(hypothesis.says, past.foreign) : "";
  if (!hypothesis || words === "") return said;
  return { sure: `CONFIRMED by ${hypothesis.forRuns.join(", ")}`, isConfirmed: true, words };
}

function causeOfTurn(turn: Turn, foreign: readonly string[]): AgentsCause {
  const { sure, prose } = saidOnce({ ...turn, prose: proseWords(withoutCitations(turn.prose)) });
  return {
    sure: sure || (turn.confidence ?? "INCONCLUSIVE"),
    isConfirmed: isConfirmed(turn),
    words: ownWords(prose.split("\n", 1)[0] ?? "", foreign),
  };
}

/** Returns what is left of the agent's words without others': empty if that says nothing. */
export function ownWords(text: string, foreign: readonly string[]): string {
  const sentences = withoutCitations(text)
    .split(/(?<=[.!?。！？])\s+/)
    .filter((sentence) => !speaksToAgent(sentence));
  const own = withoutCopied(sentences.join(" "), foreign).replace(/^…\s*[:;,.–—-]\s*/, "");
  return (own.match(/\p{L}{2,}/gu) ?? []).length < 2 ? "" : own;
}

/** So many words in a row are copied, not said again by chance. */
const copiedWords = 4;

const wordsIn = (text: string) =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    word: match[0].normalize("NFKC").toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }));

const keyOf = (words: readonly { readonly word: string }[], at: number): string =>
  words
    .slice(at, at + copiedWords)
    .map(({ word }) => word)
    .join(" ");

const knownIn = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Reads a list of sources once. */
function keysOf(sources: readonly string[]): ReadonlySet<string> {
  const before = knownIn.get(sources);
  if (before) return before;
  const keys = new Set<string>();
  for (const source of sources) {
    const words = wordsIn(source);
    for (let at = 0; at <= words.length - copiedWords; at += 1) keys.add(keyOf(words, at));
  }
  knownIn.set(sources, keys);
  return keys;
}

/** Returns the text with `…` for each passage that also stands in one of the sources: data may inform words, and never be them. */
function withoutCopied(text: string, sources: readonly string[]): string {
  const known = keysOf(sources);
  const words = wordsIn(text);
  const copied = new Set<number>();
  for (let at = 0; at <= words.length - copiedWords; at += 1)
    if (known.has(keyOf(words, at))) for (let i = at; i < at + copiedWords; i += 1) copied.add(i);
  let kept = "";
  let from = 0;
  for (let at = 0; at < words.length; at += 1) {
    const first = words[at];
    if (!first || !copied.has(at)) continue;
    while (copied.has(at + 1)) at += 1;
    kept += `${text.slice(from, first.from)}…`;
    from = words[at]?.to ?? text.length;
  }
  return (kept + text.slice(from))
    .replace(/(?<![`"“”„«»'])[`"“”„«»']*…(?:[^\p{L}\p{N}\s]*\s*…)*[`"“”„«»']*/gu, "…")
    .trim();
}

/**
 * Returns the texts of an incident that outsiders may have written: of outputs what people see and what the agent has read, also after
 * they are removed.
 */
export async function foreignTexts(
  db: Db | Tx,
  {
    incident,
    actions,
    runs,
  }: Pick<IncidentHistory, "actions" | "runs"> & { readonly incident: Pick<Incident, "id" | "title" | "body"> },
): Promise<readonly string[]> {
  const ids = runs.map(({ id }) => id);
  const outputs = [...(await outputsOf(db, ids)).values()].map(({ excerpt }) => excerpt ?? "");
  const { id: sessionId, nonce } = await sessionOf(db, incident.id);
  const read = (await messagesOf(db, sessionId)).flatMap(({ role, content }) =>
    role === "user" || role === "tool" ? delimitedIn(content, "output-of-", nonce) : [],
  );
  const alert = (await alertOf(db, incident.id)) ? [incident.title, incident.body] : [];
  const rejected = actions.filter(({ state }) => state === "rejected" || state === "blocked");
  const proposed = rejected.flatMap(({ title, description, spec }) => [title, description, spec.command]);
  return [...outputs, ...read, ...runs.flatMap(({ trouble }) => trouble ?? []), ...alert, ...proposed];
}

/** Returns the last confirmed turn. */
export function lastConfirmed(turns: readonly Turn[]): Omit<AgentsCause, "isConfirmed"> | undefined {
  const turn = turns.findLast(isConfirmed);
  if (!turn) return undefined;
  const { sure, prose } = saidOnce({ ...turn, prose: proseWords(withoutCitations(turn.prose)) });
  return { sure: sure || "CONFIRMED", words: prose.split("\n", 1)[0] ?? "" };
}

/** Returns the numbers of runs by which the agent confirmed something. */
export const confirmingRuns = ({
  turns,
  hypotheses,
}: Pick<IncidentHistory, "turns" | "hypotheses">): ReadonlySet<number> =>
  new Set([
    ...turns.filter(isConfirmed).flatMap((turn) => (saidOnce(turn).sure.match(/\d+/g) ?? []).map(Number)),
    ...hypotheses.flatMap(({ status, forRuns }) => (status === "confirmed" ? forRuns : [])),
  ]);

const isConfirmed = ({ confidence, offline }: Turn): boolean => confidence === "CONFIRMED" && !offline;

interface Acts {
  readonly actions: readonly Action[];
  readonly runs: readonly Run[];
}

/** Returns the actions above low risk that succeeded on all servers, by start. */
function fixesOf({ actions, runs }: Acts): readonly (Action & { readonly at: number })[] {
  return actions
    .flatMap((action) => {
      const own = runs.filter(({ actionId }) => actionId === action.id);
      const at = Math.min(
        ...own.map(({ startedAt, endedAt }) => (startedAt ?? endedAt)?.getTime() ?? Number.POSITIVE_INFINITY),
      );
      return action.spec.risk !== "low" && own.length > 0 && own.every(wentWell) ? [{ ...action, at }] : [];
    })
    .sort((a, b) => a.at - b.at);
}

/** What a read showed. */
interface Look {
  readonly server: string;
  readonly words: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly isBad: boolean;
}

/** Whether it changes nothing that a check could show. `echo 3 > FILE` does. */
export const changesNothing = (command: string): boolean =>
  /^(?:sudo\s+)?(?:touch|sleep|echo|printf|true|:|date|mkdir|logger|sync)\b/.test(command) && !/[>|]/.test(command);

/** Pairs of words, the normal one first. */
const inverses: readonly (readonly [normal: string, interrupted: string])[] = [
  ["start", "stop"],
  ["enable", "disable"],
  ["up", "down"],
  ["unpause", "pause"],
  ["resume", "pause"],
  ["resume", "suspend"],
  ["uncordon", "cordon"],
  ["uncordon", "drain"],
  ["unmask", "mask"],
  ["unlock", "lock"],
  ["attach", "detach"],
  ["mount", "umount"],
  ["unhold", "hold"],
  ["on", "off"],
];
const additions: readonly (readonly [string, string])[] = [
  ["add", "remove"],
  ["add", "del"],
  ["add", "delete"],
  ["-A", "-D"],
  ["-I", "-D"],
];

/**
 * Returns how a command relates to an earlier one: `stop` undoes `start`, while `start` restores what `stop` interrupted, which may be a
 * fix; undefined if neither.
 */
export function undoing(
  command: string,
  before: { readonly command: string; readonly undo?: string | undefined },
): "undoes" | "restores" | undefined {
  if (before.undo?.trim() === command.trim()) return "undoes";
  const [words, earlier] = [quotedWordsOf(command), quotedWordsOf(before.command)];
  // A restart leaves the template as it was.
  if (words.includes("rollout") && words.includes("undo") && earlier.some((word) => /^(?:set|patch|edit)$/.test(word)))
    return words.some((word) => word.includes("/") && earlier.includes(word)) ? "undoes" : undefined;
  if (words.length !== earlier.length) return undefined;
  const [only, ...more] = earlier.flatMap((word, at) => (word === words[at] ? [] : [[word, words[at] ?? ""] as const]));
  if (only === undefined || more.length > 0) return undefined;
  const [was, is] = only;
  const has = (pairs: typeof inverses, one: string, other: string): boolean =>
    pairs.some(([a, b]) => a === one && b === other);
  if (has(inverses, is, was)) return "restores";
  return has(inverses, was, is) || has(additions, was, is) || has(additions, is, was) || isSwapped(was, is)
    ? "undoes"
    : undefined;
}

const quotedWordsOf = (command: string): readonly string[] =>
  command.replace(/^\s*sudo\s+/, "").match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];

/** `s/^a$/b/` and `s/^b$/a/` */
function isSwapped(one: string, other: string): boolean {
  const [a, b] = [one, other].map((script) => {
    const [, , from, to] = /^["']?s(.)(.+?)\1(.+?)\1[a-z]*["']?$/.exec(script) ?? [];
    return [from, to].map((text) => text?.replace(/[\\^$]/g, ""));
  });
  return a?.[0] !== undefined && a[0] === b?.[1] && a[1] === b?.[0];
}

/**
 * Returns the changes, by start, after which a fault was gone that a check had shown before. A fault counts once, from the first look at
 * it until it is gone for good, so undoing one's own change does not count as help. Pure.
 */
export function helpedIn(past: Acts): ReturnType<typeof fixesOf> {
  const { actions, runs } = past;
  const byId = new Map(actions.map((action) => [action.id, action]));
  const looks = runs
    .flatMap((run): readonly Look[] => {
      const action = byId.get(run.actionId);
      const { startedAt, endedAt, ending, outcome, trouble, server } = run;
      if (action?.spec.risk !== "low" || action.spec.probes !== undefined) return [];
      if (!startedAt || !endedAt || ending?.kind !== "exited") return [];
      // `not active` is a fault, `no match` is none.
      const isBad =
        trouble !== null || (outcome?.kind === "answer" ? !/^no\b/.test(outcome.says) : !wentWell({ ending, outcome }));
      const words = commandWords(memberOf(action.spec, run).command);
      return [{ server, words, from: startedAt.getTime(), to: endedAt.getTime(), isBad }];
    })
    .toSorted((a, b) => a.from - b.from);
  const spans = looks.flatMap((first, at): readonly { readonly from: number; readonly to: number }[] => {
    const isFirst = !looks.slice(0, at).some((before) => isSameLook(before, first));
    if (!first.isBad || !isFirst) return [];
    const series = looks.slice(at).filter((later) => isSameLook(first, later));
    const good = series.findIndex(({ isBad }) => !isBad);
    const [lastBad, firstGood] = [series[good - 1], series[good]];
    if (!lastBad || !firstGood || series.at(-1)?.isBad) return [];
    return [{ from: lastBad.from, to: firstGood.to }];
  });
  const acts = fixesOf(past);
  return acts.filter(
    (act, index) =>
      act.spec.probes === undefined &&
      !changesNothing(act.spec.command) &&
      !acts.slice(0, index).some((before) => undoing(act.spec.command, before.spec) !== undefined) &&
      spans.some(({ from, to }) => from <= act.at && act.at <= to),
  );
}

/** The same program on the same server, asked about the same thing: `systemctl status web` and `systemctl is-active web`. */
function isSameLook(one: Look, other: Look): boolean {
  if (one.server !== other.server || one.words[0] !== other.words[0]) return false;
  const [own, others] = [one.words.join(" "), other.words.join(" ")];
  if (own === others) return true;
  // A query's words stand in any other's.
  if (/["']/.test(own + others)) return false;
  const operandsOf = ({ words }: Look): readonly string[] => words.slice(1).filter((word) => !word.startsWith("-"));
  const [a, b] = [operandsOf(one), operandsOf(other)];
  // A lone operand is the thing, the first of several is often a verb.
  const thingsOf = (words: readonly string[]): readonly string[] => (words.length > 1 ? words.slice(1) : words);
  return a.length === 0 || b.length === 0 || thingsOf(a).some((word) => thingsOf(b).includes(word));
}
