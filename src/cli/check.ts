import { type Config, environment, loadConfig } from "../config.ts";
import type { Problem } from "../errors.ts";
import { checkAppAccess } from "../github/app-access.ts";
import { createEvaluator } from "../policy/evaluate.ts";
import { checkInventory } from "../ssh/inventory.ts";
import { createSsh } from "../ssh/run.ts";
import { checkRepository } from "./check-repo.ts";

/**
 * Looks at everything an operator can get wrong: the config (which throws with all its problems), the roster, the rules, each
 * server for real, and the skills, workflows and files of a checked-out repository. Prints as it goes; the problems, warnings apart.
 */
export async function check(
  options: { readonly config?: string | undefined; readonly repo?: string | undefined },
  print: (line: string) => void,
): Promise<readonly Problem[]> {
  const config = loadConfig({ file: options.config });
  print(`config     ✓ ${config.file}`);
  for (const warning of config.warnings)
    print(`config     ! ${warning.place}: ${warning.message} — ${warning.remedy ?? ""}`);
  createEvaluator(config.policy);
  const problems: Problem[] = [
    ...(await appProblems(config, print)),
    ...rosterProblems(config),
    ...checkInventory(config.servers),
    ...(await serverProblems(config, print)),
  ];
  if (options.repo !== undefined) {
    problems.push(...checkRepository(options.repo, config, print));
  }
  return problems;
}

async function appProblems(config: Config, print: (line: string) => void): Promise<readonly Problem[]> {
  const access = await checkAppAccess({ ...config.github, usesTeams: config.policy.approvers.teams.length > 0 });
  print(
    `GitHub     ${access.problems.length === 0 ? "✓" : "✗"} ${access.ok ? `App ${access.slug}` : "not signed in"} at ${config.github.apiUrl}`,
  );
  return access.problems;
}

function rosterProblems(config: Config): readonly Problem[] {
  const { approvers } = config.policy;
  if (approvers.teams.length + approvers.users.length > 0) return [];
  return [
    {
      place: "policy.approvers",
      message: "is empty, so nobody may approve anything",
      remedy: "name a team (`org/slug`) or people with their ids",
    },
  ];
}

async function serverProblems(config: Config, print: (line: string) => void): Promise<readonly Problem[]> {
  const ssh = createSsh({ servers: config.servers, agentSocket: environment().SSH_AUTH_SOCK });
  const problems: Problem[] = [];
  for (const server of config.servers.values()) {
    const probed = await ssh.probe(server);
    if (probed.ok) print(`${server.name.padEnd(10)} ✓ ${probed.os}, host key ${probed.hostKey}`);
    else {
      print(`${server.name.padEnd(10)} ✗ ${probed.reason}`);
      problems.push({ place: `servers.${server.name}`, message: probed.reason, remedy: probed.remedy });
    }
  }
  await ssh.close();
  return problems;
}
