import { checksIn, type NamedValue } from "../../base/action.ts";
import type { RepoFile, Skill } from "../../base/github.ts";
import { allShells, type Server } from "../../base/server.ts";
import { type Markdown, name } from "../../github/render/ink.ts";
import {
  createKnows,
  draftSkill,
  patchRunbook,
  placesFor,
  placesForVolatile,
  type RunbookStep,
  valuesInPlaces,
} from "../../runbooks/lessons.ts";
import { alertNameKey, leadingAlertName } from "../../runbooks/match/clean.ts";
import { createWithoutNames } from "../../runbooks/match/similar.ts";
import { namedIn, serverNamedBy } from "../../runbooks/target.ts";
import { type ClosedIncident, type CommandResult, commandResults } from "./postmortem.ts";
import { namedCommand, shorten } from "./timeline.ts";
import { decideUseful, isCheckOf, isFine } from "./useful.ts";

/** What the runbooks learn from an incident: a patch of one, a first one, or nothing, and why. Pure. */

interface Library {
  readonly skills: readonly Skill[];
  readonly files: readonly RepoFile[];
  readonly servers: readonly Pick<Server, "name" | "host" | "groups">[];
  /** Names of this repository's skills that the model loaded. */
  readonly read: readonly string[];
  readonly values: readonly NamedValue[];
  /** A person's, empty if none was given. */
  readonly cause: string;
}

/** Renders what helped and stands in no runbook, and rejections. */
export function renderLessons(past: ClosedIncident, library: Library, markdown: Markdown): string {
  const { skills } = library;
  const linked = past.turns.flatMap(({ runbooks }) => runbooks.map(({ label, skill }) => skill ?? label));
  const used = [...new Set([...library.read, ...linked])];
  const results = commandResults(past, markdown);
  const { looks, acts, changes, why } = decideUseful(past, results, library.cause);
  const helped = [...looks, ...acts];
  const own = used.flatMap((one) => skills.find((skill) => skill.name === one) ?? []);
  const listing = own.length > 0 ? [] : skillsListing(alertsOf(past, library), skills);
  const target = fittest(own.length > 0 ? own : listing, helped);
  const home = homeOf(past, library);
  const values = valuesOf(past, library, { home, target });
  // An act needs its place in the runbook that is followed; a read may stand in any.
  const readers = createKnows(skills);
  const actors = createKnows(own.length > 0 ? own : listing.length > 0 ? listing : skills);
  const stepOf = (one: CommandResult, knows: (command: string) => boolean): RunbookStep => {
    const write = writerFor(one, values);
    const { place } = one.action.spec;
    const command = write(one.command);
    const isKnown = knows(one.command) || knows(withoutOpenOptions(command));
    const check = checkOf(one, results);
    return {
      command,
      ran: one.command,
      check: check && write(check),
      place: place === home ? undefined : place,
      isKnown,
    };
  };
  const steps = {
    looks: once(looks.map((one) => stepOf(one, readers))),
    acts: once(acts.map((one) => stepOf(one, actors))),
  };
  // What did not help still shows what came before it.
  const vain = changes.filter(({ command }) => !acts.some((one) => one.command === command));
  const around = changes.filter((one) => acts.includes(one) || vain.includes(one));
  const ordered = once(around.map((one) => stepOf(one, vain.includes(one) ? () => true : actors)));
  const missing = [...steps.looks, ...steps.acts].filter(({ isKnown }) => !isKnown);
  const patch = missing.length === 0 || !target ? undefined : patchOf(target, { ...steps, acts: ordered }, library);
  const isNew = missing.length > 0 && !target && own.length === 0;
  const listed = helped.flatMap(({ command, action }) => {
    if (isNew || patch || !missing.some(({ ran }) => ran === command)) return [];
    const by = action.origin === "person" ? `, written by ${name(action.authorLogin ?? "ghost")},` : "";
    return [
      `- ${markdown.code(shorten(command))}${by} ${acts.some((one) => one.action === action) ? "helped" : "was looked at"} and is not in any runbook: consider adding it.`,
    ];
  });
  const turnedDown = past.approvals.flatMap(({ verdict, actionId, login, reason }) => {
    const action = verdict === "reject" && past.actions.find(({ id }) => id === actionId);
    const because = reason === "" ? "" : `: ${markdown.plain(reason)}`;
    return action
      ? [`- ${name(login)} turned down ${namedCommand(action, markdown)}${because}. Consider a warning.`]
      : [];
  });
  const list = [...new Set(listed), ...turnedDown];
  const isCovered = helped.length > 0 && missing.length === 0;
  const isTargetUsed = target !== undefined && used.includes(target.name);
  // The lines below name a runbook that was used alone, and one that was not.
  const isNamedBelow = isTargetUsed ? used.length === 1 && (isCovered || patch !== undefined) : isCovered && target;
  return [
    ...(isNamedBelow
      ? []
      : [used.length === 0 ? "No runbook was used." : `Used: ${used.map(markdown.plain).join(", ")}.`]),
    ...(why === undefined ? [] : [`No runbook change is suggested. ${why}`]),
    ...(isCovered
      ? [
          target
            ? `All that was useful is in ${markdown.code(target.path)}${isTargetUsed ? "" : ", which was not used"}.`
            : "All that was useful is in the runbooks.",
        ]
      : []),
    ...(patch ? [`Useful, and not yet in ${markdown.code(patch.path)}:`, markdown.command(patch.diff, "diff")] : []),
    ...(list.length === 0 ? [] : [list.join("\n")]),
    ...(isNew ? newSkill(past, steps, library, markdown) : []),
  ].join("\n\n");
}

/** The server that the alert or the issue names alone; what runs there needs no remark. */
function homeOf({ incident }: ClosedIncident, { servers, values }: Library): string | undefined {
  const text = `${incident.title}\n${incident.body}`;
  const named = serverNamedBy(values, servers);
  if (named !== undefined) return named;
  const names = servers.map(({ name }) => name);
  return namedIn(text, names)[0] ?? namedIn(text, [...new Set(servers.flatMap(({ groups }) => groups))])[0];
}

/** What the alert, the issue and people said, what stood in the runbook's places, and the server itself. */
function valuesOf(
  { actions, runs }: ClosedIncident,
  { values, servers }: Library,
  { home, target }: { readonly home: string | undefined; readonly target: Skill | undefined },
): readonly NamedValue[] {
  const ran = actions.filter(({ id }) => runs.some(({ actionId }) => actionId === id));
  const commands = ran.flatMap(({ spec }) =>
    checksIn(spec).flatMap(({ command }) => [command, withoutOpenOptions(placesForVolatile(command))]),
  );
  const filled = [...ran.flatMap(({ spec }) => spec.filled ?? []), ...valuesInPlaces(target?.body ?? "", commands)];
  const host = servers.some(({ name }) => name === home) ? home : undefined;
  const all = [
    ...values,
    ...filled,
    ...(host === undefined ? [] : [{ source: "alert", name: "host", value: host } as const]),
  ];
  return [...new Map(all.map((one) => [`${one.name}=${one.value}`, one])).values()];
}

function writerFor({ action }: CommandResult, values: readonly NamedValue[]): (text: string) => string {
  const shells = action.spec.targets.some(({ os }) => os === "windows") ? allShells : (["bash"] as const);
  return (text) => placesForVolatile(placesFor(text, values, shells));
}

/** The first of its checks that was fine on its server: a runbook has one check for an act. */
const checkOf = (one: CommandResult, results: readonly CommandResult[]): string | undefined =>
  results.find((read) => isCheckOf(read, one) && read.action.spec.place === one.action.spec.place && isFine(read))
    ?.command;

/** `--to-revision=<revision>` is of one incident; the act is the same without it. */
const withoutOpenOptions = (command: string): string => command.replace(/\s--[\w-]+=<[a-z-]+>/g, "");

/** Of repeated ones the last. */
const once = (steps: readonly RunbookStep[]): readonly RunbookStep[] =>
  steps.filter(
    (one, at) => !steps.slice(at + 1).some(({ command, place }) => command === one.command && place === one.place),
  );

/** Of an alert only its name, which is one word: its texts may be an outsider's. */
const alertsOf = ({ incident, foreign }: ClosedIncident, { values }: Library): readonly string[] => {
  const labels = values.flatMap(({ source, name, value }) =>
    source === "alert" && name === "alertname" ? [value] : [],
  );
  const leading = foreign.includes(incident.title) ? undefined : leadingAlertName(incident.title);
  return [...labels, ...(leading === undefined ? [] : [leading])];
};

/** Skills whose `metadata.alerts` has one of these: another one for the same alert would only compete with them. */
const skillsListing = (alerts: readonly string[], skills: readonly Skill[]): readonly Skill[] => {
  const keys = new Set(alerts.map(alertNameKey));
  return skills.filter(({ metadata }) =>
    (metadata.alerts ?? "").split(",").some((one) => one.trim() !== "" && keys.has(alertNameKey(one))),
  );
};

/** The skill that has most of these commands, else the first. */
function fittest(skills: readonly Skill[], helped: readonly CommandResult[]): Skill | undefined {
  const known = (skill: Skill): number => {
    const knows = createKnows([skill]);
    return helped.filter(({ command }) => knows(command)).length;
  };
  return skills.toSorted((a, b) => known(b) - known(a))[0];
}

/** Undefined if a code block could not hold the commands. */
function patchOf(
  { path, source }: Skill,
  steps: Readonly<Record<"looks" | "acts", readonly RunbookStep[]>>,
  { files, servers }: Library,
): { readonly path: string; readonly diff: string } | undefined {
  const file = files.find((one) => one.path === path && one.source === source);
  const added = [...steps.looks, ...steps.acts].flatMap(({ command, check = "", isKnown }) =>
    isKnown ? [] : [command, check],
  );
  if (!file || file.text.includes("\r") || added.some((one) => /```|~~~/.test(one))) return undefined;
  const diff = patchRunbook(file.path, file.text, { ...steps, servers: servers.map(({ name }) => name) });
  return diff === undefined ? undefined : { path: file.path, diff };
}

function newSkill(
  past: ClosedIncident,
  { looks, acts }: Readonly<Record<"looks" | "acts", readonly RunbookStep[]>>,
  library: Library,
  markdown: Markdown,
): readonly string[] {
  const places = past.actions.flatMap(({ spec }) => [spec.place, ...spec.targets.map(({ server }) => server)]);
  const names = library.servers.flatMap(({ name, groups }) => [name, ...groups]);
  const alerts = alertsOf(past, library);
  const isAlert = past.foreign.includes(past.incident.title);
  const { title, body } = isAlert
    ? { title: alerts.find((one) => /^[A-Za-z][\w-]{2,120}$/.test(one)) ?? "Alert", body: "" }
    : past.incident;
  const { name, text } = draftSkill({
    title,
    body,
    alerts,
    withoutNames: createWithoutNames([...names, ...places]),
    looks,
    acts,
  });
  return [
    `A runbook for next time could start as ${markdown.code(`.github/skills/${name}/SKILL.md`)}:`,
    // Without our marks, which would be copied along.
    markdown.command(text, "text"),
  ];
}
