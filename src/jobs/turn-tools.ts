import type { TurnTools } from "../agent/tools.ts";
import { actionsOf } from "../store/actions.ts";
import type { Incident } from "../store/incidents.ts";
import { outputOf, outputParts } from "../store/outputs.ts";
import { runsOf } from "../store/runs.ts";
import { readOutput } from "../text/page.ts";
import { delimit } from "../text/visible.ts";
import type { Server, ServerSummary, Skill } from "../types.ts";
import { offIssue } from "./off-issue.ts";
import { createUpdatePlan } from "./plan.ts";
import { readSkill, readSkillFile } from "./read-skill.ts";
import type { Ground, World } from "./world.ts";

/** What the agent may call during a turn. All of it reads; proposals and the plan are the only things it makes. */
export function createTurnTools(input: {
  readonly world: World;
  readonly incident: Incident;
  readonly ground: Ground;
  /** Of the session: what others wrote stands between tags that bear it (SR-39). */
  readonly nonce: string;
  readonly servers: readonly Server[];
  readonly skills: readonly Skill[];
}): TurnTools {
  const { world, incident, nonce, servers, skills } = input;
  return {
    listServers: () => servers.map(summaryOf),
    skillNames: skills.map((skill) => skill.name),
    useSkill: async (name, file) => {
      const skill = skills.find((candidate) => candidate.name === name);
      if (!skill) return undefined;
      return file === undefined ? readSkill(input, skill) : readSkillFile(input, skill, file);
    },
    readOutput: async (number, part, server) => {
      const action = (await actionsOf(world.store.db, incident.id)).find((candidate) => candidate.number === number);
      const runs = (await runsOf(world.store.db, incident.id)).filter((candidate) => candidate.actionId === action?.id);
      const run = server === undefined ? runs[0] : runs.find((candidate) => candidate.server === server);
      if (!run) throw new Error(`nothing has run under ${number}${server === undefined ? "" : ` on ${server}`}`);
      const output = await outputOf(world.store.db, run.id);
      if (output?.withheld) throw new Error(`the output of ${number} is withheld: ${output.withheld}`);
      if (incident.public) return delimit(offIssue(run), `output of ${number}`, nonce);
      const read = await readOutput(outputParts(world.store.db, run.id), part, world.config.agent.outputCharacters);
      return `${delimit(read.text, `output of ${number}`, nonce)}\n(${read.note})`;
    },
    ...(world.config.features.planning && {
      updatePlan: createUpdatePlan(world, incident.id, input.ground.context.commit),
    }),
    mayPropose: true,
    mayAsk: true,
  };
}

/** PA-8: name, OS, groups, description; never address, user or key. */
export const summaryOf = ({ name, os, groups, description }: Server): ServerSummary => ({
  name,
  os,
  groups,
  description,
});
