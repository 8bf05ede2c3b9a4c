import { type Config, environment, loadConfig } from "../config.ts";
import { configSchema } from "../config-schema.ts";
import { toProgramSide } from "../config-shape.ts";
import { messageOf, type Problem } from "../errors.ts";
import { checkAppAccess } from "../github/app-access.ts";
import { checkApp } from "../github/app-check.ts";
import { fetchHookAddresses } from "../github/hook-addresses.ts";
import { createEvaluator } from "../policy/evaluate.ts";
import { checkInventory } from "../ssh/inventory.ts";
import { createSsh } from "../ssh/run.ts";
import { lookAtStore } from "../store/look.ts";
import { policyHoles, rosterProblems } from "./check-policy.ts";
import { checkRepository } from "./check-repo.ts";
import { lookAtServer } from "./check-server.ts";

/** `error`: something does not work; `warning`: it works, and is likely not meant so. */
type Finding = Problem & { readonly severity: "error" | "warning" };

type Print = (line: string) => void;

const threeDaysMs = 3 * 24 * 3_600_000;

/**
 * Looks at everything an operator can get wrong, as far as it gets: the config, the App at GitHub, the store, the policy, each
 * server for real, and the skills, workflows and files of a checked-out repository. Prints a line for each as it goes. Throws an
 * `OperatorError` with every problem of a config that cannot be used: nothing else can be looked at then.
 */
export async function check(
  options: {
    readonly config?: string | undefined;
    readonly repo?: string | undefined;
    /** The repository alone, by the defaults: its pull requests know no operator's file. */
    readonly onlyRepo?: boolean;
  },
  print: Print,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const note = (severity: Finding["severity"], problems: readonly Problem[]): void => {
    found.push(...problems.map((problem) => ({ ...problem, severity })));
  };
  const noteBoth = (looked: ReturnType<typeof checkRepository>): void => {
    note("error", looked.problems);
    note("warning", looked.warnings);
  };
  /** A row of the table: how it went, in a few words. */
  const row: Row = (name, said, errors, warnings = []) => {
    note("error", errors);
    note("warning", warnings);
    const sign = errors.length > 0 ? "✗" : warnings.length > 0 ? "!" : "✓";
    print(`${name.padEnd(12)} ${sign} ${said}`);
  };
  if (options.onlyRepo) {
    const defaults = toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");
    const rules = { ...defaults, servers: new Map(), repositories: defaults.github.repositories };
    noteBoth(checkRepository(options.repo ?? ".", rules, "defaults", print));
    return found;
  }
  const config = loadConfig({ file: options.config });
  createEvaluator(config.policy);
  row("config", config.file, [], config.warnings);
  const access = await checkAppAccess({ ...config.github, usesTeams: config.policy.approvers.teams.length > 0 });
  const who = access.ok ? `App ${access.slug}` : "not signed in";
  row("GitHub", `${who} at ${config.github.apiUrl}`, access.problems, access.ok ? access.warnings : []);
  if (access.ok) await lookAtApp(config, row);
  if (config.server.allowFrom?.includes("github")) await lookAtAddresses(config, row);
  row("store", config.store.url.replace(/:[^:@/]*@/, ":…@"), await lookAtStore(config.store.url));
  const holes = policyHoles(config, new Date());
  row("policy", `${holes.length} things that may not be meant`, rosterProblems(config), holes);
  row("inventory", `${config.servers.size} servers`, checkInventory(config.servers));
  const ssh = createSsh({ servers: config.servers, agentSocket: environment().SSH_AUTH_SOCK });
  for (const server of config.servers.values()) {
    const looked = await lookAtServer(ssh, server, Date.now);
    row(server.name, looked.said, looked.problems, looked.warnings);
  }
  await ssh.close();
  if (options.repo !== undefined) noteBoth(checkRepository(options.repo, config, "operator", print));
  return found;
}

type Row = (name: string, said: string, errors: readonly Problem[], warnings?: readonly Problem[]) => void;

async function lookAtApp(config: Config, row: Row): Promise<void> {
  const since = new Date(Date.now() - threeDaysMs);
  const { github: app, repositories } = config;
  try {
    for (const { name, said, problems, warnings } of await checkApp({
      app,
      repositories,
      since,
      now: () => new Date(),
    }))
      row(name, said, problems, warnings);
  } catch (error) {
    const message = `GitHub did not tell of webhook and installation: ${messageOf(error)}`;
    row("webhook", "not told", [
      { place: "github.api_url", message, remedy: "try again, or look at githubstatus.com" },
    ]);
  }
}

/** Where GitHub does not name them, none of its webhooks would be taken (SR-05). */
async function lookAtAddresses({ github }: Config, row: Row): Promise<void> {
  try {
    row("addresses", `${(await fetchHookAddresses(github.apiUrl)).length} networks of GitHub's webhooks`, []);
  } catch (error) {
    const remedy = "name the addresses instead of `github`, or leave the key out";
    row("addresses", "not told", [{ place: "server.allow_from", message: messageOf(error), remedy }]);
  }
}
