import type { Deps } from "../../features/context.ts";
import { heldWords, liftOf } from "../../features/incident/hold.ts";
import { changePillar } from "../../features/incident/open-close.ts";
import { shownNote } from "../../features/intake/note.ts";
import { hashBody } from "../../features/run/approval-comment.ts";
import { type AnswerOutcome, answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/post.ts";
import { sharedIdentity } from "../../features/turn/prompt.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import { suggestionLetters, suggestionLines } from "../../github/render/card.ts";
import { clock } from "../../github/render/ink.ts";
import { noteOf } from "../../slash/grammar.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { giveFeedback } from "../../store/feedback.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import {
  addSessionInstruction,
  type Incident,
  type Pillar,
  pillars,
  sessionOf,
  setIncident,
} from "../../store/incidents.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { awaitsMs, isAwaited, nothingAwaited, personPromptOf, setPersonPrompt } from "../../store/person-prompts.ts";
import { answerQuestion, questionId, questionsOf } from "../../store/questions.ts";
import { modelSteps, turnsOf } from "../../store/turns.ts";
import { redactMarkdown } from "../../text/bare.ts";
import { closedText } from "../answers.ts";
import type { Call, Handler } from "../command.ts";

/** Undefined if the agent takes a turn; otherwise says what to type next. */
export async function whyNoTurn(
  tx: Tx,
  { markdown }: Pick<Deps, "markdown">,
  incident: Incident,
): Promise<string | undefined> {
  const hold = (await holdsOn(tx, incident)).find(isStanding);
  if (hold) return `The agent is paused: ${markdown.plain(heldWords(hold))}. \`${liftOf(hold)}\` lifts the hold.`;
  const { steps, stepLimit } = modelSteps(await sessionOf(tx, incident.id), await turnsOf(tx, incident.id));
  return steps < stepLimit ? undefined : `The agent has used up its ${stepLimit} steps; \`/resume\` grants more.`;
}

/** The comment that reaches the agent with the command, so that it reads it once. Undefined if more stands above the line, e.g. a quote. */
export function toldBy({ slash, event: { comment } }: Pick<Call, "slash" | "event">): number | undefined {
  const isMention = slash.rest === comment.body;
  return isMention || comment.body.trimStart().startsWith("/") ? comment.id : undefined;
}

const maxQuestionCharacters = 4_000;

/** A bare `/ask` after a model failure. */
const goOn = "Go on: you could not be reached before.";

/** The agent's next turn answers. A single letter or number takes that suggestion of its newest reply (AR-21). */
export const ask: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { slash, deps, caller, event } = call;
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    if (incident.state === "closed")
      return mistake("This incident is closed, so the agent no longer answers here. Reopen the issue first.");
    // `2 servers are down` is a question.
    const numbers = slash.ids === "all" ? "all" : slash.ids.map(({ number }) => number).join(" ");
    const typed = [numbers, noteOf(slash)]
      .filter((part) => part !== "")
      .join(" ")
      .trim();
    const letter = suggestionLetters.indexOf(typed.toLowerCase());
    const number = typed.length === 1 && letter >= 0 ? letter + 1 : /^\d{1,6}$/.test(typed) ? Number(typed) : undefined;
    let text: string | undefined;
    if (typed === "" || number !== undefined) {
      const newest = (await turnsOf(tx, incident.id)).at(-1);
      const suggestions = newest?.suggestions ?? [];
      const listed = suggestionLines(suggestions, deps.markdown).join(" · ");
      const offer = listed === "" ? "The agent's newest reply suggests nothing." : `It suggests: ${listed}`;
      text = number !== undefined ? suggestions[number - 1] : deps.ask && newest?.offline ? goOn : undefined;
      if (text === undefined)
        return mistake(
          number === undefined
            ? `What do you want to ask? Write it after \`/ask\`. ${offer}`
            : `The agent's newest reply has no suggestion **${typed.toLowerCase()}**. ${offer}`,
        );
    }
    const stopped = await whyNoTurn(tx, deps, incident);
    if (stopped !== undefined) return mistake(stopped);
    if (text === undefined) {
      text = redactMarkdown(deps.redact, typed).trim();
      if (text === "")
        return mistake("I cannot read any of that. Write what you want to know in plain words after `/ask`.");
      if (text.length > maxQuestionCharacters) {
        const [length, most] = [text.length, maxQuestionCharacters].map((one) => one.toLocaleString("en"));
        return mistake(
          `That question has ${length} characters, and the agent is asked at most ${most} at a time. Shorten it, or put the rest into a comment: it reads those too.`,
        );
      }
    }
    const by = { id: caller.id, login: caller.login };
    const body = { by, commentId: event.comment.id, suggestion: number ?? null };
    await appendAudit(tx, { kind: "agent_asked", incidentId: incident.id, body });
    const person = { personId: caller.id, login: caller.login };
    await enqueueTurn(tx, deps, incident, { kind: "asked", ...person, text, told: toldBy(call) });
    const doing = number === undefined ? "" : `, suggestion ${suggestionLetters[number - 1]}: ${text}`;
    await show(tx, deps, incident, `answering ${caller.login}${doing}`);
    await answer(tx, call, incident, { outcome: "done" });
  });

const maxAnswerCharacters = 4_000;

/** The agent's next turn continues with the answer (AR-13). */
export const answerTheQuestion: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { slash, deps, caller, event } = call;
    const { plain, code } = deps.markdown;
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    const questions = await questionsOf(tx, incident.id);
    const open = questions.filter(({ answeredAt }) => answeredAt === null);
    const waiting =
      open.length === 0
        ? "No question is open right now; `/ask` tells the agent anything else."
        : `Open right now: ${open.map((one) => `**${questionId(one)}** ${plain(one.text)}`).join(" · ")}`;
    const digits = /^q(\d{1,6})$/i.exec(slash.words[0] ?? "")?.[1];
    const named = slash.ids === "all" ? undefined : (slash.ids[0]?.number ?? (digits && Number(digits)));
    if (named === undefined) return mistake(`Which question? Write \`/answer q1 yes\`. ${waiting}`);
    const question = questions.find(({ number }) => number === named);
    if (!question) return mistake(`There is no question **q${named}** here. ${waiting}`);
    if (question.answeredAt) {
      const said = plain(question.answer ?? "");
      return mistake(
        `**q${named}** was already answered by ${code(`@${question.answeredByLogin}`)}: ${said}. ${waiting}`,
      );
    }
    const typed = shownNote(call, slash.ids.length > 0 ? 0 : 1);
    if (typed === "")
      return mistake(`What is the answer? Write \`/answer q${named} yes\`, \`no\`, \`skip\` or any text after it.`);
    // The question stays open until the agent can go on.
    if (incident.state === "closed")
      return mistake("This incident is closed, so the agent does not go on. Reopen the issue, then answer again.");
    const stopped = await whyNoTurn(tx, deps, incident);
    if (stopped !== undefined) return mistake(`${stopped} Then answer again: \`/answer q${named} …\``);

    const text = typed.slice(0, maxAnswerCharacters).toWellFormed();
    const told = typed.length <= maxAnswerCharacters ? toldBy(call) : undefined;
    const person = { id: caller.id, login: caller.login };
    const commentId = event.comment.id;
    const answered = await answerQuestion(tx, question, { answer: text, person, commentId, at: deps.now() });
    if (!answered) throw new Error(`${questionId(question)} was answered while its incident was locked`);
    await appendAudit(tx, {
      kind: "question_answered",
      incidentId: incident.id,
      body: { number: question.number, by: { ...person, role: caller.role }, commentId, answer: text },
    });
    await enqueueTurn(tx, deps, incident, { kind: "answered", personId: caller.id, number: question.number, told });
    await show(tx, deps, incident, `going on with the answer to ${questionId(question)}`);
    await answer(tx, call, incident, { outcome: "done" });
  });

const maxNoteCharacters = 4_000;

/**
 * Makes an issue an incident, even without the label. The note holds for the session (S13.4); on an existing incident the agent looks
 * again.
 */
export const investigate: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, caller, event } = call;
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    if (!event.open) return mistake("This issue is closed. Reopen it first, then comment `/investigate`.");
    const note = shownNote(call);
    if (note.length > maxNoteCharacters) {
      const length = note.length.toLocaleString("en");
      return mistake(
        `That note has ${length} characters, and the agent is told at most ${maxNoteCharacters.toLocaleString("en")} at a time. Shorten it, or put the rest into a comment: it reads those too.`,
      );
    }
    const reopened = incident.state === "closed";
    if (reopened) await setIncident(tx, incident.id, { state: "open", closedAt: null, byHand: true });
    if (note !== "") await addSessionInstruction(tx, incident.id, { source: `@${caller.login}`, text: note });
    await appendAudit(tx, {
      kind: "investigation_asked",
      incidentId: incident.id,
      body: { by: { id: caller.id, login: caller.login }, commentId: event.comment.id, note, reopened },
    });
    const now: Incident = { ...incident, state: "open" };
    const stopped = await whyNoTurn(tx, deps, now);
    if (stopped) {
      await show(tx, deps, now);
      const body = note === "" ? stopped : `${stopped} Your note is kept and goes with its next turn.`;
      return answer(tx, call, incident, { outcome: note === "" ? "mistake" : "done", body });
    }
    await enqueueTurn(tx, deps, now, {
      kind: "investigated",
      personId: caller.id,
      login: caller.login,
      noted: note !== "",
    });
    await show(tx, deps, now, "reading the incident");
    await answer(tx, call, incident, { outcome: "done" });
  });

export const pillarMeanings = {
  troubleshoot: "the agent looks for the cause first",
  revive: "the agent restores service first and looks for the cause after",
} as const satisfies Record<Pillar, string>;

/** Changes the prompt, but no permission (AR-16). */
export const pillar: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, caller, slash } = call;
    const now = (await sessionOf(tx, incident.id)).pillar;
    const wanted = pillars.find((one) => one === slash.words[0]?.toLowerCase());
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    if (!wanted) {
      const choice = pillars.map((one) => `\`/pillar ${one}\` (${pillarMeanings[one]})`).join(" or ");
      return mistake(`It is **${now}** now. Write ${choice}.`);
    }
    if (wanted === now) return mistake(`It is **${now}** already: ${pillarMeanings[now]}.`);
    if (incident.state === "closed") return mistake(closedText);
    const means = { commentId: call.event.comment.id };
    await changePillar(tx, incident, wanted, { person: caller, means });
    await show(tx, deps, incident);
    await answer(tx, call, incident, {
      outcome: "done",
      body: `**${wanted}** from the next turn on: ${pillarMeanings[wanted]}. Permissions are unchanged.`,
    });
  });

const maxCharacters = 4_000;
const how = "They apply to the turns that your own comments start.";
const subcommands = ["show", "set", "reset", "update", "cancel"] as const;

/** Sets part 1 of the prompt for the turns this person starts (PA-2). */
export const prompt: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, caller, slash, event } = call;
    const reply = (outcome: AnswerOutcome, body: string) => answer(tx, call, incident, { outcome, body });
    const word = slash.words[0]?.toLowerCase();
    const own = await personPromptOf(tx, caller.id);
    const hasOwn = own !== undefined && own.text.trim() !== "";
    const current = (): string => {
      if (hasOwn) return `Your own instructions:\n\n${deps.markdown.fence(own.text, "text")}\n\n${how}`;
      const { text } = sharedIdentity(deps.config);
      return `You have no instructions of your own, so the default applies:\n\n${deps.markdown.fence(text.trim(), "text")}\n\n\`/prompt set <text>\` replaces it: your text applies to the turns that your own comments start.`;
    };
    const written = { incidentId: incident.id, commentId: event.comment.id, writtenAt: event.comment.createdAt };
    switch (subcommands.find((one) => one === word)) {
      case "show":
        return reply("done", current());
      case "set": {
        const text = redactMarkdown(deps.redact, noteOf(slash, 1)).trim();
        const stays = hasOwn ? "yours is unchanged" : "the default applies";
        if (text === "")
          return reply(
            "mistake",
            `No text was given; ${stays}. Write it after \`/prompt set\` or below it; \`/prompt reset\` goes back to the default.`,
          );
        if (text.length > maxCharacters) {
          const [length, most] = [text.length, maxCharacters].map((one) => one.toLocaleString("en"));
          return reply("mistake", `That has ${length} characters, and your instructions can have ${most}; ${stays}.`);
        }
        await keepPrompt(tx, call, text);
        return reply("done", `Saved as your own instructions. ${how} \`/prompt show\` shows it.`);
      }
      case "reset":
        if (!hasOwn) return reply("mistake", "You have no instructions of your own; the default applies.");
        await keepPrompt(tx, call, "");
        return reply("done", "The default applies again to the turns that your comments start.");
      case "update": {
        await setPersonPrompt(tx, caller, {
          awaitsIncident: incident.id,
          awaitsAfter: written.commentId,
          awaitsSince: written.writtenAt,
        });
        const until = clock(new Date(event.comment.createdAt.getTime() + awaitsMs));
        const next = `Until ${until}, your next comment here becomes your instructions; \`/prompt cancel\` calls that off. A slash command is never used as the text.`;
        return reply("done", `${current()}\n\n${next}`);
      }
      case "cancel": {
        const waits = isAwaited(own, written);
        await setPersonPrompt(tx, caller, nothingAwaited);
        return waits
          ? reply("done", "Canceled: your instructions are unchanged.")
          : reply("mistake", "No comment of yours is waited for here; nothing was changed.");
      }
      case undefined: {
        const names = subcommands.map((one) => `\`/prompt ${one}${one === "set" ? " <text>" : ""}\``);
        return reply("mistake", `What about it? Write ${names.join(", ")}.`);
      }
    }
  });

async function keepPrompt(tx: Tx, { caller, event, incident }: Call, text: string): Promise<void> {
  await setPersonPrompt(tx, caller, { text, ...nothingAwaited });
  await appendAudit(tx, {
    kind: "prompt_changed",
    incidentId: incident.id,
    body: {
      by: { id: caller.id, login: caller.login, role: caller.role },
      commentId: event.comment.id,
      characters: text.length,
      sha256: hashBody(text),
    },
  });
}

const maxFeedbackCharacters = 1_000;

/** Rates the agent's newest reply (AR-10), even on a closed incident; a person's last verdict counts. */
export const feedback: Handler = (call) => call.commit((tx, incident) => give(tx, call, incident));

async function give(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, slash, caller, event } = call;
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  const verdict = verdicts.get(slash.words[0]?.toLowerCase() ?? "");
  if (!verdict)
    return mistake("Was it useful? Write `/feedback up` or `/feedback down`, with a note after it if you like.");
  const last = (await turnsOf(tx, incident.id)).at(-1);
  if (!last) return mistake("The agent has not replied here yet. Write `/feedback` again when it has.");
  const note = shownNote(call, 1);
  if (note.length > maxFeedbackCharacters)
    return mistake(`That note has ${note.length.toLocaleString("en")} characters; 1,000 are kept. Shorten it.`);
  const session = await sessionOf(tx, incident.id);
  const person = { id: caller.id, login: caller.login };
  const slot = slots.card(last.step);
  await giveFeedback(tx, session.id, { source: "command", slot, verdict, note, person, at: deps.now() });
  await appendAudit(tx, {
    kind: "feedback_given",
    incidentId: incident.id,
    body: { by: person, commentId: event.comment.id, step: last.step, verdict, note },
  });
  await answer(tx, call, incident, { outcome: "done" });
}

const verdicts: ReadonlyMap<string, "up" | "down"> = new Map([
  ["up", "up"],
  ["👍", "up"],
  ["down", "down"],
  ["👎", "down"],
]);
