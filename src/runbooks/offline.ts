/**
 * The turn without a model (OFF-1): follows the runbook that fits, its looks first, and goes on to its acts as `next-step.ts`
 * says. It never guesses: where it is not sure, it says so.
 */
import type { NamedValue } from "../base/action.ts";
import type { Reading } from "../base/agent.ts";
import type { Skill } from "../base/github.ts";
import type { ServerSummary } from "../base/server.ts";
import { followRunbook, linkOf, listOf, unanswerable } from "./follow-runbook.ts";
import { followUps, wishIn } from "./follow-ups.ts";
import { minScore } from "./match/band.ts";
import { type IncidentText, skillMatcher } from "./match/matcher.ts";
import type { PastRun } from "./next-step.ts";
import type { Workflow } from "./workflows.ts";

export interface OfflineInput {
  readonly skills: readonly Skill[];
  readonly workflows?: readonly Workflow[] | undefined;
  readonly incident: IncidentText;
  readonly servers: readonly ServerSummary[];
  /** What its alert, its form or a person says by name. */
  readonly values?: readonly NamedValue[] | undefined;
  /** The server that one of these names. */
  readonly serverNamed?: string | undefined;
  /** What has already run for this incident, oldest first. */
  readonly runs?: readonly PastRun[] | undefined;
  /** What was proposed for it, by whomever, in order. */
  readonly proposed?: readonly Proposed[] | undefined;
  /** The runbook that the turn before followed. */
  readonly following?: string | undefined;
  /** What a person asks, in their words. */
  readonly asked?: string | undefined;
  /** A person wants the incident looked at again. */
  readonly again?: boolean | undefined;
  /** The commands that the model, where it has spoken, proposes: nothing of this is, and only what may follow is wanted. */
  readonly ofModel?: readonly string[] | undefined;
  readonly reason: Reason;
  /** What commands say is not read: on a public issue nothing of it may be said. */
  readonly unread?: boolean | undefined;
  /** The policy's word on whether a command only reads on a server; without it a Verify heading is believed. */
  readonly readsOnly?: ((command: string, server: string) => boolean) | undefined;
}

export interface Proposed {
  readonly command: string;
  readonly place: string;
  readonly by: "agent" | "person";
  readonly state: "open" | "rejected" | "ended";
}

export type Reason = keyof typeof reasons;

const none: readonly Workflow[] = [];

const reasons = {
  "no-model": "No model",
  "over-budget": "The model is not asked now",
  "model-down": "The model cannot be reached",
  "model-reads": "While the agent reads",
} as const;

/** The runbook that certainly fits, by the incident's text alone; undefined where none does. */
export function sureRunbook(
  { skills, workflows = none }: Pick<OfflineInput, "skills" | "workflows">,
  incident: IncidentText,
): Skill | undefined {
  const { ranked, band } = skillMatcher(skills, workflows)(incident);
  return band === "high" ? skills.find(({ name }) => name === ranked[0]?.name) : undefined;
}

/** Reads an incident without a model. Pure; the same input gives the same reading. */
export function offlineReading(input: OfflineInput): Reading {
  const { skills, workflows = none, incident, reason, asked } = input;
  const { ranked, band } = skillMatcher(skills, workflows)(incident);
  const searched = `${reasons[reason]}: the runbooks were searched for the incident's words.`;
  const base: Reading = { prose: "", proposals: [], suggestions: [], runbooks: [], notes: [searched] };
  const named = asked === undefined || asked.includes("?") ? undefined : skillNamed(skills, asked);
  const followed = named ?? skills.find(({ name }) => name === input.following);
  const top = ranked.slice(0, 3).map(({ name }) => name);
  const skill = followed ?? sureRunbook(input, incident);
  if (skill) {
    // One that fits worse would be tried in vain, perhaps on a server that has nothing of it.
    const others = ranked.flatMap(({ name, score }) => (name === skill.name || score < minScore ? [] : [name]));
    const likely = band === "none" ? [] : skills.filter(({ name }) => others.includes(name)).slice(0, 1);
    // How it is done is said when a runbook is first followed, not on each of its cards.
    const isSaid = reason === "no-model" && input.following === skill.name;
    return followRunbook(skill, input, {
      base: { ...base, notes: isSaid ? [] : [`${reasons[reason]}: this follows the runbook that matches the text.`] },
      others: likely.map(({ name }) => name),
      isNamed: named !== undefined,
    });
  }
  const wish = asked === undefined ? undefined : wishIn(asked, []);
  const listed = listOf(wish, input);
  if (listed !== undefined) return { ...base, prose: listed, suggestions: followUps({}) };
  if (asked !== undefined && wish === undefined)
    return { ...base, prose: unanswerable, suggestions: followUps({ others: likelyOf(top, input) }) };
  if (band === "none" || top.length === 0)
    return {
      ...base,
      prose:
        "No runbook fits this incident, so nothing is proposed. Propose a command of your own: `/run SERVER` with a code block.",
      confidence: "INCONCLUSIVE",
      phase: "identify",
      suggestions: followUps({}),
    };
  if (band === "high") {
    const prose = `The workflow **${top[0]}** fits. To make a checklist of it: \`/workflow ${top[0]}\``;
    return { ...base, prose, confidence: "LIKELY", phase: "plan", suggestions: followUps({}) };
  }
  const possible = likelyOf(top, input);
  return {
    ...base,
    prose: "No runbook fits for certain, so nothing is proposed. Choose one: `/ask NAME`",
    confidence: "INCONCLUSIVE",
    phase: "identify",
    runbooks: skills.filter(({ name }) => possible.includes(name)).map(linkOf),
    suggestions: followUps({ others: possible }),
  };
}

const likelyOf = (names: readonly string[], { skills }: OfflineInput): readonly string[] =>
  names.filter((name) => skills.some((skill) => skill.name === name));

/** The skill whose name stands in the text as words of its own; the longest, where several do. */
function skillNamed(skills: readonly Skill[], text: string): Skill | undefined {
  const spoken = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}._-]+/gu, " ")} `;
  return skills
    .filter(({ name }) => spoken.includes(` ${name.toLowerCase()} `))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}
