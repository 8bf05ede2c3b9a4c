import type { TurnTools } from "../../agent/tools.ts";
import { type NamedValue, placeOfRun } from "../../base/action.ts";
import type { Skill } from "../../base/github.ts";
import type { Server, ServerSummary } from "../../base/server.ts";
import type { Workflow } from "../../runbooks/workflows.ts";
import { actionsOf } from "../../store/actions.ts";
import type { Incident, Session } from "../../store/incidents.ts";
import { outputOf, outputParts } from "../../store/outputs.ts";
import { runsOf } from "../../store/runs.ts";
import { readOutput } from "../../text/page.ts";
import { delimit } from "../../text/read/visible.ts";
import type { Deps, RepoContext } from "../context.ts";
import type { ToldNumbers } from "../proposal/same-action.ts";
import { createStartWorkflow } from "../proposal/start-workflow.ts";
import { offIssue } from "../run/off-issue.ts";
import { feedbackHistory } from "./feedback-history.ts";
import { createUpdatePlan } from "./plan.ts";
import { createPreview } from "./preview.ts";
import { readSkill, readSkillFile } from "./read-skill.ts";

/** What the tools do; which of them are offered is decided where the request is made. */
export type Doings = Required<
  Pick<TurnTools, "useSkill" | "readOutput" | "updatePlan" | "feedbackHistory" | "startWorkflow">
> &
  Pick<TurnTools, "preview" | "blockedIn">;

/** What the agent may do during a turn. All of it reads; proposals and the plan are the only things it makes. */
export function createDoings(input: {
  readonly deps: Deps;
  readonly incident: Incident;
  readonly session: Session;
  readonly repoContext: RepoContext;
  readonly skills: readonly Skill[];
  readonly workflows: readonly Workflow[];
  readonly values: readonly NamedValue[];
  readonly toldNumbers: ToldNumbers;
}): Doings {
  const { deps, incident, session, skills } = input;
  const { whyRefused, ...preview } = createPreview(deps, input);
  const { nonce } = session;
  return {
    useSkill: async (name, file) => {
      const skill = skills.find((candidate) => candidate.name === name);
      if (!skill) return undefined;
      return file === undefined
        ? readSkill({ ...input, nonce }, skill)
        : readSkillFile({ ...input, nonce }, skill, file);
    },
    readOutput: async (number, part, server) => {
      const action = (await actionsOf(deps.store.db, incident.id)).find((candidate) => candidate.number === number);
      const runs = (await runsOf(deps.store.db, incident.id)).filter((candidate) => candidate.actionId === action?.id);
      const run =
        server === undefined ? runs[0] : runs.find((one) => placeOfRun(one) === server || one.server === server);
      if (!run) throw new Error(`nothing has run under ${number}${server === undefined ? "" : ` on ${server}`}`);
      const output = await outputOf(deps.store.db, run.id);
      if (output?.withheld) throw new Error(`the output of ${number} is withheld: ${output.withheld}`);
      if (incident.public) return delimit(offIssue(run), `output of ${number}`, nonce);
      const read = await readOutput(outputParts(deps.store.db, run.id), part, deps.config.agent.outputCharacters);
      return `${delimit(read.text, `output of ${number}`, nonce)}\n(${read.note})`;
    },
    updatePlan: createUpdatePlan(deps, incident.id, input.repoContext.context.commit),
    ...preview,
    feedbackHistory: () => feedbackHistory(deps.store.db, session),
    startWorkflow: createStartWorkflow({
      ...input,
      servers: input.repoContext.rules.servers,
      nonce,
      known: input.values,
      whyRefused,
    }),
  };
}

/** PA-8: name, OS, groups, description; never address, user or key. */
export const toolSummary = ({ name, os, groups, description }: Server): ServerSummary => ({
  name,
  os,
  groups,
  description,
});
