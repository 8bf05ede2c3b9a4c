import type { Proposal, Reading, ServerSummary, Skill } from "../base/types.ts";
import { bookOf, fillIn, hasPlaceholder } from "./book.ts";
import { followUps, type Wish, wishIn } from "./follow-ups.ts";
import { purposeOf, purposesOf } from "./match/purpose.ts";
import { type Book, nextStep, quotedText, type Step } from "./next-step.ts";
import type { OfflineInput, Proposed } from "./offline.ts";
import { commandsOf, escalationOf } from "./sections.ts";
import { chooseTarget, type RunbookTarget } from "./target.ts";

/** What is said where only a model could answer. */
export const unanswerable = "Nobody can answer that without a model. What can be done without one stands below.";

/** What is listed for who asks for it; undefined where something else is asked. */
export function listOf(wish: Wish | undefined, { skills, servers }: OfflineInput): string | undefined {
  if (wish?.kind === "runbooks")
    return `To follow one: \`/ask NAME\`\n\n${skills.map(({ name }) => `- ${quotedText(name)}`).join("\n")}`;
  if (wish?.kind === "servers")
    return `To look at one: \`/ask look at NAME\`\n\n${servers.map(({ name }) => `- ${quotedText(name)}`).join("\n")}`;
  return undefined;
}

/** The next commands of a runbook that certainly fits, or that a person has chosen. */
export function followRunbook(
  skill: Skill,
  input: OfflineInput,
  given: { readonly base: Reading; readonly others: readonly string[]; readonly isNamed: boolean },
): Reading {
  const { asked } = input;
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
  const state = stateOn(target.server, skill, input);
  const { book, course } = state;
  const step = stepFor(wish, state, input.again === true);
  const proposals = step.commands.map(
    (command): Proposal => ({
      title: titleOf(command, skill, book.act.includes(command)),
      description: "",
      server: target.server,
      command,
      ...(book.act.includes(command) ? { risk: "medium" as const } : {}),
    }),
  );
  const shown = input.ofModel ?? step.commands;
  const suggestions = followUps({ ...choicesOf(state, step, shown), escalation, others });
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
      ...(step.kind === "look" ? state.changing : []).map(
        (command) => `Left out: the runbook lists ${quotedText(command)} under Verify, but it changes something.`,
      ),
    ],
  };
}

interface RunbookState {
  readonly book: Book;
  readonly course: Omit<Parameters<typeof nextStep>[1], "wish">;
  /** What the runbook lists under Verify and changes something there. */
  readonly changing: readonly string[];
}

/** How far a runbook has been followed on a server or group. */
function stateOn(target: string, { body }: Skill, input: OfflineInput): RunbookState {
  const { servers, runs = [], proposed = [], unread, readsOnly } = input;
  const members = servers.filter(({ name, groups }) => name === target || groups.includes(target));
  const onTarget = proposed.filter(({ place }) => place === target);
  const changes = (command: string) => members.some(({ name }) => readsOnly?.(command, name) === false);
  return {
    book: bookOf(body, { unread, changes, isJudged: readsOnly !== undefined }),
    course: {
      runs: runs.filter(({ servers: on }) => on?.every((name) => isMember(name, members)) ?? true),
      open: commandsIn(onTarget, "open"),
      refused: commandsIn(onTarget, "rejected"),
    },
    changing: commandsOf(body).verify.filter((command) => !hasPlaceholder(command) && changes(command)),
  };
}

/** What is done for a wish; what would come next without one, where there is none. */
function stepFor(wish: Wish | undefined, { book, course }: RunbookState, again: boolean): Step {
  if (wish?.kind === "check") return { kind: "look", commands: [wish.command], says: "It only reads." };
  if (wish?.kind === "act" || wish?.kind === "look") return nextStep(book, { ...course, wish: wish.kind });
  const plain = nextStep(book, course);
  return again && plain.kind === "stop" ? nextStep(book, { ...course, wish: "look" }) : plain;
}

/** What a person may ask for next, without what stands on a card or is about to. */
function choicesOf({ book, course }: RunbookState, step: Step, shown: readonly string[]) {
  const onCard = new Set([...course.open, ...shown]);
  const { commands } = nextStep(book, { ...course, wish: "act" });
  return {
    act: commands.find((command) => book.act.includes(command) && !onCard.has(command)),
    checks: book.verify.filter((command) => !onCard.has(command)),
    mayLook: book.verify.length > 0 && step.kind !== "look",
  };
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

/** A runbook as a reading names it. */
export const linkOf = (skill: Skill): Reading["runbooks"][number] => ({
  label: skill.name,
  url: skill.metadata.runbook ?? skill.path,
});
