import { isUnfinished } from "../../base/action.ts";
import { phases } from "../../base/agent.ts";
import { loadTemplate } from "../../base/template.ts";
import type { Deps } from "../../features/context.ts";
import { lastConfirmed } from "../../features/incident/cause.ts";
import { namedCommand } from "../../features/incident/timeline.ts";
import { leaseStandingOf } from "../../features/proposal/lease.ts";
import { viewsOf } from "../../features/thread/views.ts";
import { leaseLine } from "../../github/render/board.ts";
import { name, utcMinute } from "../../github/render/ink.ts";
import { stateWords } from "../../github/render/state.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding, isWhole } from "../../store/holds.ts";
import type { Incident, Session } from "../../store/incidents.ts";
import { type Question, questionId, questionsOf } from "../../store/questions.ts";
import { type Turn, turnsOf } from "../../store/turns.ts";
import { proseWords } from "../../text/prose.ts";
import type { Call } from "../command.ts";

const handoverNote = loadTemplate("comments/handover.md");

type Views = Awaited<ReturnType<typeof viewsOf>>;
type Writer = Pick<Deps, "markdown">;

/** What whoever comes new must know: what is confirmed, what changed, was turned down or asked, what is under way, what is held. */
export async function renderHandover(
  tx: Tx,
  { deps, repoContext }: Call,
  given: { readonly incident: Incident; readonly session: Session; readonly what: string; readonly next: string },
): Promise<string> {
  const { incident, session, what, next } = given;
  const views = await viewsOf(tx, incident.id);
  const leased = await leaseStandingOf(deps, tx, repoContext, { incident });
  const standing = [
    ...(await holdsOn(tx, incident))
      .filter(isStanding)
      .map(
        (hold) =>
          `✋ ${isWhole(hold) ? "the whole repository is held" : "held"} by ${name(hold.login)} since ${utcMinute(hold.heldAt)}`,
      ),
    ...(leased.kind === "on" ? [`🤖 ${leaseLine(leased.lease)}`] : []),
  ];
  const { phase, confidence } = incident;
  // What is confirmed has a line of its own.
  const headline = confidence === "CONFIRMED" ? null : incident.headline;
  return handoverNote({
    what,
    next,
    state: `Phase ${phases.indexOf(phase) + 1} of ${phases.length}, ${phase} · step ${session.steps} of ${session.stepLimit}${headline === null ? "" : ` · the agent's last finding: ${deps.markdown.plain(proseWords(headline))}`}`,
    confirmed: confirmedText(await turnsOf(tx, incident.id), deps),
    changed: section("Changed", changedLines(views, deps), "Nothing so far."),
    refused: section("Turned down", refusedLines(views, deps)),
    asked: section(
      "Asked",
      (await questionsOf(tx, incident.id)).map((question) => askedLine(question, deps)),
    ),
    open: section("Under way", openLines(views, deps), "Nothing is open and nothing runs."),
    holds: standing.join(" · "),
  });
}

/** The newest are what matters most; the cards have them all. */
const shown = 8;

function section(title: string, lines: readonly string[], none = ""): string {
  if (lines.length === 0) return none === "" ? "" : `**${title}** · ${none}`;
  const left = lines.length - shown;
  const more = left > 0 ? [`- and ${left} before, on the cards above`] : [];
  return [`**${title}**`, "", ...more, ...lines.slice(-shown)].join("\n");
}

function confirmedText(turns: readonly Turn[], { markdown }: Writer): string {
  const confirmed = lastConfirmed(turns);
  if (!confirmed) return "**Confirmed** · Nothing yet.";
  return `**Confirmed** · ${markdown.plain(confirmed.words)} *(${confirmed.sure}, in the agent's words, not verified)*`;
}

const commandOf = (view: Views[number], { markdown }: Writer): string =>
  `- **${view.number}** ${namedCommand(view, markdown)} on ${markdown.code(view.spec.place)}`;

const changedLines = (views: Views, deps: Writer): readonly string[] =>
  views
    .filter(({ spec, state, runs }) => spec.risk !== "low" && state === "done" && runs.length > 0)
    .map((view) => `${commandOf(view, deps)} · ${stateWords(view, deps.markdown)}`);

const refusedLines = (views: Views, deps: Writer): readonly string[] =>
  views.flatMap((view) =>
    view.state === "rejected"
      ? view.verdicts
          .filter(({ verdict }) => verdict === "reject")
          .map(({ login, reason }) => {
            const why = reason === "" ? ", no reason given" : `: ${deps.markdown.plain(reason)}`;
            return `${commandOf(view, deps)} · by ${name(login)}${why}`;
          })
      : [],
  );

function askedLine(question: Question, { markdown }: Writer): string {
  const { text, answer, answeredByLogin } = question;
  const said =
    answer === null
      ? `no answer yet: \`/answer ${questionId(question)} <text>\``
      : `${markdown.plain(answer)} (${name(answeredByLogin ?? "ghost")})`;
  return `- **${questionId(question)}** ${markdown.plain(text)} · ${said}`;
}

const openLines = (views: Views, { markdown }: Writer): readonly string[] =>
  views
    .filter(isUnfinished)
    .map(
      (view) =>
        `- **${view.number}** ${markdown.plain(view.title)} on ${markdown.code(view.spec.place)} · ${stateWords(view, markdown)}`,
    );
