import { rightsOf } from "../../approval/rights.ts";
import { parseDuration } from "../../base/duration.ts";
import { capital } from "../../base/errors.ts";
import { defaultSpanMs, fetchIncidentChanges, untoldChanges } from "../../features/changes/read-changes.ts";
import { calleesOf, hookNames, type OnCallNow, onCallLine, onCallNow } from "../../features/oncall/call.ts";
import { placeRows, policyWords } from "../../features/proposal/in-force.ts";
import { answer } from "../../features/thread/answer.ts";
import { toolSummary } from "../../features/turn/turn-tools.ts";
import { onCallPath } from "../../github/context/plan.ts";
import { isAway } from "../../github/outcome.ts";
import { renderChanges } from "../../github/render/changes.ts";
import { clock, duration, name, paragraphs } from "../../github/render/ink.ts";
import { readSkills } from "../../runbooks/skills.ts";
import type { Audience } from "../../slash/verbs.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { type IncidentChanges, keepChanges } from "../../store/incidents.ts";
import type { Handler } from "../command.ts";

/** Says what the bot knows about the caller and their rights, and why. */
export const whoami: Handler = (call) =>
  call.commit((tx, incident) => {
    const { caller, rights, repoContext, deps } = call;
    const { code } = deps.markdown;
    const { users } = repoContext.rules.policy.approvers;
    const teams = caller.teams.map(code).join(", ");
    const listed = users.some(({ id }) => id === caller.id) ? "you are named in `policy.approvers`" : "";
    const why = [listed, teams === "" ? "" : `you are in ${teams}`].filter((part) => part !== "").join(" and ");
    const line = (may: Audience, what: string, because: string): string =>
      `- ${rights[may] ? "✅" : "❌"} ${what}: ${because}`;
    const body = [
      `You are ${name(caller.login)}, GitHub ID ${code(String(caller.id))}, with the role **${caller.role}** here${teams === "" ? "" : `, in ${teams}`}.`,
      "",
      line("see", "follow along", `needs read access; you have ${caller.role}`),
      line("act", "propose, hold, close", `needs write access; you have ${caller.role}`),
      line("approve", "approve", rights.approve ? why : rights.missing),
      ...placeRows(repoContext.rules, deps.now())
        .filter(({ policy }) => policy.rules.length > 0)
        .map(({ names, policy }) => {
          const may = rightsOf(policy.approvers, { ...caller, person: caller });
          return `- ${may.approve ? "✅" : "❌"} approve on ${names.map(code).join(", ")}: ${policyWords(policy, code)}`;
        }),
      "",
      "As GitHub reports it right now. `/help` lists the commands.",
    ].join("\n");
    return answer(tx, call, incident, { outcome: "done", body });
  });

/** Lists servers without address, user or key (PA-8). */
export const servers: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { code, plain } = call.deps.markdown;
    const lines = call.repoContext.rules.servers.map(toolSummary).map(({ name, os, groups, description }) => {
      const parts = [code(name), os === "auto" ? "" : os, groups.map(code).join(", "), plain(description)];
      return `- ${parts.filter((part) => part !== "").join(" · ")}`;
    });
    const body =
      lines.length === 0
        ? "This repository may use no server: the operator has named none for it."
        : `Servers you can name: server · system · groups · description\n\n${lines.join("\n")}`;
    await answer(tx, call, incident, { outcome: "done", body });
  });

/** Says who is called, in which order, and why. */
export const oncall: Handler = async (call) => {
  const { deps, repoContext, incident } = call;
  const { note } = deps.markdown;
  const onCall = await onCallNow(deps, repoContext);
  const callees = onCall.kind === "known" ? await calleesOf(deps, incident, repoContext, onCall.roster) : [];
  const barred = callees.filter(({ missing }) => missing !== "").map(({ login }) => name(login));
  const { lowMs, mediumMs, highMs } = repoContext.rules.policy.escalate.after;
  const [low, medium, high] = [duration(lowMs), duration(mediumMs), duration(highMs)];
  const { hook } = deps.config.oncall;
  const last = hook ? hookNames[hook.kind] : "everybody who may approve";
  const order = {
    known: `When a command waits for an approval, whoever is on call is called at once, the next after ${medium} without an answer (low risk ${low}, high ${high}), then ${last}.`,
    unreadable: `When a command waits for an approval, ${last} is called at once.`,
    unset: hook ? `When a command waits for ${medium} (low risk ${low}, high ${high}), ${last} is called.` : "",
  }[onCall.kind];
  const body = paragraphs(
    note(capital(onCallLine(onCall))),
    note(sourceWords(onCall)),
    barred.length === 0 ? "" : `⚠️ ${barred.join(", ")} may not approve here and so is not called.`,
    order,
  );
  await call.commit((tx, incident) => answer(tx, call, incident, { outcome: "done", body }));
};

/** The source of `onCallLine`. */
function sourceWords(onCall: OnCallNow): string {
  if (onCall.kind === "unset") return `Set it in the repository's \`${onCallPath}\` or the operator's calendar.`;
  if (onCall.kind === "unreadable") return "";
  if (onCall.source === "rotation") return `By the rotation in \`${onCallPath}\`.`;
  return `By the operator's calendar${onCall.readAt ? `, read at ${clock(onCall.readAt)}` : ""}.`;
}

/** The rest is counted. */
const shown = 50;
const descriptionCharacters = 200;

/** Lists the runbooks, and the mistakes in broken ones (OP-3). */
export const skills: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, repoContext } = call;
    const { code, note, plain } = deps.markdown;
    const { skills, problems } = readSkills(repoContext.context.skills);
    const off = deps.config.features.skills ? [] : ["Skills are switched off (`features.skills`); these lie ready:"];
    const shorten = (text: string): string =>
      text.length > descriptionCharacters ? `${text.slice(0, descriptionCharacters)}…` : text;
    const good = skills.map(({ name, description }) => `- ${code(name)} · ${plain(shorten(description))}`);
    const faulty = problems.map(
      ({ place, message, remedy }) => `- ⚠️ ${code(place)} ${note(message)}${remedy ? `; ${note(remedy)}` : ""}`,
    );
    const body = [
      ...off,
      good.length === 0 ? "There is no skill that can be used: `.github/skills/<name>/SKILL.md`." : firstOf(good),
      ...(faulty.length === 0 ? [] : [`**To fix**\n\n${firstOf(faulty)}`]),
    ].join("\n\n");
    await answer(tx, call, incident, { outcome: "done", body });
  });

const firstOf = (lines: readonly string[]): string =>
  [...lines.slice(0, shown), ...(lines.length > shown ? [`- and ${lines.length - shown} more`] : [])].join("\n");

/** Shows the agent's whole plan; the board has what is to do (OP-6). */
export const plan: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps } = call;
    const none = deps.config.features.planning
      ? "The agent has written no plan here yet; the board shows which phase it is in."
      : "Plans are switched off here (`features.planning`).";
    const body = incident.plan === "" ? none : `**Plan** · the agent's, not verified\n\n${incident.plan}`;
    await answer(tx, call, incident, { outcome: incident.plan === "" ? "mistake" : "done", body });
  });

const longestMs = 7 * 86_400_000;

/** Lists changes before the incident, live from GitHub, without a model. */
export const changes: Handler = async (call) => {
  const { deps, slash } = call;
  const mistake = (body: string): Promise<void> =>
    call.commit((tx, incident) => answer(tx, call, incident, { outcome: "mistake", body }));
  const known = Object.keys(deps.config.context.services);
  const names = known.map(deps.markdown.code).join(", ");
  if (known.length === 0)
    return mistake("No services are set up here. Ask the operator to name them in `context.services`.");
  const times = slash.words.flatMap((word) => parseDuration(word.toLowerCase()) ?? []);
  const named = slash.words.filter((word) => parseDuration(word.toLowerCase()) === undefined);
  const [spanMs = defaultSpanMs, another] = times;
  const strange = named.find((word) => !known.includes(word));
  if (strange !== undefined || another !== undefined || spanMs <= 0 || spanMs > longestMs)
    return mistake(`Write \`/changes 2h\`, at most 7d, with a service or without. Services here: ${names}.`);
  const chosen = { named: named.length > 0 ? named : undefined };
  const seen = await fetchIncidentChanges(deps, call.incident, spanMs, chosen).catch((error) => {
    if (!isAway(error)) throw error;
  });
  if (!seen) return mistake("GitHub does not answer at the moment. To try again: `/changes`.");
  if (seen.services.length === 0)
    return mistake(
      `This issue names no service that I know. Name one: \`/changes ${known[0]}\`. Services here: ${names}.`,
    );
  await call.commit(async (tx, incident) => {
    // The agent's next turn reads it too.
    const untold = untoldChanges(await partsOf(tx, incident.id, "repoChanges"));
    if (incident.state === "open") await keepChanges(tx, incident.id, joinChanges(untold, seen));
    await answer(tx, call, incident, {
      outcome: "done",
      body: renderChanges({ ...seen, openedAt: incident.createdAt }, deps.markdown),
    });
  });
};

/** Joins the unread changes with those read since, so that neither is lost. */
const joinChanges = (before: IncidentChanges | undefined, seen: IncidentChanges): IncidentChanges =>
  before === undefined
    ? seen
    : {
        since: new Date(Math.min(before.since.getTime(), seen.since.getTime())),
        until: new Date(Math.max(before.until.getTime(), seen.until.getTime())),
        services: [...new Set([...seen.services, ...before.services])],
        changes: [
          ...new Map(
            [...before.changes, ...seen.changes].map((one) => [
              JSON.stringify([one.at, one.repo, one.url, one.title]),
              one,
            ]),
          ).values(),
        ].toSorted((a, b) => b.at.localeCompare(a.at)),
        unseen: [...new Set([...before.unseen, ...seen.unseen])],
      };
