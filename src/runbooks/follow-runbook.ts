import type { Proposal } from "../base/action.ts";
import type { Reading } from "../base/agent.ts";
import type { Skill } from "../base/github.ts";
import type { ServerSummary } from "../base/server.ts";
import { bookOf, type FilledBook, fillIn } from "./book.ts";
import { followUps, type Wish, wishIn } from "./follow-ups.ts";
import { purposeOf, purposesOf } from "./match/purpose.ts";
import { nextStep, quotedText, type Step } from "./next-step.ts";
import type { OfflineInput, Proposed } from "./offline.ts";
import type { PreparedCommand } from "./prepare.ts";
import { commandsOf, escalationOf } from "./sections.ts";
import { chooseTarget, type RunbookTarget, serversInTitle } from "./target.ts";

const needsValues =
  "The runbook's checks need values: complete one with `/fill`, as its line says. For its next step: `/ask act`";

/** So many commands that wait for values are proposed at once; the rest is named. */
const maxForms = 3;
/** Which of them a server has is not known here: a value must be read alike by all. */
const windowsShells = ["bash", "powershell", "cmd"] as const;

/** What is said where only a model could answer. */
export const unanswerable = "That question needs a model. What can be done without one is below.";

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
  const state = target.kind === "ask" ? undefined : stateOn(target.server, skill, input);
  const wish = asked === undefined ? undefined : wishIn(asked, (state?.book ?? commandsOf(skill.body)).verify);
  const escalation = escalationOf(skill.body);
  const listed = listOf(wish, input) ?? (wish?.kind === "escalation" ? escalation : undefined);
  const isAnswerable = wish !== undefined || isNamed || target.isAsked;
  if (target.kind === "ask" || state === undefined) {
    const question = target.kind === "ask" ? target.question : "";
    const prose = listed ?? (asked === undefined || isAnswerable ? question : unanswerable);
    return { ...common, prose, confidence: "LIKELY", phase: "verify", suggestions: followUps({ escalation, others }) };
  }
  const { book, course } = state;
  const step = stepFor(wish, state, input.again === true);
  const { forms, named } = openIn(state, step, wish);
  const proposals = [...step.commands.map(book.preparedOf), ...forms].map((command) =>
    proposalOf(command, { skill, server: target.server, isAct: book.act.includes(command.command) }),
  );
  const shown = input.ofModel ?? step.commands;
  const suggestions = followUps({ ...choicesOf(state, step, shown), escalation, others });
  if (listed !== undefined) return { ...common, prose: listed, suggestions };
  if (asked !== undefined && !isAnswerable) return { ...common, prose: unanswerable, suggestions };
  const says = step.kind === "stop" && forms.length > 0 ? needsValues : step.says;
  const parts = [says, ...(named.length > 0 ? [fillIn(named.map(({ written }) => written))] : [])];
  return {
    ...common,
    // What ends an incident is the last that is read.
    prose: (step.kind === "stop" ? parts.toReversed() : parts).join("\n\n"),
    confidence: "LIKELY",
    phase:
      step.kind === "act" || course.runs.some(({ command }) => book.act.includes(command.trim()))
        ? "act"
        : "investigate",
    proposals,
    suggestions,
    notes: [
      ...common.notes,
      ...(target.note === undefined ? [] : [target.note]),
      ...(step.kind === "look" ? book.changing : []).map(
        (command) => `Left out: the runbook lists ${quotedText(command)} under Verify, but it changes something.`,
      ),
    ],
  };
}

function proposalOf(
  { written, command, filled, open }: PreparedCommand,
  { skill, server, isAct }: { readonly skill: Skill; readonly server: string; readonly isAct: boolean },
): Proposal {
  return {
    title: titleOf(written, skill, isAct),
    description: "",
    server,
    command,
    ...(isAct ? { risk: "medium" as const } : {}),
    ...(filled.length > 0 ? { filled } : {}),
    ...(open.length > 0 ? { open } : {}),
  };
}

/** The checks that wait for values and are proposed beside a step, and what of its kind is only named. */
function openIn({ book, course }: RunbookState, step: Step, wish: Wish | undefined) {
  const isWanted = step.kind === "look" || (step.kind === "stop" && book.verify.length === 0 && wish === undefined);
  const isWelcome = ({ command }: PreparedCommand): boolean => !course.refused.has(command);
  const looks = book.openVerify.filter(isWelcome);
  const forms = isWanted ? looks.filter(({ fillable }) => fillable).slice(0, maxForms) : [];
  const open = step.kind === "look" ? looks : book.openAct.filter(isWelcome);
  return { forms, named: open.filter((one) => !forms.includes(one) && !book.act.includes(one.command)) };
}

interface RunbookState {
  readonly book: FilledBook;
  readonly course: Omit<Parameters<typeof nextStep>[1], "wish">;
}

/** How far a runbook has been followed on a server or group. */
function stateOn(target: string, { body }: Skill, input: OfflineInput): RunbookState {
  const { servers, runs = [], proposed = [], unread, readsOnly, values = [] } = input;
  const members = servers.filter(({ name, groups }) => name === target || groups.includes(target));
  const onTarget = proposed.filter(({ place }) => place === target);
  const changes = (command: string) => members.some(({ name }) => readsOnly?.(command, name) === false);
  const shells = members.some(({ os }) => os === "windows") ? windowsShells : (["bash"] as const);
  return {
    book: bookOf(body, { unread, changes, isJudged: readsOnly !== undefined, values, shells }),
    course: {
      runs: runs.filter(({ servers: on }) => on?.every((name) => isMember(name, members)) ?? true),
      open: commandsIn(onTarget, "open"),
      refused: commandsIn(onTarget, "rejected"),
    },
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
  const named = servers.find(({ name }) => name === input.serverNamed);
  const inTitle = serversInTitle(incident.title, servers);
  // Where the title names another one, that is what the incident is about.
  if (named !== undefined && (inTitle.length === 0 || inTitle.includes(named.name)))
    return { kind: "server", server: named.name, isAsked };
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
