import { allowanceOf } from "../../approval/schedule.ts";
import type { Problem } from "../../base/errors.ts";
import { nearest } from "../../base/problems.ts";
import { addProposal } from "../../features/proposal/add-proposal.ts";
import { type Drafted, draftAction } from "../../features/proposal/draft.ts";
import { startWorkflow } from "../../features/proposal/start-workflow.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { readRunbooks } from "../../features/turn/runbooks.ts";
import { workflowFolder } from "../../github/context/plan.ts";
import { kindOf, type Workflow } from "../../runbooks/workflows.ts";
import { verbs } from "../../slash/verbs.ts";
import type { Tx } from "../../store/database/open.ts";
import { addSessionInstruction, type Incident, valuesOf } from "../../store/incidents.ts";
import { closedText } from "../answer/refusals.ts";
import type { Call, Command } from "../command.ts";
import { parseParameters } from "../reading/parameters.ts";

/** A workflow's steps as a checklist, each decided on like any other proposal; without a name, which workflows there are (WF-1). */
export const workflow: Command = {
  ...verbs.workflow,
  summary: "proposes the steps of a workflow; without a name, lists them",
  examples: ["/workflow", '/workflow drain-node node=web-1 reason="disk is full"'],
  may: "act",
  run: (call) =>
    call.commit(async (tx, incident) => {
      const { workflows, problems } = readRunbooks(call.deps, call.repoContext);
      const [name, ...given] = call.slash.words;
      if (name === undefined && call.slash.ids.length === 0)
        return answer(tx, call, incident, {
          outcome: "done",
          body: list(
            call,
            workflows,
            problems.filter(({ place }) => place.includes(workflowFolder)),
          ),
        });
      const found = workflows.find((candidate) => candidate.name === name);
      if (!found) return mistake(tx, call, incident, [unknown(name ?? "", workflows)]);
      if (incident.state === "closed") return mistake(tx, call, incident, [closedText]);
      const parameters = parseParameters(given);
      if (!parameters.ok) return mistake(tx, call, incident, [...parameters.refusals, usageOf(found)]);
      const started = startWorkflow(
        found,
        parameters.values,
        call.repoContext.rules.servers,
        await valuesOf(tx, incident.id),
      );
      if (!started.ok) return mistake(tx, call, incident, [...started.refusals, usageOf(found)]);
      const from = { origin: "person", author: call.caller, model: null, promptSha256: null } as const;
      const drafted = started.proposals.map((proposal) => draftAction(call.deps, call.repoContext, proposal, from));
      const refusals = drafted.flatMap((one, index) => refusalOf(one, index + 1));
      // A checklist with holes in it is another workflow than the one that was asked for.
      if (refusals.length > 0) return mistake(tx, call, incident, refusals);
      await propose(tx, call, incident, { workflow: found, drafted });
    }),
};

async function propose(
  tx: Tx,
  call: Call,
  incident: Incident,
  given: { readonly workflow: Workflow; readonly drafted: readonly Drafted[] },
): Promise<void> {
  const { name, instructions } = given.workflow;
  if (instructions) await addSessionInstruction(tx, incident.id, { source: `workflow ${name}`, text: instructions });
  const told = {
    by: { id: call.caller.id, login: call.caller.login },
    commentId: call.event.comment.id,
    workflow: { name, sha256: given.workflow.sha256 },
  };
  let card: string | undefined;
  for (const one of given.drafted) {
    if (one.kind === "refused") continue;
    const action = await addProposal(tx, incident, { ...one.draft, card }, told);
    // One card for all of them: a checklist.
    card ??= action.card;
  }
  await show(tx, call.deps, incident);
  await answer(tx, call, incident, { outcome: "done" });
}

/** Why a step can be no action; one that never runs makes the whole of it useless. */
function refusalOf(drafted: Drafted, step: number): readonly string[] {
  if (drafted.kind === "refused") return [`Step ${step}: ${drafted.why}`];
  const { state, findings } = drafted.draft;
  return state === "blocked" ? [`Step ${step} would never run: ${findings[0]?.text ?? "it is blocked"}`] : [];
}

const mistake = (tx: Tx, call: Call, incident: Incident, refusals: readonly string[]): Promise<void> =>
  answer(tx, call, incident, { outcome: "mistake", body: said(call, refusals) });

/** One sentence, or a line each. */
function said({ deps }: Call, refusals: readonly string[]): string {
  const lines = refusals.map((refusal) => `${deps.markdown.note(refusal)}${/[.!?]$/.test(refusal) ? "" : "."}`);
  return lines.length === 1
    ? `Nothing was run or proposed. ${lines.join("")}`
    : `Nothing was run or proposed.\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

const unknown = (name: string, workflows: readonly Workflow[]): string => {
  const names = workflows.map((one) => one.name);
  const near = nearest(name, names);
  const known =
    names.length === 0 ? "there are none here" : `use one of: ${names.map((one) => `\`${one}\``).join(", ")}`;
  return `There is no workflow \`${name.replaceAll("`", "'")}\`${near ? `; did you mean \`${near}\`?` : `; ${known}`}`;
};

const usageOf = ({ name, params }: Workflow): string =>
  `To start it: \`/workflow ${[name, ...Object.entries(params).map(([key, param]) => `${key}=${param.default ?? `<${kindOf(param)}>`}`)].join(" ")}\``;

function list({ deps, incident }: Call, workflows: readonly Workflow[], problems: readonly Problem[]): string {
  const { code, plain } = deps.markdown;
  const scheduled = ({ schedule, name, sha256 }: Workflow): string => {
    if (schedule === undefined) return "";
    const { kind } = allowanceOf(deps.config.schedules.allowed, { repo: incident.repo, name, sha256 });
    return ` · ⏰ ${code(schedule)} UTC, ${allowances[kind]}`;
  };
  const lines = workflows.map((one) => {
    const params = Object.entries(one.params).map(([key, param]) => {
      const fallback = param.default === undefined ? "" : `, else ${code(String(param.default))}`;
      const description = param.description === "" ? "" : ` · ${plain(param.description)}`;
      return `  - ${code(`${key}=`)} ${plain(kindOf(param))}${fallback}${description}`;
    });
    const steps = `${one.steps.length} step${one.steps.length === 1 ? "" : "s"}`;
    return [`- ${code(one.name)} · ${plain(one.description)} · ${steps}${scheduled(one)}`, ...params].join("\n");
  });
  const head = "Start one with `/workflow name key=value`; each step needs its own approval.";
  const none = "There is no workflow that can be used: `.github/countersign/workflows/*.yml`.";
  const faulty = problems.map(({ place, message }) => `- ⚠️ ${code(place)} ${deps.markdown.note(message)}`);
  return [
    lines.length === 0 ? none : `${head}\n\n${lines.join("\n")}`,
    ...(faulty.length === 0 ? [] : [`**To fix**\n\n${faulty.join("\n")}`]),
  ].join("\n\n");
}

const allowances = {
  allowed: "allowed by the operator",
  changed: "suspended: the file is not the one that the operator allowed",
  never: "not allowed by the operator",
} as const satisfies Record<ReturnType<typeof allowanceOf>["kind"], string>;
