import * as z from "zod";
import type { NamedValue, Proposal } from "../base/action.ts";
import type { Reading } from "../base/agent.ts";
import { capital } from "../base/errors.ts";
import type { Skill } from "../base/github.ts";
import { allShells, type ServerSummary, type Shell } from "../base/server.ts";
import { findingsOf } from "./findings.ts";
import { type IncidentText, skillMatcher } from "./match/matcher.ts";
import purposes from "./match/vocabulary/purposes.json" with { type: "json" };
import { type Book, nextStep, type PastRun, quotedText, type Step } from "./next-step.ts";
import { nameOf } from "./places.ts";
import { createPrepare, type PreparedCommand } from "./prepare.ts";
import { adviceOf, commandsOf, shellBlocks } from "./sections.ts";
import { isNamedIn } from "./skills.ts";
import { chooseTarget, namedIn, placeInRemark, type RunbookTarget } from "./target.ts";
import type { Workflow } from "./workflows.ts";

export interface OfflineInput {
  readonly skills: readonly Skill[];
  readonly workflows?: readonly Workflow[] | undefined;
  readonly incident: IncidentText;
  readonly servers: readonly ServerSummary[];
  /** Names of repositories that take patches. */
  readonly repositories?: readonly string[] | undefined;
  /** From alert, form or person. */
  readonly values?: readonly NamedValue[] | undefined;
  /** The server that `values` name. */
  readonly serverNamed?: string | undefined;
  /** Oldest first. */
  readonly runs?: readonly PastRun[] | undefined;
  readonly proposed?: readonly ProposedCommand[] | undefined;
  /** The last turn's runbook. */
  readonly following?: string | undefined;
  readonly asked?: string | undefined;
  readonly again?: boolean | undefined;
  /** If the model has answered, only follow-ups are wanted. */
  readonly ofModel?: readonly string[] | undefined;
  readonly reason: Reason;
  /** Outputs are not read, because a public issue must show nothing of them. */
  readonly unread?: boolean | undefined;
  /** By policy; without it, only a heading such as Verify says so. */
  readonly readsOnly?: ((command: string, server: string) => boolean) | undefined;
}

interface ProposedCommand {
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

/** Returns the runbook that surely fits; undefined if none does. */
export function sureRunbook(
  { skills, workflows = none }: Pick<OfflineInput, "skills" | "workflows">,
  incident: IncidentText,
): Skill | undefined {
  const { ranked, band } = skillMatcher(skills, workflows)(incident);
  return band === "high" ? skills.find(({ name }) => name === ranked[0]?.name) : undefined;
}

/** Returns the skills that list the incident's alert, if several do and none surely fits. */
export function rivalRunbooks(
  { skills, workflows = none }: Pick<OfflineInput, "skills" | "workflows">,
  incident: IncidentText,
): readonly string[] {
  const { band, listing } = skillMatcher(skills, workflows)(incident);
  const rivals = listing.filter((name) => skills.some((skill) => skill.name === name));
  return band === "possible" && rivals.length > 1 ? rivals : [];
}

/**
 * Reads an incident without a model: follows the runbook that fits, looks first, then acts. If not sure, it says so and never guesses
 * (AR-21, DC-5, OFF-1). Pure.
 */
export function offlineReading(input: OfflineInput): Reading {
  const { skills, workflows = none, incident, reason, asked } = input;
  const { ranked, band } = skillMatcher(skills, workflows)(incident);
  const searched = `${reasons[reason]}: the runbooks were searched for the incident's words.`;
  const base: Reading = { prose: "", proposals: [], suggestions: [], runbooks: [], notes: [searched] };
  // The longest name that is in the text as whole words.
  const said = asked === undefined || asked.includes("?") ? "" : asked;
  const [named] = skills.filter((one) => isNamedIn(one, said)).toSorted((a, b) => b.name.length - a.name.length);
  const followed = named ?? skills.find(({ name }) => name === input.following);
  const top = ranked.slice(0, 3).map(({ name }) => name);
  const skill = followed ?? sureRunbook(input, incident);
  if (skill) {
    // Only the first card that follows a runbook says so.
    const isSaid = reason === "no-model" && input.following === skill.name;
    return followRunbook(skill, input, {
      base: {
        ...base,
        notes: isSaid || reason === "model-reads" ? [] : [`${reasons[reason]}: steps from the matching runbook.`],
      },
      isNamed: named !== undefined,
    });
  }
  const wish = asked === undefined ? undefined : wishIn(asked, []);
  const listed = listOf(wish, input);
  if (listed !== undefined) return { ...base, prose: listed, suggestions: followUps({}) };
  if (asked !== undefined && wish === undefined)
    return { ...base, prose: unanswerable, suggestions: followUps({ others: likelyOf(top, input) }) };
  const possible = likelyOf(top, input);
  if (band === "none" || (band === "possible" && possible.length === 0))
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
  return {
    ...base,
    prose: "Perhaps one of these runbooks fits; nothing is proposed. To follow one: `/ask NAME`",
    confidence: "INCONCLUSIVE",
    phase: "identify",
    runbooks: skills.filter(({ name }) => possible.includes(name)).map(linkOf),
    suggestions: followUps({ others: possible }),
  };
}

const likelyOf = (names: readonly string[], { skills }: OfflineInput): readonly string[] =>
  names.filter((name) => skills.some((skill) => skill.name === name && !skill.neverByName));

const needsValues =
  "The runbook's checks need values: complete one with `/fill`, as its line says. For its next step: `/ask act`";

/** Commands that wait for values, at once; the rest is named. */
const maxForms = 3;

const unanswerable = "That question needs a model. What can be done without one is below.";

function listOf(wish: Wish | undefined, { skills, servers }: OfflineInput): string | undefined {
  if (wish?.kind === "runbooks") {
    const open = skills.filter(({ neverByName }) => !neverByName);
    return `To follow one: \`/ask NAME\`\n\n${open.map(({ name }) => `- ${quotedText(name)}`).join("\n")}`;
  }
  if (wish?.kind === "servers")
    return `To look at one: \`/ask look at NAME\`\n\n${servers.map(({ name }) => `- ${quotedText(name)}`).join("\n")}`;
  return undefined;
}

function followRunbook(
  skill: Skill,
  input: OfflineInput,
  { base, isNamed }: { readonly base: Reading; readonly isNamed: boolean },
): Reading {
  const { asked } = input;
  const common = { ...base, runbooks: [linkOf(skill)] };
  const placed = placedIn(skill, input);
  const target = targetOf(input, placed);
  const state = target.kind === "ask" ? undefined : stateOn(target.server, skill, { ...input, placed });
  const wish =
    asked === undefined
      ? undefined
      : wishIn(asked, state?.book.verify ?? commandsOf(skill.body).map(({ text }) => text));
  const escalation = escalationOf(skill.body);
  const listed = listOf(wish, input) ?? (wish?.kind === "escalation" ? escalation : undefined);
  const isAnswerable = wish !== undefined || isNamed || target.isAsked;
  if (target.kind === "ask" || state === undefined) {
    const question = target.kind === "ask" ? target.question : "";
    const prose = listed ?? (asked === undefined || isAnswerable ? question : unanswerable);
    return { ...common, prose, confidence: "LIKELY", phase: "verify", suggestions: followUps({ escalation }) };
  }
  const { book, course } = state;
  const step = stepFor(wish, state, input.again === true);
  // Incomplete checks beside a step, and commands that are only named.
  const isWanted = step.kind === "look" || (step.kind === "stop" && book.verify.length === 0 && wish === undefined);
  const isWelcome = ({ command }: PreparedCommand): boolean => !course.refused.has(command);
  const looks = book.openVerify.filter(isWelcome);
  const forms = isWanted ? looks.filter(({ fillable }) => fillable).slice(0, maxForms) : [];
  const open = step.kind === "look" ? looks : book.openAct.filter(isWelcome);
  const named = open.filter((one) => !forms.includes(one) && !book.act.includes(one.command));
  const proposals = [...step.commands.map(book.preparedOf), ...forms].map(
    ({ written, command, filled, open }): Proposal => {
      const isAct = book.act.includes(command);
      return {
        title: purposesOf(skill.body).get(written) ?? (isAct ? "Next step" : (purposeOf(written) ?? "Runbook check")),
        description: "",
        server: state.placeOf(command),
        command,
        ...(isAct ? { risk: "medium" as const } : {}),
        ...(filled.length > 0 ? { filled } : {}),
        ...(open.length > 0 ? { open } : {}),
      };
    },
  );
  const patches = wish === undefined && step.kind === "look" ? noPatches : patchesOf(skill, input);
  proposals.push(...patches.proposals);
  const onCard = new Set([...course.open, ...(input.ofModel ?? step.commands)]);
  const suggestions = followUps({
    act: nextStep(book, { ...course, wish: "act" }).commands.find(
      (command) => book.act.includes(command) && !onCard.has(command),
    ),
    checks: book.verify.filter((command) => !onCard.has(command)),
    mayLook: book.verify.length > 0 && step.kind !== "look",
    escalation,
  });
  if (listed !== undefined) return { ...common, prose: listed, suggestions };
  if (asked !== undefined && !isAnswerable) return { ...common, prose: unanswerable, suggestions };
  const isPatch = step.kind === "stop" && patches.proposals.length > 0;
  const says = isPatch ? proposesPatch : step.kind === "stop" && forms.length > 0 ? needsValues : step.says;
  const ownValues =
    named.length === 0
      ? []
      : [
          `With your own values these belong to it too (\`/run SERVER\` with a code block):\n\n${named.map(({ written }) => `- ${quotedText(written)}`).join("\n")}`,
        ];
  // Named and not looked at; an agent that answers next reads the names itself.
  const unseen = (target.others ?? []).filter(
    (name) => input.reason !== "model-reads" && proposals.every(({ server }) => server !== name),
  );
  // The agent's own words follow on another card.
  const isBefore = input.reason === "model-reads" && step.kind === "look";
  const parts = [isBefore ? fromRunbook : says, ...ownValues];
  return {
    ...common,
    // How to end the incident comes last.
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
      ...(unseen.length === 0 ? [] : [`The incident also names ${unseen.map(quotedText).join(", ")}.`]),
      ...patches.notes,
      ...(step.kind === "look" ? book.changing : []).map(
        (command) => `Left out: the runbook lists ${quotedText(command)} under Verify, but it changes something.`,
      ),
    ],
  };
}

/** Of checks that stand there before the agent has answered. */
export const fromRunbook = "From the matching runbook; these only read.";
const proposesPatch = "The runbook's lasting fix is a patch: approved, it becomes a draft pull request.";
const noPatches = { proposals: [], notes: [] };

/** The runbook's patches, each once in an incident; a note for each that cannot be proposed. */
function patchesOf(
  { body }: Skill,
  { repositories = [], values = [], proposed = [] }: OfflineInput,
): { readonly proposals: readonly Proposal[]; readonly notes: readonly string[] } {
  const found = repositories.length === 0 ? [] : patchesIn(body);
  const proposals: Proposal[] = [];
  const notes: string[] = [];
  for (const { repository, text } of found) {
    const [server = "", ...more] = repository === undefined ? repositories : [repository];
    if (proposed.some(({ place }) => place === server)) continue;
    const filled = fillPatch(text, values);
    const open = filled.open.map((name) => `<${name}>`).join(", ");
    const why =
      more.length > 0 ? "names no repository" : open === "" ? undefined : `needs a value for ${quotedText(open)}`;
    if (why === undefined)
      proposals.push({ title: "The runbook's patch", description: "", server, command: filled.text, risk: "medium" });
    else
      notes.push(
        `The runbook's patch ${why}, so it is not proposed. With \`/run ${server}\` and its lines in a code block it is.`,
      );
  }
  return { proposals, notes };
}

interface RunbookPatch {
  /** Undefined if the fence names none. */
  readonly repository: string | undefined;
  readonly text: string;
}

/** A runbook's patches: code blocks named `diff`, and behind that word the repository if several take patches. */
export const patchesIn = (body: string): readonly RunbookPatch[] =>
  [...body.matchAll(/^(`{3,}|~{3,})diff(?:[ \t]+([\w.-]+))?[ \t]*\r?\n([\s\S]*?)^\1[`~]*[ \t]*$/gm)].map(
    ([, , repository, text = ""]) => ({ repository, text }),
  );

/** As it stands in a file: nothing is quoted there, so a value must need no quotes. */
const plainValue = /^[\w.:/-]{1,200}$/;

/** Fills places such as `<deployment>`; `open` are those without a value that could stand in any file. */
export function fillPatch(
  text: string,
  values: readonly NamedValue[],
): { readonly text: string; readonly open: readonly string[] } {
  const known = new Map(values.toReversed().map(({ name, value }) => [nameOf(name), value]));
  const open = new Set<string>();
  const filled = text.replace(/<([a-z][a-z0-9_-]*)>/g, (place, name: string) => {
    const value = known.get(nameOf(name));
    if (value !== undefined && plainValue.test(value)) return value;
    open.add(name);
    return place;
  });
  return { text: filled, open: [...open] };
}

const escalation = /^#{1,6}\s+.*\b(?:escalat|eskal|who to call|contact|owner)/i;

/** Returns the text about whom to call; undefined if there is none. */
function escalationOf(body: string): string | undefined {
  const lines = body.split(/\r?\n/);
  const from = lines.findIndex((line) => escalation.test(line)) + 1;
  if (from === 0) return undefined;
  const rest = lines.slice(from);
  const to = rest.findIndex((line) => /^#{1,6}\s/.test(line));
  return (to < 0 ? rest : rest.slice(0, to)).join("\n").trim() || undefined;
}

const purposeCharacters = 80;

/** Returns, by command, the remark right above it. */
export function purposesOf(body: string): ReadonlyMap<string, string> {
  const purposes = new Map<string, string>();
  for (const { lines } of shellBlocks(body)) {
    for (const [index, command] of lines.entries()) {
      const remark = /^#+\s*(?!(?:expect(?:ed|s)?|check|undo)\s*:)(\S.*)$/i.exec(lines[index - 1] ?? "")?.[1];
      if (remark !== undefined && !command.startsWith("#")) purposes.set(command, titleOf(remark, command));
    }
  }
  return purposes;
}

/** Returns what a command's first program is used for; undefined if unknown. */
export function purposeOf(command: string): string | undefined {
  const plain = command.replace(/^sudo\s+(?:-\S+\s+)*/, "");
  for (const [pattern, words] of programs) {
    const match = pattern.exec(plain);
    if (match)
      return titleOf(
        words.replace("$1", () => match[1] ?? "it"),
        plain,
      );
  }
  return undefined;
}

/** Cut at a clause, because a part of one may say the opposite; a name that the command has keeps its case. */
function titleOf(text: string, command: string): string {
  const whole = text.trim().replace(/\s+/g, " ");
  const [clause = whole] = whole.length <= purposeCharacters ? [] : whole.split(/[.;:](?=\s)|, |\s[(–—-](?=\s?\w)/);
  const short =
    clause.length <= purposeCharacters ? clause : `${clause.slice(0, purposeCharacters).replace(/\s\S*$/, "")} …`;
  const [first = ""] = short.split(/[\s,:;]/);
  return (
    command
      .split(/[^\w-]+/)
      .slice(2)
      .includes(first)
      ? short
      : capital(short)
  ).replace(/[\s.,:;]+$/, "");
}

/** The first match counts; `$1` is its group. Throws at start if malformed. */
const programs = z
  .array(z.strictObject({ words: z.string(), pattern: z.string().startsWith("^") }))
  .parse(purposes)
  .map(({ words, pattern }) => [new RegExp(pattern), words] as const);

interface RunbookState {
  readonly book: FilledBook;
  /** The server that the runbook names for the command, else the target. */
  readonly placeOf: (command: string) => string;
  readonly course: Omit<Parameters<typeof nextStep>[1], "wish">;
}

/** The runbook's prepared commands that stand under a server's name, by that server. */
function placedIn({ body }: Skill, { servers, values = [] }: OfflineInput): ReadonlyMap<string, string> {
  const written = serversOfCommands(
    body,
    servers.map(({ name }) => name),
  );
  const prepares = [["bash"] as const, allShells].map((shells) => createPrepare(body, values, shells));
  return new Map(
    [...written].flatMap(([line, server]) =>
      prepares.flatMap((prepare) => prepare(line).map(({ command }): [string, string] => [command, server])),
    ),
  );
}

/**
 * Returns the server of each written command whose remark above names one alone: `# on worker-1: does it run`, `# worker-1:`, `# auf
 * worker-1`. It holds up to the next remark of the block. The words before a colon are a place; a longer remark only speaks of a server.
 */
function serversOfCommands(body: string, names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { lines } of shellBlocks(body)) {
    let place: string | undefined;
    for (const line of lines) {
      const remark = /^#+\s*(\S.*)$/.exec(line)?.[1];
      if (remark === undefined) {
        if (place !== undefined && !line.startsWith("#") && !found.has(line)) found.set(line, place);
        continue;
      }
      if (/^(?:expect(?:ed|s)?|check|undo)\s*:/i.test(remark)) continue;
      place = placeInRemark(remark, names);
    }
  }
  return found;
}

function stateOn(
  target: string,
  { body }: Skill,
  input: OfflineInput & { readonly placed: ReadonlyMap<string, string> },
): RunbookState {
  const { servers, runs = [], proposed = [], unread, readsOnly, values = [], placed } = input;
  const placeOf = (command: string): string => placed.get(command.trim()) ?? target;
  const membersAt = (place: string) => servers.filter(({ name, groups }) => name === place || groups.includes(place));
  const members = membersAt(target);
  const onTarget = proposed.filter(({ command, place }) => place === placeOf(command));
  const changes = (command: string) =>
    membersAt(placeOf(command)).some(({ name }) => readsOnly?.(command, name) === false);
  const shells = members.some(({ os }) => os === "windows") ? allShells : (["bash"] as const);
  return {
    book: bookOf(body, { unread, changes, isJudged: readsOnly !== undefined, values, shells }),
    placeOf,
    course: {
      runs: runs.filter(
        ({ command, servers: on }) =>
          on?.every((name) => membersAt(placeOf(command)).some((one) => one.name === name)) ?? true,
      ),
      open: commandsIn(onTarget, "open"),
      refused: commandsIn(onTarget, "rejected"),
    },
  };
}

function stepFor(wish: Wish | undefined, { book, course }: RunbookState, again: boolean): Step {
  if (wish?.kind === "check") return { kind: "look", commands: [wish.command], says: "It only reads." };
  if (wish?.kind === "act" || wish?.kind === "look") return nextStep(book, { ...course, wish: wish.kind });
  const plain = nextStep(book, course);
  return again && plain.kind === "stop" ? nextStep(book, { ...course, wish: "look" }) : plain;
}

/** From a person's words, else the last proposal, else the incident. */
function targetOf(
  input: OfflineInput,
  placed: ReadonlyMap<string, string>,
): RunbookTarget & { readonly isAsked: boolean } {
  const { asked = "", incident, servers, proposed = [] } = input;
  const isShort = !asked.includes("?") && asked.trim().split(/\s+/).length <= 5;
  const said = chooseTarget({ title: isShort ? asked : "", body: "" }, servers);
  const isAsked = said.kind === "server" && servers.length > 1;
  if (isAsked) return { ...said, isAsked };
  const before = proposed.findLast(({ by, command }) => by === "agent" && !placed.has(command.trim()))?.place;
  const isKnown = servers.some(({ name, groups }) => name === before || groups.some((group) => group === before));
  if (before !== undefined && isKnown) return { kind: "server", server: before, isAsked };
  const named = servers.find(({ name }) => name === input.serverNamed);
  const inTitle = namedIn(
    incident.title,
    servers.map(({ name }) => name),
  );
  // If the title names another server, the incident is about that one.
  if (named !== undefined && (inTitle.length === 0 || inTitle.includes(named.name)))
    return { kind: "server", server: named.name, isAsked };
  return { ...chooseTarget(incident, servers), isAsked };
}

const commandsIn = (proposed: readonly ProposedCommand[], wanted: ProposedCommand["state"]): ReadonlySet<string> =>
  new Set(proposed.flatMap(({ command, state }) => (state === wanted ? [command.trim()] : [])));

const linkOf = (skill: Skill): Reading["runbooks"][number] => ({
  label: skill.name,
  url: skill.metadata.runbook ?? skill.path,
});

interface FilledBook extends Book {
  readonly openVerify: readonly PreparedCommand[];
  readonly openAct: readonly PreparedCommand[];
  /** Commands under Verify that change something. */
  readonly changing: readonly string[];
  readonly preparedOf: (command: string) => PreparedCommand;
}

/** Fills a body's commands with values; a check that changes something is no check. */
export function bookOf(
  body: string,
  {
    changes,
    isJudged,
    unread,
    values,
    shells,
  }: {
    readonly changes: (command: string) => boolean;
    /** By policy; without one, only commands under Verify are checks. */
    readonly isJudged: boolean;
    readonly unread: boolean | undefined;
    readonly values: readonly NamedValue[];
    readonly shells: readonly Shell[];
  },
): FilledBook {
  const prepare = createPrepare(body, values, shells);
  const written = commandsOf(body).flatMap(({ text, section }) => prepare(text).map((one) => ({ ...one, section })));
  const hasVerify = written.some(({ section }) => section === "verify");
  const others = written.filter(({ section }) => section !== "verify");
  const firstChange = others.findIndex(({ command }) => changes(command));
  const before = isJudged ? others.slice(0, firstChange < 0 ? others.length : firstChange) : [];
  // What only reads before the first change is a look, unless the runbook has looks and calls this an act.
  const looks = new Set(before.filter(({ section }) => section === undefined || !hasVerify));
  const verify = written.filter((one) => one.section === "verify" || looks.has(one));
  const act = others.filter((one) => !looks.has(one));
  const all = new Map([...verify, ...act].map((one) => [one.command, one]));
  const advice = adviceOf(body);
  const commandOf = (text: string): string => prepare(text)[0]?.command ?? text;
  const checks = complete(verify);
  return {
    verify: checks.filter((command) => !changes(command)),
    // Commands that need values come last, because the values may be unknown.
    act: [...new Set([...complete(act), ...act.flatMap(({ command, fillable }) => (fillable ? [command] : []))])],
    changing: checks.filter(changes),
    openVerify: verify.filter(({ open, command }) => open.length > 0 && !changes(command)),
    openAct: act.filter(({ open }) => open.length > 0),
    findings: unread
      ? []
      : findingsOf(body, { verify: verify.map(writtenOf), act: act.map(writtenOf) }).map((finding) => ({
          ...finding,
          check: finding.check === undefined ? undefined : commandOf(finding.check),
          acts: finding.acts.map(commandOf),
        })),
    unread,
    checkOf: (command) => {
      const check = advice.get(all.get(command)?.written ?? command)?.check;
      const [ready] = check === undefined ? [] : prepare(check);
      if (ready === undefined || ready.open.length > 0) return undefined;
      // The check may be prose.
      const isRead = checks.includes(ready.command) || (isJudged && !changes(ready.command));
      return isRead ? ready.command : undefined;
    },
    preparedOf: (command) =>
      all.get(command) ?? prepare(command)[0] ?? { written: command, command, filled: [], open: [], fillable: true },
  };
}

const writtenOf = ({ written }: PreparedCommand): string => written;

const complete = (commands: readonly PreparedCommand[]): readonly string[] => [
  ...new Set(commands.flatMap(({ command, open }) => (open.length === 0 ? [command] : []))),
];

export const mostSuggestions = 4;
const maxCharacters = 120;

type Wish =
  | { readonly kind: "act" | "look" | "escalation" | "runbooks" | "servers" }
  | { readonly kind: "check"; readonly command: string };

/** As offered and as people type them. */
const words = {
  act: "Next step",
  check: "Check",
  look: "Look again",
  escalation: "Escalate",
  runbook: "Follow the runbook",
  runbooks: "List the runbooks",
  servers: "List the servers",
} as const;

const cut = (text: string): string => (text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text);

/** Up to four; what any incident could be asked, or another one's runbook, leads nowhere. */
function followUps({
  act,
  checks = [],
  escalation,
  others = [],
  mayLook = false,
}: {
  /** On no card now. */
  readonly act?: string | undefined;
  readonly checks?: readonly string[];
  readonly escalation?: string | undefined;
  readonly others?: readonly string[];
  readonly mayLook?: boolean;
}): readonly string[] {
  return [
    ...(act === undefined ? [] : [`${words.act}: ${act}`]),
    ...checks.slice(0, 1).map((command) => `${words.check}: ${command}`),
    ...(escalation === undefined ? [] : [`${words.escalation}: ${escalation.split("\n", 1)[0]}`]),
    ...others.map((name) => `${words.runbook} ${name}`),
    ...(mayLook ? [words.look] : []),
  ]
    .map(cut)
    .slice(0, mostSuggestions);
}

/** Undefined if only a model can answer. */
function wishIn(text: string, checks: readonly string[]): Wish | undefined {
  const said = text.trim().replace(/[.!]+$/, "");
  const begins = (word: string) => new RegExp(`^${word}(?::|$)`, "i").test(said);
  if (begins("act") || begins(words.act)) return { kind: "act" };
  if (/^(?:look|check)(?: again)?$/i.test(said)) return { kind: "look" };
  if (begins(words.escalation)) return { kind: "escalation" };
  if (begins(words.runbooks)) return { kind: "runbooks" };
  if (begins(words.servers)) return { kind: "servers" };
  const wanted = /^check:\s*(.+?)…?$/is.exec(text.trim())?.[1];
  const command = wanted === undefined ? undefined : checks.find((one) => one === wanted || one.startsWith(wanted));
  return command === undefined ? undefined : { kind: "check", command };
}
