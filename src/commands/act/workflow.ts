import { allowanceOf } from "../../approval/schedule.ts";
import type { Problem } from "../../base/errors.ts";
import { nearest } from "../../base/problems.ts";
import { draftAction } from "../../features/proposal/draft.ts";
import { addProposal } from "../../features/proposal/propose.ts";
import { startWorkflow } from "../../features/proposal/start-workflow.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { readRunbooks } from "../../features/turn/runbooks.ts";
import { workflowFolder } from "../../github/context/plan.ts";
import { kindOf, type Workflow } from "../../runbooks/workflows.ts";
import { addSessionInstruction, valuesOf } from "../../store/incidents.ts";
import { closedText } from "../answer/refusals.ts";
import type { Call, Handler } from "../command.ts";
import { parseParameters } from "../reading/parameters.ts";

/** Proposes a workflow's steps as a checklist; without a name, lists the workflows (WF-1). */
export const workflow: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, repoContext, slash, caller, event } = call;
    const mistake = (...refusals: readonly string[]): Promise<void> => {
      const lines = refusals.map((refusal) => `${deps.markdown.note(refusal)}${/[.!?]$/.test(refusal) ? "" : "."}`);
      const body =
        lines.length === 1
          ? `Nothing was run or proposed. ${lines.join("")}`
          : `Nothing was run or proposed.\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
      return answer(tx, call, incident, { outcome: "mistake", body });
    };
    const { workflows, problems } = readRunbooks(deps, repoContext);
    const [name, ...given] = slash.words;
    if (name === undefined && slash.ids.length === 0) {
      const own = problems.filter(({ place }) => place.includes(workflowFolder));
      return answer(tx, call, incident, { outcome: "done", body: workflowList(call, workflows, own) });
    }
    const found = workflows.find((candidate) => candidate.name === name);
    if (!found) return mistake(noWorkflow(name ?? "", workflows));
    if (incident.state === "closed") return mistake(closedText);
    const parameters = parseParameters(given);
    if (!parameters.ok) return mistake(...parameters.refusals, usageOf(found));
    const { servers } = repoContext.rules;
    const started = startWorkflow(found, parameters.values, servers, await valuesOf(tx, incident.id));
    if (!started.ok) return mistake(...started.refusals, usageOf(found));
    const from = { origin: "person", author: caller, model: null, promptSha256: null } as const;
    const drafted = started.proposals.map((proposal) => draftAction(deps, repoContext, proposal, from));
    // A checklist with holes is another workflow.
    const refusals = drafted.flatMap((one, index) => {
      if (one.kind === "refused") return [`Step ${index + 1}: ${one.why}`];
      const { state, findings } = one.draft;
      if (state !== "blocked") return [];
      return [`Step ${index + 1} would never run: ${findings[0]?.text ?? "it is blocked"}`];
    });
    if (refusals.length > 0) return mistake(...refusals);

    const { instructions, sha256 } = found;
    if (instructions)
      await addSessionInstruction(tx, incident.id, { source: `workflow ${found.name}`, text: instructions });
    let card: string | undefined;
    for (const one of drafted) {
      if (one.kind === "refused") continue;
      const action = await addProposal(
        tx,
        incident,
        { ...one.draft, card },
        {
          by: { id: caller.id, login: caller.login },
          commentId: event.comment.id,
          workflow: { name: found.name, sha256 },
        },
      );
      card ??= action.card;
    }
    await show(tx, deps, incident);
    await answer(tx, call, incident, { outcome: "done" });
  });

function noWorkflow(name: string, workflows: readonly Workflow[]): string {
  const names = workflows.map((one) => one.name);
  const near = nearest(name, names);
  const known =
    names.length === 0 ? "there are none here" : `use one of: ${names.map((one) => `\`${one}\``).join(", ")}`;
  return `There is no workflow \`${name.replaceAll("`", "'")}\`${near ? `; did you mean \`${near}\`?` : `; ${known}`}`;
}

const usageOf = ({ name, params }: Workflow): string =>
  `To start it: \`/workflow ${[name, ...Object.entries(params).map(([key, param]) => `${key}=${param.default ?? `<${kindOf(param)}>`}`)].join(" ")}\``;

const allowances = {
  allowed: "allowed by the operator",
  changed: "suspended: the file is not the one that the operator allowed",
  never: "not allowed by the operator",
} as const satisfies Record<ReturnType<typeof allowanceOf>["kind"], string>;

function workflowList({ deps, incident }: Call, workflows: readonly Workflow[], problems: readonly Problem[]): string {
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
