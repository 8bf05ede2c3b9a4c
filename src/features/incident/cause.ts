import { withoutCitations } from "../../agent/reply/citations.ts";
import { saidOnce } from "../../github/render/card.ts";
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
import { speaksToAgent } from "../../text/trouble.ts";
import { fixesOf, helpedIn } from "./helped.ts";

export interface IncidentHistory {
  readonly actions: readonly Action[];
  readonly runs: readonly Run[];
  readonly turns: readonly Turn[];
  readonly hypotheses: readonly HypothesisRow[];
  /** What outsiders may have written: outputs, the alert, rejected proposals. None of it becomes a cause. */
  readonly foreign: readonly string[];
}

export interface AgentsCause {
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
