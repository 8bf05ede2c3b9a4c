import type { TurnTools } from "../agent/tools.ts";
import { actionsOf } from "../store/actions.ts";
import { outputOf, outputParts } from "../store/outputs.ts";
import { runsOf } from "../store/runs.ts";
import { readOutput } from "../text/page.ts";
import { delimit } from "../text/visible.ts";
import type { Server, ServerSummary, Skill } from "../types.ts";
import type { World } from "./world.ts";

/** What the agent may call during a turn. All of it reads; proposals are the only thing it makes. */
export function createTurnTools(input: {
  readonly world: World;
  readonly incidentId: string;
  /** Of the session: what others wrote stands between tags that bear it (SR-39). */
  readonly nonce: string;
  readonly servers: readonly Server[];
  readonly skills: readonly Skill[];
}): TurnTools {
  const { world, incidentId, nonce, servers, skills } = input;
  return {
    listServers: () => servers.map(summaryOf),
    skillNames: skills.map((skill) => skill.name),
    useSkill: async (name, file) => (file ? undefined : skills.find((skill) => skill.name === name)?.body),
    readOutput: async (number, part, server) => {
      const action = (await actionsOf(world.store.db, incidentId)).find((candidate) => candidate.number === number);
      const runs = (await runsOf(world.store.db, incidentId)).filter((candidate) => candidate.actionId === action?.id);
      const run = server === undefined ? runs[0] : runs.find((candidate) => candidate.server === server);
      if (!run) throw new Error(`nothing has run under ${number}${server === undefined ? "" : ` on ${server}`}`);
      const output = await outputOf(world.store.db, run.id);
      if (output?.withheld) throw new Error(`the output of ${number} is withheld: ${output.withheld}`);
      const read = await readOutput(outputParts(world.store.db, run.id), part, world.config.agent.outputCharacters);
      return `${delimit(read.text, `output of ${number}`, nonce)}\n(${read.note})`;
    },
    mayPropose: true,
    mayAsk: false,
  };
}

/** PA-8: name, OS, groups, description; never address, user or key. */
export const summaryOf = ({ name, os, groups, description }: Server): ServerSummary => ({
  name,
  os,
  groups,
  description,
});
