import { readFileSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../base/counted.ts";
import { messageOf, OperatorError, type Problem } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import type { Server } from "../../base/server.ts";
import { type Config, defaultConfig, parseRepoConfig, restrict } from "../../config/load.ts";
import {
  compareOutcomes,
  type ReplayBasis,
  type RunbookChange,
  replayIncident,
} from "../../features/replay/outcome.ts";
import { type IncidentRecord, recordSchema, type ServerRecord } from "../../features/replay/record.ts";
import { runbooksOf } from "../../features/turn/runbooks.ts";
import { repositoryPlan } from "../../github/context/plan.ts";
import { type RepoFiles, readContext } from "../../github/context/read.ts";
import { contextNames } from "../../github/context/source.ts";
import { createEvaluator } from "../../risk/evaluate.ts";
import { readCheckout } from "../checkout.ts";
import type { CheckLook, FolderLookKind } from "./look.ts";

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
  const said = `${changed === 0 ? "none" : changed} of ${counted(incidents.length, "closed incident")} would go another way${unseen}`;
  return { name: "replay", said, warnings: changes.map((change) => warningOf(change, folder, before.files)) };
}

const countOf = ({ changed }: RunbookChange): number =>
  changed.reduce((sum, { incidents }) => sum + incidents.length, 0);

const maxNamed = 10;

function warningOf(change: RunbookChange, folder: string, { skills }: RepoFiles): Problem {
  const { runbook, incidents, changed } = change;
  const told = changed.slice(0, maxNamed).map(({ incidents: numbers, says }) => `${named(numbers)} ${says}`);
  const more = changed.slice(maxNamed).flatMap(({ incidents: numbers }) => numbers);
  const all = [...told, ...(more.length > 0 ? [`and others: ${named(more)}`] : [])].join("; ");
  const path = skills.find((skill) => runbook !== undefined && skill.path.endsWith(`/${runbook}/SKILL.md`))?.path;
  return {
    place: join(folder, path ?? "."),
    message: `${runbook ?? "no runbook"}: ${countOf(change)} of ${incidents} change: ${all}`,
    remedy: "if that is what you want, go on; if not, correct the change",
  };
}

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
