import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { messageOf, OperatorError, type Problem } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import { placeFindings } from "../../base/problems.ts";
import type { Server } from "../../base/server.ts";
import { counted } from "../../base/words.ts";
import { defaultConfig } from "../../config/load.ts";
import { parseRepoConfig, restrict } from "../../config/repo.ts";
import type { Config } from "../../config/values.ts";
import { targetServersOf } from "../../features/proposal/in-force.ts";
import { startWorkflow } from "../../features/proposal/start-workflow.ts";
import {
  compareOutcomes,
  type IncidentRecord,
  type ReplayBasis,
  type RunbookChange,
  recordSchema,
  replayIncident,
  type ServerRecord,
} from "../../features/replay/outcome.ts";
import { runbooksOf } from "../../features/turn/runbooks.ts";
import { withinBudget } from "../../github/context/instructions.ts";
import { repositoryPlan, rulesPath, rulesStarter } from "../../github/context/plan.ts";
import { type RepoFiles, readContext } from "../../github/context/read.ts";
import { contextNames } from "../../github/context/source.ts";
import { createEvaluator } from "../../risk/evaluate.ts";
import type { Workflow } from "../../runbooks/workflows.ts";
import { readCheckout, skillFoldersWithout } from "../checkout.ts";
import type { CheckLook, FolderLookKind } from "./look.ts";
import { onCallProblems } from "./oncall.ts";

/**
 * Finds what the bot would leave out or forgives (OP-3, WF-1), and rules looser than the operator's (SR-38). Reads the same folders as the
 * bot, also of the organization's repository. Throws an `OperatorError` if the folder is unreadable.
 */
export const repositoryLook: FolderLookKind = {
  name: "repository",
  lookAtFolder: ({ folder }, known, print) => {
    const { github, servers: _, ...defaults } = defaultConfig();
    const unknown = { ...defaults, repositories: github.repositories, servers: new Map<string, Server>() };
    const { context: places, features } = known?.config ?? defaults;
    const isSure =
      known && (["github", "servers", "policy", "schedules"] as const).every((one) => !known.gaps.has(one));
    const rules = isSure ? known.config : { ...unknown, context: places, features };
    const names = contextNames(rules);
    const snapshot = readCheckout(folder, repositoryPlan(names));
    /** `web@on disk:AGENTS.md …` → `AGENTS.md …`. */
    const onDisk = (text: string): string => {
      const source = `${snapshot.repo}@${snapshot.commit}:`;
      return text.startsWith(source) ? text.slice(source.length) : text;
    };
    const context = readContext({ repository: snapshot }, names);
    const { skills, workflows, problems, warnings } = runbooksOf(context, () => {});
    const empty = skillFoldersWithout(folder, "SKILL.md", names).map((path) => ({
      place: join(folder, path),
      message: "has no SKILL.md",
      remedy: "a skill is a folder with a SKILL.md in it",
    }));
    const by = isSure ? "operator" : "defaults";
    const own = context.config
      ? checkNarrowing(folder, { ...context.config, path: join(folder, context.config.path) }, { by, rules })
      : { problems: [], warnings: [] };
    const found = [...problems, ...warnings].map((one) => ({ ...one, place: join(folder, onDisk(one.place)) }));
    const lost = context.notes.map((note) => ({
      place: folder,
      message: onDisk(note),
      remedy: "commit it as a plain text file of a readable size",
    }));
    const left = problems.length + empty.length;
    print(
      `runbooks     ${left === 0 ? "✓" : "✗"} ${counted(skills.length, "skill")} and ${counted(workflows.length, "workflow")} can be used, ${left} cannot`,
    );
    if (context.rulesFault !== undefined) print(`rules        ! ${rulesPath} ${context.rulesFault}`);
    else if (!context.rules)
      print(`rules        – none; ${rulesPath} is optional, and ${rulesStarter} one to start with`);
    for (const note of withinBudget([...context.instructions, ...context.scoped]).notes)
      print(`context      ! ${onDisk(note)}`);
    const shared = rules.context.organizationRepo;
    if (shared !== undefined)
      print(`context      ! ${shared} is not looked at here: check a checkout of it with --repo too`);
    const schedules = checkSchedules(rules, { repo: snapshot.repo, workflows }, print);
    return [
      {
        name: "repository",
        said: folder,
        problems: [...found, ...empty, ...own.problems, ...lost, ...schedules, ...onCallProblems(context.oncall)],
        warnings: own.warnings,
      },
    ];
  },
};

type RepoRules = Parameters<typeof restrict>[0];

type RulesBasis = { readonly by: "operator" | "defaults"; readonly rules: RepoRules };

/** It still lowers looser servers, but is likely not meant. */
const harmless = "max_risk";

/**
 * Finds broken rules, and looser ones, which have no effect. The folder's name is the repository's; unknown names are compared with
 * everything the operator has.
 */
export function checkNarrowing(
  folder: string,
  { text, path: file }: { readonly text: string; readonly path: string },
  { by, rules }: RulesBasis,
): { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] } {
  const parsed = parseRepoConfig(text, file);
  if (!parsed.ok) return { problems: parsed.problems, warnings: [] };
  const name = basename(resolve(folder));
  const named = rules.repositories.filter((one) => one.name.toLowerCase().endsWith(`/${name.toLowerCase()}`));
  // Without a match, a repository that reaches every server.
  const unlisted = { name: `any/${name}`, servers: [...rules.servers.keys()], allowPublic: false };
  const widened = (
    named.length > 0
      ? named.map((one) => ({ name: one.name, held: rules }))
      : [{ name: unlisted.name, held: { ...rules, repositories: [unlisted] } }]
  )
    .flatMap(({ name, held }) => restrict(held, name, parsed.config).widened)
    // Only the operator knows the servers.
    .filter(({ path }) => by === "operator" || path[0] !== "servers");
  const once = [...new Map(widened.map((one) => [one.note, one])).values()];
  const narrower = "take it out, or write a stricter one: this file can only narrow";
  const remedy =
    by === "operator" ? narrower : `${narrower} (without the operator's file its defaults are taken for theirs)`;
  const told = (ones: typeof once): readonly Problem[] =>
    placeFindings(
      ones.map(({ path, note: message }) => ({
        path,
        message,
        remedy: path[0] === "servers" ? "take it out, or have the operator give it under github.repositories" : remedy,
      })),
      file,
      parsed.locate,
    );
  return {
    problems: told(once.filter(({ path }) => path[0] !== harmless)),
    warnings: told(once.filter(({ path }) => path[0] === harmless)),
  };
}

/** Compares allowed schedules with a checkout's workflows (WF-2). `repo` is the name without owner. */
export function checkSchedules(
  { schedules, servers, repositories }: Pick<Config, "schedules" | "servers" | "repositories">,
  { repo, workflows }: { readonly repo: string; readonly workflows: readonly Workflow[] },
  print: (line: string) => void,
): readonly Problem[] {
  const all = [...servers.values()];
  const bears = (name: string): boolean => name.toLowerCase().endsWith(`/${repo.toLowerCase()}`);
  // Another repository may have a workflow of this name.
  const isKnown = repositories.some(({ name }) => bears(name));
  const own = schedules.allowed
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry }) => !isKnown || bears(entry.repo));
  const names = new Set(own.map(({ entry }) => entry.workflow));
  for (const { name, schedule, sha256 } of workflows)
    if (schedule !== undefined && !names.has(name))
      print(`schedules    ! ${name} is due ${schedule} and not allowed; its sha256 is ${sha256}`);
  return own.flatMap(({ entry, index }) => {
    const place = `schedules.allowed.${index}`;
    const workflow = workflows.find(({ name }) => name === entry.workflow);
    if (!workflow)
      return bears(entry.repo)
        ? [
            {
              place,
              message: `there is no workflow \`${entry.workflow}\` that can be used`,
              remedy: "correct the name, or take the entry out",
            },
          ]
        : [];
    // During a change the config allows both contents.
    const isOther = (one: typeof entry): boolean => one.sha256.toLowerCase() !== workflow.sha256;
    if (isOther(entry) && own.some((one) => one.entry.workflow === workflow.name && !isOther(one.entry))) return [];
    return faultsOf(workflow, entry, all).map((fault) => ({ place, ...fault }));
  });
}

type ScheduleFault = Pick<Problem, "message" | "remedy">;

function faultsOf(
  workflow: Workflow,
  entry: Config["schedules"]["allowed"][number],
  all: readonly Server[],
): readonly ScheduleFault[] {
  const { name, schedule, sha256 } = workflow;
  const allowed = entry.servers.flatMap((place) => serversOf(all, place));
  const started = startWorkflow(workflow, {}, all);
  const strange = started.ok
    ? started.proposals.flatMap(({ server }, index) =>
        serversOf(all, server).length > 0 && serversOf(all, server).every((one) => allowed.includes(one))
          ? []
          : [
              {
                message: `step ${index + 1} of \`${name}\` runs on ${server}, which the entry does not allow`,
                remedy: "add it to `servers`, or correct the step",
              },
            ],
      )
    : started.refusals.map((refusal) => ({
        message: `\`${name}\` cannot be started: ${refusal}`,
        remedy: "correct its defaults",
      }));
  return [
    ...(sha256 === entry.sha256.toLowerCase()
      ? []
      : [
          {
            message: `\`${name}\` is suspended: its file is not the one that is allowed`,
            remedy: `read it, then write sha256: ${sha256}`,
          },
        ]),
    ...(schedule === undefined ? [{ message: `\`${name}\` has no \`schedule:\``, remedy: "add one to its file" }] : []),
    ...strange,
  ];
}

const serversOf = (all: readonly Server[], place: string): readonly string[] => {
  const placed = targetServersOf(all, place);
  return placed.kind === "placed" ? placed.servers.map(({ name }) => name) : [];
};

export const replayLook: FolderLookKind = {
  name: "replay",
  lookAtFolder: ({ folder, incidents, base }, known) =>
    incidents === undefined || base === undefined
      ? []
      : [lookAtReplay({ incidents, base, folder }, known?.config ?? defaultConfig())],
};

interface ReplayFiles {
  /** The output of `countersign export --incidents`. */
  readonly incidents: string;
  /** Before the change. */
  readonly base: string;
  readonly folder: string;
}

type ReplayRules = Pick<Config, "context" | "features" | "incident" | "policy">;

/**
 * Replays closed incidents in two checkouts without a model; warns if one goes another way. Throws an `OperatorError` for an unreadable
 * export or checkout.
 */
export function lookAtReplay({ incidents: file, base, folder }: ReplayFiles, rules: ReplayRules): CheckLook {
  const { repo, servers, incidents } = readExport(file);
  const before = basisOf(base, { repo, servers }, rules);
  const after = basisOf(folder, { repo, servers }, rules);
  const changes = compareOutcomes(
    incidents.map((incident) => ({
      incident,
      before: replayIncident(incident, before.basis),
      after: replayIncident(incident, after.basis),
    })),
  );
  const changed = changes.reduce((sum, change) => sum + countOf(change), 0);
  const unseen =
    instructionsOf(before.files) === instructionsOf(after.files) ? "" : "; what AGENTS.md changes only a model shows";
  const said = `${changed === 0 ? "none" : changed} of ${counted(incidents.length, "closed incident")} would go differently${unseen}`;
  const warnings = changes.map((change): Problem => {
    const { runbook, changed } = change;
    const told = changed.slice(0, maxNamed).map(({ incidents: numbers, says }) => `${named(numbers)} ${says}`);
    const more = changed.slice(maxNamed).flatMap(({ incidents: numbers }) => numbers);
    const all = [...told, ...(more.length > 0 ? [`and others: ${named(more)}`] : [])].join("; ");
    const isIts = ({ path }: { readonly path: string }) =>
      runbook !== undefined && path.endsWith(`/${runbook}/SKILL.md`);
    return {
      place: join(folder, before.files.skills.find(isIts)?.path ?? "."),
      message: `${runbook ?? "no runbook"}: ${countOf(change)} of ${change.incidents} change: ${all}`,
      remedy: "if that is what you want, go on; if not, correct the change",
    };
  });
  return { name: "replay", said, warnings };
}

const countOf = ({ changed }: RunbookChange): number =>
  changed.reduce((sum, { incidents }) => sum + incidents.length, 0);

const maxNamed = 10;

const named = (numbers: readonly number[]): string => {
  const shown = numbers.slice(0, maxNamed).map((number) => `#${number}`);
  return `${shown.join(", ")}${numbers.length > maxNamed ? ` and ${numbers.length - maxNamed} more` : ""}`;
};

/** All that the model reads of a repository, except runbooks. */
const instructionsOf = ({ instructions, scoped, rules }: RepoFiles): string =>
  JSON.stringify([...instructions, ...scoped, ...(rules ? [rules] : [])].map(({ path, text }) => [path, text]));

function basisOf(
  folder: string,
  { repo, servers }: { readonly repo: string; readonly servers: readonly ServerRecord[] },
  config: ReplayRules,
): { readonly files: RepoFiles; readonly basis: ReplayBasis } {
  const names = contextNames(config);
  const files = readContext({ repository: readCheckout(folder, repositoryPlan(names)) }, names);
  const parsed = files.config && parseRepoConfig(files.config.text, files.config.path);
  const inventory = new Map(servers.map((server) => [server.name, standIn(server)]));
  const repositories = [{ name: repo, servers: [...inventory.keys()], allowPublic: false }];
  const rules = restrict({ ...config, repositories, servers: inventory }, repo, parsed?.ok ? parsed.config : undefined);
  return {
    files,
    basis: {
      runbooks: runbooksOf(files, () => {}),
      // As in the bot, a broken file leaves no server in reach.
      rules: parsed?.ok === false ? { ...rules, servers: [] } : rules,
      evaluate: createEvaluator({ ...config.policy, inventory: [...inventory.keys()] }),
    },
  };
}

/** A replay sends nothing. */
const standIn = (server: ServerRecord): Server => ({
  ...server,
  host: server.name,
  port: 22,
  user: "",
  description: "",
  agent: false,
  tty: false,
  backend: "ssh2",
  softTimeoutMs: 0,
  hardTimeoutMs: 0,
  path: "",
});

function readExport(file: string): {
  readonly repo: string;
  readonly servers: readonly ServerRecord[];
  readonly incidents: readonly IncidentRecord[];
} {
  const lines = textOf(file).split("\n");
  const records = lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const parsed = recordSchema.safeParse(parseJson(line));
    if (parsed.success) return [parsed.data];
    throw wrong(`${file}:${index + 1}`, "is no line of such an export");
  });
  const [head, ...others] = records;
  const incidents = others.filter((record) => "number" in record);
  if (head && "servers" in head && incidents.length === others.length) return { ...head, incidents };
  throw wrong(`${file}:1`, "does not begin with its repository's servers");
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw wrong(file, messageOf(error, file));
  }
}

const wrong = (place: string, message: string): OperatorError =>
  new OperatorError({
    place,
    message,
    remedy: "write it with `countersign export --incidents --repo OWNER/NAME`, and change nothing in it",
  });
