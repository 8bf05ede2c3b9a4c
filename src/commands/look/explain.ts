import { checksIn, mostInSet, serversIn } from "../../base/action.ts";
import { type Risk, stricter } from "../../base/risk.ts";
import { answer } from "../../features/thread/answer.ts";
import { hintOf, viewsOf } from "../../features/thread/views.ts";
import { renderHow, renderPlace } from "../../github/render/card.ts";
import { explainUnknown } from "../../github/render/ending.ts";
import { duration, type Markdown, renderCommand, riskMark } from "../../github/render/ink.ts";
import { stateWords } from "../../github/render/state.ts";
import { whatToDrop } from "../../risk/soften.ts";
import { type Action, actionsOf, type Target } from "../../store/actions.ts";
import { missingNumber, sentenceOf, unknownNumber } from "../answer/refusals.ts";
import type { Call, Handler } from "../command.ts";
import { findingsWithin, renderWhy } from "./why.ts";

/** Explains risk, approvers, the exact bytes that will run (POLICY-6), and why a run is UNKNOWN (RR-06). */
export const explain: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, repoContext, slash } = call;
    const { markdown } = deps;
    const actions = await actionsOf(tx, incident.id);
    const id = slash.ids === "all" ? undefined : slash.ids[0];
    const action = actions.find((candidate) => candidate.number === id?.number);
    if (!id || !action) {
      const body = id ? sentenceOf(unknownNumber(id.number), actions) : missingNumber("explain", actions);
      await answer(tx, call, incident, { outcome: "mistake", body });
      return;
    }
    const view = (await viewsOf(tx, incident.id)).find((candidate) => candidate.number === action.number);
    const { spec } = action;
    const body = [
      `**${action.number}** · ${riskMark(spec.risk)} · ${renderPlace(spec, markdown)} · ${view ? stateWords(view, markdown) : action.state}`,
      view ? explainUnknown(view, markdown) : "",
      ...whyEach(call, action),
      ...whatRuns(spec.targets, markdown),
      `Digest ${markdown.code(action.digest.slice(0, 16))} · rules ${markdown.code(spec.rulesVersion.slice(0, 12))} · host key ${[...new Set(spec.targets.flatMap(({ hostKeys }) => hostKeys))].map(markdown.code).join(", ")} · proposed by ${action.origin === "person" ? markdown.code(`@${action.authorLogin ?? "ghost"}`) : action.origin === "model" ? `the model ${markdown.code(spec.model ?? "")}` : "a runbook"}`,
      view ? renderHow([view], hintOf(deps, repoContext), markdown) : "",
    ];
    await answer(tx, call, incident, { outcome: "done", body: body.filter((part) => part !== "").join("\n\n") });
  });

function whyEach(call: Call, { spec, findings }: Action): readonly string[] {
  const { markdown } = call.deps;
  let at = 0;
  return checksIn(spec).map(({ command }) => {
    const own = findingsWithin(findings, command, at);
    at += command.length + 1;
    return renderWhy(command, own, toDrop(call, spec.targets, command), markdown);
  });
}

/** Unknown servers make nothing low. */
function toDrop({ deps, repoContext }: Call, targets: readonly Target[], command: string): readonly string[] {
  const servers = serversIn(targets).map((server) => repoContext.rules.servers.find(({ name }) => name === server));
  const riskOf = (text: string): Risk =>
    servers
      .map(
        (server): Risk =>
          server?.shell === "bash" && server.os !== "windows"
            ? deps.evaluate(text, { ...server, os: "linux" }).risk
            : "block",
      )
      .reduce(stricter, "low");
  return whatToDrop(command, riskOf);
}

/** A job's scripts are long; of a set each check is shown. */
const shownGroups = 3;

/** Groups equal bytes; jobs differ only in the id. */
function whatRuns(targets: readonly Target[], markdown: Markdown): readonly string[] {
  const same = ({ jobId, wrapped }: Target): string => (jobId === null ? wrapped : wrapped.replaceAll(jobId, ""));
  const alike = Map.groupBy(targets, (target) => JSON.stringify([same(target), target.user, target.hardTimeoutMs]));
  const groups = [...alike.values()];
  const most = targets.some(({ step }) => step !== undefined) ? mostInSet : shownGroups;
  const rest = groups.length - most;
  const more = rest > 0 ? [`The same for ${rest} more kinds of servers, which differ in account, limit or path.`] : [];
  const shown = groups.slice(0, most).flatMap((group) => {
    const [target] = group;
    if (!target) return [];
    const where =
      alike.size === 1 || serversIn(targets).length === 1
        ? ""
        : ` on ${group.map(({ server }) => markdown.code(server)).join(", ")}`;
    if (target.wrapped === "") return [`**What runs**${where}: nothing before its values are filled in.`];
    const limit = `ended after ${duration(target.hardTimeoutMs)} at the latest`;
    const bytes = renderCommand(target.wrapped, markdown);
    const how = target.jobId === null ? "" : ", as a job that goes on when the connection is lost";

    const folded = `<details><summary>what is sent, with the fixed script that keeps the job</summary>\n\n${bytes}\n\n</details>`;
    return [
      `**What runs**${where}, as ${markdown.code(target.user)}${how}, ${limit}:\n\n${target.jobId === null ? bytes : folded}`,
    ];
  });
  return [...shown, ...more];
}
