import { createHash } from "node:crypto";
import { phases } from "../../base/agent.ts";
import { readTemplate } from "../../base/template.ts";
import { polls, takesWebhooks } from "../../config/load.ts";
import { standingOf } from "../../features/incident/hold.ts";
import { onCallLine } from "../../features/oncall/notes.ts";
import { onCallNow } from "../../features/oncall/roster.ts";
import { answer } from "../../features/thread/answer.ts";
import { instructionsFor, readComponent } from "../../features/turn/prompt.ts";
import type { Component } from "../../github/context/source.ts";
import { duration, name, renderNote } from "../../github/render/ink.ts";
import { type Action, actionsOf } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, type Session, sessionOf } from "../../store/incidents.ts";
import { polledAt } from "../../store/poll.ts";
import type { Call, Handler } from "../command.ts";
import { pillarMeanings } from "../steer/pillar.ts";

/** Shows state, cost, the agent's texts, and approvers (INJ-6). */
export const status: Handler = async (call) => {
  const { deps, repoContext } = call;
  // Before the transaction, because the calendar may not answer.
  const onCall = await onCallNow(deps, repoContext);
  const component = await readComponent(deps, repoContext, call.incident);
  await call.commit(async (tx, incident) => {
    const body = await statusText(tx, call, { incident, onCall, component });
    await answer(tx, call, incident, { outcome: "done", body });
  });
};

async function statusText(
  tx: Tx,
  call: Call,
  given: {
    readonly incident: Incident;
    readonly onCall: Awaited<ReturnType<typeof onCallNow>>;
    readonly component: Component;
  },
): Promise<string> {
  const { deps, repoContext } = call;
  const { incident, onCall, component } = given;
  const { plain, code, note } = deps.markdown;
  const session = await sessionOf(tx, incident.id);
  const standing = await standingOf(deps, tx, incident);
  const actions = await actionsOf(tx, incident.id);
  const numbersIn = (what: string, ...states: readonly Action["state"][]): readonly string[] => {
    const numbers = actions.filter(({ state }) => states.includes(state)).map(({ number }) => number);
    return numbers.length === 0 ? [] : [`- ${what}: ${numbers.join(", ")}`];
  };
  const age = duration(deps.now().getTime() - incident.createdAt.getTime());
  const { approvers } = repoContext.rules.policy;
  const who = [...approvers.teams.map(code), ...approvers.users.map((user) => name(user.login))];
  const holder = session.userLogin === incident.openerLogin ? "" : `, with ${name(session.userLogin)}`;
  const lift = standing.kind === "stopped" && standing.lift ? `, \`${standing.lift}\`` : "";
  return [
    `**${incident.state}** for ${age} · phase ${phases.indexOf(incident.phase) + 1} of ${phases.length}, ${incident.phase} · step ${session.steps} of ${session.stepLimit}${standing.kind === "stopped" ? ` · ✋ ${plain(standing.words)}${lift}` : ""}`,
    "",
    ...numbersIn("wait for approval", "proposed"),
    ...numbersIn("approved, next in line", "approved"),
    ...numbersIn("running", "dispatching", "running"),
    ...numbersIn("done", "done"),
    `- may approve: ${who.join(", ") || "nobody, `policy.approvers` is empty"}${deps.config.execution.enabled ? "" : "; nothing runs, this bot only proposes (`execution.enabled: false`)"}`,
    `- servers: ${repoContext.rules.servers.map((server) => code(server.name)).join(", ") || "none"}`,
    ...(onCall.kind === "unset" ? [] : [`- ${onCall.kind === "unreadable" ? "⚠️ " : ""}${note(onCallLine(onCall))}`]),
    ...(polls(deps.config) ? [`- listening ${await pollingWords(tx, call, incident)}`] : []),
    `- model: ${modelWords(call, session)}`,
    `- session ${code(session.id)}, opened by ${name(incident.openerLogin)}${holder}; ${pillarMeanings[session.pillar]}`,
    `- read from the repository at ${code(repoContext.context.commit?.slice(0, 7) ?? "an empty branch")}: ${textsInForce(call, component).join(", ")}`,
    ...component.folders.map((folder) => `- about the component ${code(folder)}`),
    ...[...component.notes, ...repoContext.rules.notes].map((one) => `- ${renderNote(one, deps.markdown)}`),
  ].join("\n");
}

async function pollingWords(tx: Tx, { deps }: Call, { repo }: Incident): Promise<string> {
  const at = await polledAt(tx, repo);
  const how = takesWebhooks(deps.config) ? "by webhooks and polling" : "by polling";
  const ms = Math.max(0, deps.now().getTime() - (at?.getTime() ?? 0));
  const behind = ms < 60_000 ? `${Math.ceil(ms / 1_000)} s` : duration(ms);
  return `${how}, ${at === undefined ? "nothing read yet" : `${behind} behind`}`;
}

function modelWords({ deps }: Call, session: Session): string {
  if (!deps.ask) return "none, the offline responder answers";
  const { inputTokens, outputTokens, toolCalls, durationMs } = session;
  const figure = (n: number): string => n.toLocaleString("en");
  const limit = figure(deps.config.model.budget.tokensPerIncident);
  const took = `${figure(toolCalls)} tool call${toolCalls === 1 ? "" : "s"}, ${duration(durationMs)}`;
  return `${figure(inputTokens)} tokens in, ${figure(outputTokens)} out, of ${limit} for this incident; ${took}`;
}

/** With the start of each SHA-256, to compare incidents. */
function textsInForce({ deps, repoContext }: Call, component: Component): readonly string[] {
  const { rules, rulesFault } = repoContext.context;
  const hash = (text: string): string =>
    deps.markdown.code(createHash("sha256").update(text).digest("hex").slice(0, 12));
  return [
    `instructions ${hash(readTemplate("instructions.md"))}`,
    rules ? `rules ${hash(rules.text)}` : `rules ${rulesFault === undefined ? "none" : "that cannot be read"}`,
    ...instructionsFor(repoContext.context, component).map(
      ({ path, text }) => `${deps.markdown.code(path)} ${hash(text)}`,
    ),
  ];
}
