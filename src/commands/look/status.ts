import { createHash } from "node:crypto";
import { isUnfinished } from "../../base/action.ts";
import { phases } from "../../base/agent.ts";
import { loginForm } from "../../base/github.ts";
import { loadTemplate, readTemplate } from "../../base/template.ts";
import { polls, takesWebhooks } from "../../config/values.ts";
import { askPager, type PagerAsk } from "../../features/alert/take-alert.ts";
import type { Deps } from "../../features/context.ts";
import { lastConfirmed } from "../../features/incident/cause.ts";
import { standingOf } from "../../features/incident/hold.ts";
import { namedCommand } from "../../features/incident/postmortem.ts";
import { onCallLine, onCallNow } from "../../features/oncall/call.ts";
import { placeRows, policyWords } from "../../features/proposal/in-force.ts";
import { leaseStandingOf } from "../../features/proposal/lease.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/post.ts";
import { type DrawnAction, viewsOf } from "../../features/thread/views.ts";
import { instructionsFor, readComponent } from "../../features/turn/prompt.ts";
import { leaseLine, stepWords } from "../../github/render/board.ts";
import { inTellingOrder, renderHypothesis } from "../../github/render/hypotheses.ts";
import { duration, name, renderNote, utcMinute } from "../../github/render/ink.ts";
import { stateWords } from "../../github/render/state.ts";
import type { Action } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding, isWhole } from "../../store/holds.ts";
import { hypothesesOf } from "../../store/hypotheses.ts";
import { type Incident, type Session, sessionOf, setSession } from "../../store/incidents.ts";
import { polledAt } from "../../store/poll.ts";
import { questionId, questionsOf } from "../../store/questions.ts";
import { modelSteps, turnsOf } from "../../store/turns.ts";
import { proseWords } from "../../text/prose.ts";
import { closedText } from "../answers.ts";
import type { Call, Handler } from "../command.ts";
import { pillarMeanings } from "../steer/agent.ts";

/** Shows state, cost, the agent's texts, and approvers (INJ-6). */
export const status: Handler = async (call) => {
  const { deps, repoContext } = call;
  // Before the transaction, because the calendar may not answer.
  const onCall = await onCallNow(deps, repoContext);
  const component = await readComponent(deps, repoContext, call.incident);
  await call.commit(async (tx, incident) => {
    const { plain, code, note } = deps.markdown;
    const session = await sessionOf(tx, incident.id);
    const steps = stepWords(modelSteps(session, await turnsOf(tx, incident.id)));
    const standing = await standingOf(deps, tx, incident);
    const actions = await viewsOf(tx, incident.id);
    const isUnknown = ({ runs }: DrawnAction): boolean => runs.some(({ ending }) => ending?.kind === "unknown");
    const listOf = (what: string, those: readonly DrawnAction[]): readonly string[] =>
      those.length === 0 ? [] : [`- ${what}: ${those.map(({ number }) => number).join(", ")}`];
    const numbersIn = (what: string, ...states: readonly Action["state"][]): readonly string[] =>
      listOf(
        what,
        actions.filter((action) => states.includes(action.state) && !isUnknown(action)),
      );
    const age = duration(deps.now().getTime() - incident.createdAt.getTime());
    const { approvers } = repoContext.rules.policy;
    const who = [...approvers.teams.map(code), ...approvers.users.map((user) => name(user.login))];
    const holder = session.userLogin === incident.openerLogin ? "" : `, with ${name(session.userLogin)}`;
    const lift = standing.kind === "stopped" && standing.lift ? `, \`${standing.lift}\`` : "";
    const polled = await polledAt(tx, incident.repo);
    const behindMs = Math.max(0, deps.now().getTime() - (polled?.getTime() ?? 0));
    const behind = behindMs < 60_000 ? `${Math.ceil(behindMs / 1_000)} s` : duration(behindMs);
    const figure = (n: number): string => n.toLocaleString("en");
    const { inputTokens, outputTokens, toolCalls } = session;
    const limit = figure(deps.config.model.budget.tokensPerIncident);
    const took = `${figure(toolCalls)} tool call${toolCalls === 1 ? "" : "s"}, ${duration(session.durationMs)}`;
    const { rules, rulesFault } = repoContext.context;
    // To compare incidents.
    const hash = (text: string): string => code(createHash("sha256").update(text).digest("hex").slice(0, 12));
    const texts = [
      `instructions ${hash(readTemplate("instructions.md"))}`,
      rules ? `rules ${hash(rules.text)}` : `rules ${rulesFault === undefined ? "none" : "that cannot be read"}`,
      ...instructionsFor(repoContext.context, component).map(({ path, text }) => `${code(path)} ${hash(text)}`),
    ];
    const body = [
      `**${incident.state}** for ${age} · phase ${phases.indexOf(incident.phase) + 1} of ${phases.length}, ${incident.phase}${steps}${standing.kind === "stopped" ? ` · ✋ ${plain(standing.words)}${lift}` : ""}`,
      "",
      ...numbersIn("waiting for approval", "proposed"),
      ...numbersIn("approved, next in line", "approved"),
      ...numbersIn("running", "dispatching", "running"),
      ...numbersIn("done", "done"),
      ...listOf("❓ UNKNOWN, look at the server first", actions.filter(isUnknown)),
      `- can approve: ${who.join(", ") || "nobody, `policy.approvers` is empty"}${deps.config.execution.enabled ? "" : "; nothing runs, this bot only proposes (`execution.enabled: false`)"}`,
      ...placeRows(repoContext.rules, deps.now())
        .filter(({ policy }) => policy.rules.length > 0)
        .map(({ names, policy }) => `- on ${names.map(code).join(", ")}: ${policyWords(policy, code)}`),
      `- servers: ${repoContext.rules.servers.map((server) => code(server.name)).join(", ") || "none"}`,
      ...(onCall.kind === "unset" ? [] : [`- ${onCall.kind === "unreadable" ? "⚠️ " : ""}${note(onCallLine(onCall))}`]),
      ...(polls(deps.config)
        ? [
            `- listening ${takesWebhooks(deps.config) ? "by webhooks and polling" : "by polling"}, ${polled === undefined ? "nothing read yet" : `${behind} behind`}`,
          ]
        : []),
      `- model: ${deps.ask ? `${figure(inputTokens)} tokens in, ${figure(outputTokens)} out, of ${limit} for this incident; ${took}` : "none, the offline responder answers"}`,
      `- session ${code(session.id)}, opened by ${name(incident.openerLogin)}${holder}; ${pillarMeanings[session.pillar]}`,
      `- read from the repository at ${code(repoContext.context.commit?.slice(0, 7) ?? "an empty branch")}: ${texts.join(", ")}`,
      ...component.folders.map((folder) => `- about the component ${code(folder)}`),
      ...[...component.notes, ...repoContext.rules.notes].map((one) => `- ${renderNote(one, deps.markdown)}`),
    ].join("\n");
    await answer(tx, call, incident, { outcome: "done", body });
  });
};

const handoverNote = loadTemplate("comments/handover.md");
const loginPattern = new RegExp(`^@(${loginForm})$`, "i");

/** Tells the alert's pager that somebody is on it. */
export const ack: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, caller } = call;
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    if (incident.state === "closed") return mistake(closedText);
    const asked = await askPager(tx, deps, incident, { told: "acknowledge", login: caller.login });
    if (asked !== "asked") return mistake(whyNotAsked[asked]);
    await show(tx, deps, incident);
    // The board says what the pager answers.
    await answer(tx, call, incident, { outcome: "done" });
  });

const whyNotAsked: Readonly<Record<Exclude<PagerAsk, "asked">, string>> = {
  "no pager": "No pager hears back from this issue: its alert's source has no `answer`, or people opened it.",
  "not firing": "The alert has resolved, so its pager has nothing to hear.",
  "told before": "The pager has been told of this alert already; the board says when, and by whom.",
};

/** Offers the incident to another person, who takes it with a comment. Being named grants no rights. */
export const handover: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, caller, event, slash } = call;
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    if (incident.state === "closed") return mistake(closedText);
    const session = await sessionOf(tx, incident.id);
    const { userLogin: holder, offeredTo } = session;
    const holds = `The incident is with ${name(holder)}${offeredTo === null ? "" : `, offered to ${name(offeredTo)}`}.`;
    const [word = "", ...more] = slash.words;
    const to = loginPattern.exec(word)?.[1] ?? caller.login;
    const about = {
      incidentId: incident.id,
      body: {
        from: holder,
        to,
        by: { id: caller.id, login: caller.login, role: caller.role },
        commentId: event.comment.id,
      },
    };

    if (loginPattern.test(word)) {
      const isCaller = isSame(to, caller.login);
      if (isSame(to, holder))
        return mistake(
          isCaller
            ? "You already have this incident. To hand it over: `/handover @login`"
            : `${name(holder)} already has it. To hand it to somebody else: \`/handover @login\``,
        );
      if (isCaller)
        return mistake(
          offeredTo !== null && isSame(offeredTo, to)
            ? "You were already asked to take this incident. To take it: `/handover accept`"
            : `Nothing was handed over: you named yourself. ${holds} Somebody else can offer it to you: \`/handover @${caller.login}\``,
        );
      await setSession(tx, incident.id, { offeredTo: to });
      await appendAudit(tx, { kind: "handover_offered", ...about });
      const body = await renderHandover(tx, call, {
        incident,
        session,
        what: `${name(to)}, ${name(caller.login)} would like to hand this incident over to you.`,
        next: `Comment \`/handover accept\` to take it, or \`/handover decline\` (needs write access here). Until then it stays with ${name(holder)}.`,
      });
      return answer(tx, call, incident, { outcome: "done", body });
    }

    const reply = more.length === 0 ? word.toLowerCase() : "";
    if (reply !== "accept" && reply !== "decline") return mistake(`To whom? Write \`/handover @login\`. ${holds}`);
    if (offeredTo === null) return mistake(`Nobody was asked to take this over. ${holds}`);
    if (!isSame(offeredTo, caller.login)) return mistake(`It is ${name(offeredTo)} who was asked. ${holds}`);
    if (reply === "decline") {
      await setSession(tx, incident.id, { offeredTo: null });
      await appendAudit(tx, { kind: "handover_declined", ...about });
      const body = `${name(caller.login)} cannot take it; the incident stays with ${name(holder)}.`;
      return answer(tx, call, incident, { outcome: "done", body });
    }
    await setSession(tx, incident.id, { userId: caller.id, userLogin: caller.login, offeredTo: null });
    await appendAudit(tx, { kind: "handover_accepted", ...about });
    await show(tx, deps, incident);
    const body = await renderHandover(tx, call, {
      incident,
      session,
      what: `${name(caller.login)} has this incident now, from ${name(holder)}.`,
      next: "Permissions are unchanged.",
    });
    await answer(tx, call, incident, { outcome: "done", body });
  });

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

type Views = Awaited<ReturnType<typeof viewsOf>>;
type Writer = Pick<Deps, "markdown">;

async function renderHandover(
  tx: Tx,
  { deps, repoContext }: Call,
  {
    incident,
    session,
    what,
    next,
  }: { readonly incident: Incident; readonly session: Session; readonly what: string; readonly next: string },
): Promise<string> {
  const views = await viewsOf(tx, incident.id);
  const leased = await leaseStandingOf(deps, tx, repoContext, { incident });
  const standing = [
    ...(await holdsOn(tx, incident))
      .filter(isStanding)
      .map(
        (hold) =>
          `${isWhole(hold) ? "the whole repository is held" : "held"} by ${name(hold.login)} since ${utcMinute(hold.heldAt)}`,
      ),
    ...(leased.kind === "on" ? [`${leaseLine(leased.lease, deps.markdown)}`] : []),
  ];
  const turns = await turnsOf(tx, incident.id);
  const cause = lastConfirmed(turns);
  const { phase, confidence } = incident;
  const headline = confidence === "CONFIRMED" ? null : incident.headline;
  return handoverNote({
    what,
    next,
    state: `Phase ${phases.indexOf(phase) + 1} of ${phases.length}, ${phase}${stepWords(modelSteps(session, turns))}${headline === null ? "" : ` · the agent's last finding: ${deps.markdown.plain(proseWords(headline))}`}`,
    hypotheses: section(
      "Hypotheses",
      inTellingOrder(await hypothesesOf(tx, incident.id))
        .slice(0, shown)
        .map((one) => renderHypothesis(one, deps.markdown)),
    ),
    confirmed: cause
      ? `**Confirmed** · ${deps.markdown.plain(cause.words)} *(${cause.sure}, in the agent's words, not verified)*`
      : "**Confirmed** · Nothing yet.",
    changed: section(
      "Changed",
      views
        .filter(({ spec, state, runs }) => spec.risk !== "low" && state === "done" && runs.length > 0)
        .map((view) => `${commandOf(view, deps)} · ${stateWords(view, deps.markdown)}`),
      "Nothing so far.",
    ),
    refused: section(
      "Turned down",
      views.flatMap((view) =>
        view.state === "rejected"
          ? view.verdicts
              .filter(({ verdict }) => verdict === "reject")
              .map(({ login, reason }) => {
                const why = reason === "" ? ", no reason given" : `: ${deps.markdown.plain(reason)}`;
                return `${commandOf(view, deps)} · by ${name(login)}${why}`;
              })
          : [],
      ),
    ),
    asked: section(
      "Asked",
      (await questionsOf(tx, incident.id)).map((question) => {
        const { markdown } = deps;
        const { text, answer, answeredByLogin } = question;
        const said =
          answer === null
            ? `no answer yet: \`/answer ${questionId(question)} <text>\``
            : `${markdown.plain(answer)} (${name(answeredByLogin ?? "ghost")})`;
        return `- **${questionId(question)}** ${markdown.plain(text)} · ${said}`;
      }),
    ),
    open: section("Under way", openLines(views, deps), "Nothing is open and nothing runs."),
    holds: standing.join(" · "),
  });
}

/** The cards have all lines. */
const shown = 8;

function section(title: string, lines: readonly string[], none = ""): string {
  if (lines.length === 0) return none === "" ? "" : `**${title}** · ${none}`;
  const left = lines.length - shown;
  const more = left > 0 ? [`- and ${left} before, on the cards above`] : [];
  return [`**${title}**`, "", ...more, ...lines.slice(-shown)].join("\n");
}

const commandOf = (view: Views[number], { markdown }: Writer): string =>
  `- **${view.number}** ${namedCommand(view, markdown)} on ${markdown.code(view.spec.place)}`;

const openLines = (views: Views, { markdown }: Writer): readonly string[] =>
  views
    .filter(isUnfinished)
    .map(
      (view) =>
        `- **${view.number}** ${markdown.plain(view.title)} on ${markdown.code(view.spec.place)} · ${stateWords(view, markdown, views)}`,
    );
