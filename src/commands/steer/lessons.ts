import { checksIn, type NamedValue } from "../../base/action.ts";
import type { ChatMessage } from "../../base/agent.ts";
import type { RepoFile, Skill } from "../../base/github.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { type ClosedIncident, type CommandResult, commandResults } from "../../features/incident/postmortem.ts";
import { namedCommand, shorten } from "../../features/incident/timeline.ts";
import { type Markdown, name } from "../../github/render/ink.ts";
import {
  createKnows,
  draftSkill,
  expectFor,
  patchRunbook,
  placesFor,
  placesForVolatile,
} from "../../runbooks/lessons.ts";
import { createWithoutNames } from "../../runbooks/match/similar.ts";
import type { Action } from "../../store/actions.ts";

export interface Library {
  readonly skills: readonly Skill[];
  readonly files: readonly RepoFile[];
  /** A runbook's title must not contain them. */
  readonly servers: readonly string[];
  /** Names of skills that the model loaded. */
  readonly read: readonly string[];
  readonly values: readonly NamedValue[];
}

/** Commands that helped and stand in no runbook, rejections, or a first runbook. */
export function renderLessons(past: ClosedIncident, library: Library, markdown: Markdown): string {
  const { turns } = past;
  const { skills } = library;
  const linked = turns.flatMap(({ runbooks }) => runbooks.map(({ label, skill }) => skill ?? label));
  const used = [...new Set([...library.read, ...linked])];
  // A probe is no check of the fault.
  const went = commandResults(past, markdown).filter(({ good, action: { spec } }) => good && spec.probes === undefined);
  // An act's check stands in its line.
  const helped = went.filter(({ action: { spec } }) => !went.some(({ action }) => action.number === spec.checks));
  const knows = createKnows(skills);
  const missing = helped.filter(({ command }) => !knows(command));
  const patch = missing.length === 0 ? undefined : patchOf(past, missing, { ...library, read: used });
  const isNew = used.length === 0 && missing.length > 0;
  return [
    used.length === 0 ? "No runbook was used." : `Used: ${used.map(markdown.plain).join(", ")}.`,
    ...(helped.length > 0 && missing.length === 0 ? ["All that helped is in the runbooks."] : []),
    ...(patch ? [`What helped and is not in ${markdown.code(patch.path)}:`, markdown.command(patch.diff, "diff")] : []),
    ...lines([
      ...(isNew || patch ? [] : addedLines(missing, markdown)),
      ...(patch ? [] : rejectedLines(past, markdown)),
    ]),
    ...(isNew ? newSkill(past, helped, library, markdown) : []),
  ].join("\n\n");
}

const lines = (items: readonly string[]): readonly string[] => (items.length === 0 ? [] : [items.join("\n")]);

function addedLines(missing: readonly CommandResult[], markdown: Markdown): readonly string[] {
  const added = missing.map(({ action, command }) => {
    const by = action.origin === "person" ? `, written by ${name(action.authorLogin ?? "ghost")},` : "";
    return `- ${markdown.code(shorten(command))}${by} helped and is in no runbook: consider adding it.`;
  });
  return [...new Set(added)];
}

const turnedDown = ({ actions, approvals }: ClosedIncident) =>
  approvals.flatMap(({ verdict, actionId, login, reason }) => {
    const action = verdict === "reject" && actions.find(({ id }) => id === actionId);
    return action ? [{ login, reason, action }] : [];
  });

const rejectedLines = (past: ClosedIncident, markdown: Markdown): readonly string[] =>
  turnedDown(past).map(({ login, reason, action }) => {
    const why = reason === "" ? "" : `: ${markdown.plain(reason)}`;
    const command = namedCommand(action, markdown);
    return `- ${name(login)} turned down ${command}${why}. Consider a warning.`;
  });

/** Patches the first used skill; undefined if a code block could not hold the commands. */
function patchOf(past: ClosedIncident, missing: readonly CommandResult[], { skills, files, read, values }: Library) {
  const used = read.flatMap((name) => skills.find((skill) => skill.name === name) ?? []);
  const file = used.flatMap(
    ({ path, source }) => files.find((one) => one.path === path && one.source === source) ?? [],
  )[0];
  const warnings = turnedDown(past).flatMap(({ action, reason }) =>
    checksIn(action.spec).map(({ command }) =>
      `# Turned down: ${shorten(placesForVolatile(command))}${reason === "" ? "" : ` (${reason})`}`.replace(
        /\s+/g,
        " ",
      ),
    ),
  );
  const of = (isLook: boolean) =>
    linesOf(
      missing.filter(({ action }) => isRead(action) === isLook),
      past,
      values,
    );
  const added = { looks: of(true), acts: [...of(false), ...warnings] };
  if (!file || file.text.includes("\r") || [...added.looks, ...added.acts].some((one) => /```|~~~/.test(one)))
    return undefined;
  const diff = patchRunbook(file.path, file.text, added);
  return diff === undefined ? undefined : { path: file.path, diff };
}

function newSkill(
  past: ClosedIncident,
  helped: readonly CommandResult[],
  { servers, values }: Library,
  markdown: Markdown,
): readonly string[] {
  const places = helped.flatMap(({ action: { spec } }) => [spec.place, ...spec.targets.map(({ server }) => server)]);
  const linesThat = (isLook: boolean) =>
    linesOf(
      helped.filter(({ action }) => isRead(action) === isLook),
      past,
      values,
    );
  const { title, body } = past.incident;
  const { name, text } = draftSkill({
    title,
    body,
    alerts: values.flatMap(({ source, ...one }) => (source === "alert" && one.name === "alertname" ? [one.value] : [])),
    withoutNames: createWithoutNames([...servers, ...places]),
    looks: linesThat(true),
    acts: linesThat(false),
  });
  return [
    `One for the next time could begin as ${markdown.code(`.github/skills/${name}/SKILL.md`)}:`,
    // Without our marks, which would be copied along.
    markdown.command(text, "text"),
  ];
}

/** Only loaded skills that the repository has. */
export function skillsRead(messages: readonly ChatMessage[], skills: readonly Skill[]): readonly string[] {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  const named = calls.flatMap((call) => (call.name === "use_skill" ? nameIn(call.arguments) : []));
  return [...new Set(named)].filter((name) => skills.some((skill) => skill.name === name));
}

function nameIn(json: string): readonly string[] {
  const given = parseJson(json);
  // The call was refused.
  return isRecord(given) && typeof given.name === "string" ? [given.name] : [];
}

const isRead = ({ spec }: Action): boolean => spec.risk === "low";

/** Of repeated commands, the line that says most. */
function linesOf(
  items: readonly CommandResult[],
  past: ClosedIncident,
  values: readonly NamedValue[],
): readonly string[] {
  const written = items.map((one) => commandLines(one, past, values));
  const longest = new Map(written.toSorted((a, b) => a.length - b.length).map((lines) => [lines[0], lines]));
  return [...new Map(written.map(([first]) => [first, longest.get(first) ?? []])).values()].flat();
}

/** With places for this incident's values. */
function commandLines(
  { action, command, runs }: CommandResult,
  { incident }: ClosedIncident,
  values: readonly NamedValue[],
): readonly string[] {
  const { targets, check, ownCheck = check } = action.spec;
  const shells = targets.some(({ os }) => os === "windows") ? windowsShells : (["bash"] as const);
  const written = (text: string): string => placesForVolatile(placesFor(text, values, shells));
  // A public issue shows no command's output (SR-11).
  const told = isRead(action) && !incident.public ? runs.flatMap(({ trouble }) => expectFor(trouble ?? "") ?? []) : [];
  return [
    written(command),
    ...(told[0] === undefined ? [] : [`# expect: ${told[0]}`]),
    ...(ownCheck?.split("\n") ?? []).map((check) => `# check: ${written(check)}`),
  ];
}

const windowsShells = ["bash", "powershell", "cmd"] as const;
