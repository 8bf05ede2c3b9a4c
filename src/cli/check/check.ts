import { lookAtModel } from "../../agent/wire/model-look.ts";
import { counted } from "../../base/counted.ts";
import { messageOf, OperatorError, type Problem } from "../../base/errors.ts";
import type { ProcessRole } from "../../base/roles.ts";
import type { Server } from "../../base/server.ts";
import { withoutPassword } from "../../config/database.ts";
import type { Gaps } from "../../config/keep.ts";
import { type Config, surveyConfig } from "../../config/load.ts";
import { configSchema, type ParsedFile } from "../../config/schema.ts";
import { toProgramSide } from "../../config/shape.ts";
import { createEvaluator } from "../../risk/evaluate.ts";
import { checkInventory } from "../../ssh/inventory.ts";
import { lookAtStore } from "../../store/database/look.ts";
import { rolesOf } from "../options.ts";
import { fillIds, lookAtAddresses, lookAtGitHub } from "./github.ts";
import { type CheckFinding, type CheckLook, checkFindings, rowOf, waitsFor } from "./look.ts";
import { lookAtFiles, lookAtPort } from "./machine.ts";
import { lookAtOnCall } from "./oncall.ts";
import { policyHoles, rosterProblems } from "./policy.ts";
import { lookAtReplay } from "./replay.ts";
import { checkRepository } from "./repo.ts";
import { lookAtServer, startServerLooks } from "./server.ts";

type Print = (line: string) => void;
type Section = keyof ParsedFile;

interface Step {
  readonly of: string;
  /** Whose process needs it; everybody's where nothing is said (SR-55). */
  readonly roles?: readonly ProcessRole[];
  /** Sections and keys of the config; with a gap in one it is not looked at, since what is said of it could be wrong. */
  readonly restsOn: readonly (Section | `github.${string}`)[];
  readonly look: (config: Config, gaps: Gaps) => Promise<readonly CheckLook[]> | readonly CheckLook[];
}

const steps: readonly Step[] = [
  { of: "GitHub", restsOn: ["github", "github.app_id", "github.private_key_file"], look: lookAtGitHub },
  { of: "addresses", roles: ["web"], restsOn: ["github", "server"], look: lookAtAddresses },
  { of: "model", roles: ["agent"], restsOn: ["model"], look: lookAtModels },
  { of: "store", restsOn: ["store"], look: lookAtStoreOf },
  { of: "files", restsOn: ["audit", "logging"], look: lookAtFiles },
  { of: "port", restsOn: ["server", "github.app_id"], look: lookAtPort },
  { of: "policy", restsOn: ["policy"], look: lookAtPolicy },
  { of: "on call", roles: ["agent"], restsOn: ["oncall"], look: lookAtOnCall },
  { of: "inventory", roles: ["runner"], restsOn: [], look: lookAtInventory },
];

/**
 * Looks at everything an operator can get wrong, as far as it gets: the config, the App at GitHub, the store, the policy, each
 * server for real, and the skills, workflows and files of a checked-out repository. Prints a line for each as it goes. What is
 * wrong with the config hides nothing but what rests on it. Throws an `OperatorError` only where it was not called rightly.
 */
export async function check(
  options: {
    readonly config?: string | undefined;
    readonly repo?: string | undefined;
    /** The repository alone, by the defaults: its pull requests know no operator's file. */
    readonly onlyRepo?: boolean;
    /** Closed incidents, to be replayed in the repository and in `base`. */
    readonly incidents?: string | undefined;
    /** The repository as it was before the change. */
    readonly base?: string | undefined;
    /** By commas: what the process on this machine does, and so needs; all of it unless said otherwise. */
    readonly role?: string | undefined;
  },
  print: Print,
  /** Is told what is being waited for. */
  waiting: (what: string) => void = () => {},
): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  const take = (look: CheckLook): void => {
    found.push(...checkFindings(look));
    print(rowOf(look));
  };
  const takeRepository = async (folder: string, known: Known | undefined): Promise<void> => {
    for (const look of await looked("repository", () => [lookAtRepository(folder, known, print)])) take(look);
    const { incidents, base } = options;
    if (incidents === undefined || base === undefined) return;
    const rules = known?.config ?? defaultConfig();
    for (const look of await looked("replay", () => [lookAtReplay({ incidents, base, folder }, rules)])) take(look);
  };
  if ((options.incidents === undefined) !== (options.base === undefined)) throw halfAReplay();
  if (options.onlyRepo) {
    await takeRepository(options.repo ?? ".", undefined);
    return found;
  }
  const roles = rolesOf(options.role);
  const isOf = (step: Pick<Step, "roles">): boolean => step.roles?.some((role) => roles.includes(role)) ?? true;
  const survey = surveyConfig({ file: options.config, roles });
  const known: Known | undefined = survey.ok ? { config: survey.config, gaps: new Set() } : survey.rest;
  const { config, gaps } = known ?? {};
  const problems = await fillIds(survey.ok ? [] : survey.problems, known);
  take({ name: "config", said: config?.file ?? "cannot be read", problems, warnings: config?.warnings ?? [] });
  if (config && gaps) {
    for (const { of, restsOn, look } of steps.filter(isOf)) {
      const lacking = restsOn.filter((section) => gaps.has(section));
      if (lacking.length > 0) take(waitsFor(of, lacking));
      else {
        waiting(of);
        for (const one of await looked(of, () => look(config, gaps))) take(one);
      }
    }
    if (roles.includes("runner")) for await (const one of lookAtServers(config, waiting)) take(one);
  }
  if (options.repo !== undefined) await takeRepository(options.repo, known);
  return found;
}

const halfAReplay = (): OperatorError =>
  new OperatorError({
    place: "--incidents, --base",
    message: "one was given without the other",
    remedy: "name the exported incidents and a checkout of what the change is held against",
  });

interface Known {
  readonly config: Config;
  readonly gaps: Gaps;
}

/** What could not be looked at is a finding like any other, so that it hides none of them. */
async function looked(
  name: string,
  look: () => Promise<readonly CheckLook[]> | readonly CheckLook[],
): Promise<readonly CheckLook[]> {
  try {
    return await look();
  } catch (error) {
    const unknown = { place: name, message: messageOf(error), remedy: "try again" };
    const problems = error instanceof OperatorError ? error.problems : [unknown];
    return [{ name, said: "could not be looked at", problems }];
  }
}

async function lookAtModels({ model: { endpoints } }: Config): Promise<readonly CheckLook[]> {
  const name = "model";
  if (endpoints.length === 0) return [{ name, said: "none: the offline responder answers", skipped: true }];
  return Promise.all(
    endpoints.map(async (endpoint, index) => {
      const { said, fault, doubt } = await lookAtModel({ ...endpoint, apiKey: endpoint.apiKey ?? "" });
      const place = `model.endpoints.${index}`;
      const at = (one: typeof fault): readonly Problem[] => (one ? [{ place, ...one }] : []);
      return { name, said, problems: at(fault), warnings: at(doubt) };
    }),
  );
}

async function lookAtStoreOf({ store: { url } }: Config): Promise<readonly CheckLook[]> {
  return [{ name: "store", said: withoutPassword(url), problems: await lookAtStore(url) }];
}

function lookAtPolicy(config: Config, gaps: Gaps): readonly CheckLook[] {
  // Without it no process starts, whatever it does.
  createEvaluator(config.policy);
  if (config.roles.every((role) => role === "web")) return [];
  const problems = rosterProblems(config);
  const warnings = policyHoles(config, new Date(), gaps);
  const strange = problems.length + warnings.length;
  const said = strange === 0 ? "nothing unusual" : `${counted(strange, "thing")} that may not be meant`;
  return [{ name: "policy", said, problems, warnings }];
}

function lookAtInventory(config: Config): readonly CheckLook[] {
  const said = counted(config.servers.size, "server");
  return [{ name: "inventory", said, problems: checkInventory(config.servers) }];
}

/** Together, since each may take as long as a dead one; told in the config's order. */
async function* lookAtServers({ servers }: Config, waiting: (what: string) => void): AsyncGenerator<CheckLook> {
  const { looks, close } = startServerLooks(servers, lookAtServer);
  for (const [index, { item, done }] of looks.entries()) {
    const { name } = item;
    waiting(`server ${name}, ${index + 1} of ${looks.length}`);
    yield* await looked(name, async () => [{ name, ...(await done) }]);
  }
  await close();
}

const defaultConfig = () => toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");

/** What a repository's files are held against. */
const held: readonly Section[] = ["github", "servers", "policy", "schedules"];

/** Without the operator's word on these, a repository is held against the defaults. */
function lookAtRepository(folder: string, known: Known | undefined, print: Print): CheckLook {
  const { github, servers: _, ...defaults } = defaultConfig();
  const unknown = { ...defaults, repositories: github.repositories, servers: new Map<string, Server>() };
  const isSure = known !== undefined && held.every((section) => !known.gaps.has(section));
  const by = isSure ? "operator" : "defaults";
  const { context, features } = known?.config ?? defaults;
  const rules = isSure ? known.config : { ...unknown, context, features };
  return { name: "repository", said: folder, ...checkRepository(folder, rules, by, print) };
}
