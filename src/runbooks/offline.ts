/**
 * The turn without a model (OFF-1): follows the runbook that fits, its looks first, and goes on to its acts as `next-step.ts`
 * says. It never guesses: where it is not sure, it says so.
 */

import type { Proposal, Reading, ServerSummary, Skill } from "../base/types.ts";
import { bookOf, fillIn, hasPlaceholder } from "./book.ts";
import { followUps, type Wish, wishIn } from "./follow-ups.ts";
import { type IncidentText, skillMatcher } from "./match/matcher.ts";
import { purposeOf, purposesOf } from "./match/purpose.ts";
import { type Book, nextStep, type PastRun, quotedText, type Step } from "./next-step.ts";
import { commandsOf, escalationOf } from "./sections.ts";
import { chooseTarget, type RunbookTarget } from "./target.ts";
import type { Workflow } from "./workflows.ts";

export interface OfflineInput {
  readonly skills: readonly Skill[];
  readonly workflows?: readonly Workflow[] | undefined;
  readonly incident: IncidentText;
  readonly servers: readonly ServerSummary[];
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
    const others = ranked.flatMap(({ name }) => (name === skill.name ? [] : [name]));
    const likely = band === "none" ? [] : skills.filter(({ name }) => others.includes(name)).slice(0, 1);
    return followRunbook(skill, input, {
      base: { ...base, notes: [`${reasons[reason]}: this follows the runbook that matches the text.`] },
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

const unanswerable = "Nobody can answer that without a model. What can be done without one stands below.";

const likelyOf = (names: readonly string[], { skills }: OfflineInput): readonly string[] =>
  names.filter((name) => skills.some((skill) => skill.name === name));

/** The skill whose name stands in the text as words of its own; the longest, where several do. */
function skillNamed(skills: readonly Skill[], text: string): Skill | undefined {
  const spoken = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}._-]+/gu, " ")} `;
  return skills
    .filter(({ name }) => spoken.includes(` ${name.toLowerCase()} `))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** What is listed for who asks for it; undefined where something else is asked. */
function listOf(wish: Wish | undefined, { skills, servers }: OfflineInput): string | undefined {
  if (wish?.kind === "runbooks")
    return `To follow one: \`/ask NAME\`\n\n${skills.map(({ name }) => `- ${quotedText(name)}`).join("\n")}`;
  if (wish?.kind === "servers")
    return `To look at one: \`/ask look at NAME\`\n\n${servers.map(({ name }) => `- ${quotedText(name)}`).join("\n")}`;
  return undefined;
}

/** The next commands of a runbook that certainly fits, or that a person has chosen. */
function followRunbook(
  skill: Skill,
  input: OfflineInput,
  given: { readonly base: Reading; readonly others: readonly string[]; readonly isNamed: boolean },
): Reading {
  const { asked, servers, proposed = [] } = input;
  const { base, others, isNamed } = given;
  const common = { ...base, runbooks: [linkOf(skill)] };
  const target = targetOf(input);
  const { verify, act } = commandsOf(skill.body);
  const wish = asked === undefined ? undefined : wishIn(asked, verify);
  const escalation = escalationOf(skill.body);
  const listed = listOf(wish, input) ?? (wish?.kind === "escalation" ? escalation : undefined);
  const isAnswerable = wish !== undefined || isNamed || target.isAsked;
  if (target.kind === "ask") {
    const prose = listed ?? (asked === undefined || isAnswerable ? target.question : unanswerable);
    return { ...common, prose, confidence: "LIKELY", phase: "verify", suggestions: followUps({ escalation, others }) };
  }
  const members = servers.filter(({ name, groups }) => name === target.server || groups.includes(target.server));
  const onTarget = proposed.filter(({ place }) => place === target.server);
  const changes = (command: string) => members.some(({ name }) => input.readsOnly?.(command, name) === false);
  const changing = verify.filter((command) => !hasPlaceholder(command) && changes(command));
  const book = bookOf(skill.body, { unread: input.unread, changes, isJudged: input.readsOnly !== undefined });
  const course = {
    runs: (input.runs ?? []).filter(({ servers: on }) => on?.every((name) => isMember(name, members)) ?? true),
    open: commandsIn(onTarget, "open"),
    refused: commandsIn(onTarget, "rejected"),
  };
  const plain = nextStep(book, course);
  const step = stepFor(wish, { book, course, plain, again: input.again === true });
  const proposals = step.commands.map(
    (command): Proposal => ({
      title: titleOf(command, skill, book.act.includes(command)),
      description: "",
      server: target.server,
      command,
      ...(book.act.includes(command) ? { risk: "medium" as const } : {}),
    }),
  );
  const onCard = new Set([...course.open, ...(input.ofModel ?? step.commands)]);
  const ask = nextStep(book, { ...course, wish: "act" });
  const suggestions = followUps({
    act: ask.commands.find((command) => book.act.includes(command) && !onCard.has(command)),
    checks: book.verify.filter((command) => !onCard.has(command)),
    escalation,
    others,
    mayLook: book.verify.length > 0 && step.kind !== "look",
  });
  if (listed !== undefined) return { ...common, prose: listed, suggestions };
  if (asked !== undefined && !isAnswerable) return { ...common, prose: unanswerable, suggestions };
  const open = (step.kind === "look" ? verify : act).filter(hasPlaceholder);
  const parts = [step.says, ...(open.length > 0 ? [fillIn(open)] : [])];
  return {
    ...common,
    // What ends an incident is the last that is read.
    prose: (step.kind === "stop" ? parts.toReversed() : parts).join("\n\n"),
    confidence: "LIKELY",
    phase:
      step.kind === "act" || course.runs.some(({ command }) => act.includes(command.trim())) ? "act" : "investigate",
    proposals,
    suggestions,
    notes: [
      ...common.notes,
      ...(target.note === undefined ? [] : [target.note]),
      ...(step.kind === "look" ? changing : []).map(
        (command) => `Left out: the runbook lists ${quotedText(command)} under Verify, but it changes something.`,
      ),
    ],
  };
}

/** What is done for a wish; what would come next without one, where there is none. */
function stepFor(
  wish: Wish | undefined,
  given: {
    readonly book: Book;
    readonly course: Omit<Parameters<typeof nextStep>[1], "wish">;
    readonly plain: Step;
    readonly again: boolean;
  },
): Step {
  const { book, course, plain, again } = given;
  if (wish?.kind === "check") return { kind: "look", commands: [wish.command], says: "It only reads." };
  if (wish?.kind === "act" || wish?.kind === "look") return nextStep(book, { ...course, wish: wish.kind });
  return again && plain.kind === "stop" ? nextStep(book, { ...course, wish: "look" }) : plain;
}

/** The place that a person names now, else the one where the agent proposed last, else what the incident says. */
function targetOf(input: OfflineInput): RunbookTarget & { readonly isAsked: boolean } {
  const { asked = "", incident, servers, proposed = [] } = input;
  const isShort = !asked.includes("?") && asked.trim().split(/\s+/).length <= 5;
  const said = chooseTarget({ title: isShort ? asked : "", body: "" }, servers);
  const isAsked = said.kind === "server" && servers.length > 1;
  if (isAsked) return { ...said, isAsked };
  const before = proposed.findLast(({ by }) => by === "agent")?.place;
  const isKnown = servers.some(({ name, groups }) => name === before || groups.some((group) => group === before));
  if (before !== undefined && isKnown) return { kind: "server", server: before, isAsked };
  return { ...chooseTarget(incident, servers), isAsked };
}

const isMember = (name: string, members: readonly ServerSummary[]): boolean =>
  members.some((member) => member.name === name);

const commandsIn = (proposed: readonly Proposed[], wanted: Proposed["state"]): ReadonlySet<string> =>
  new Set(proposed.flatMap(({ command, state }) => (state === wanted ? [command.trim()] : [])));

const titleOf = (command: string, { body }: Skill, isAct: boolean): string =>
  purposesOf(body).get(command) ?? (isAct ? "Next step" : (purposeOf(command) ?? "Runbook check"));

const linkOf = (skill: Skill): Reading["runbooks"][number] => ({
  label: skill.name,
  url: skill.metadata.runbook ?? skill.path,
});
