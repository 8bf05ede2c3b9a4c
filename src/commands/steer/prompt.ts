import { hashBody } from "../../features/run/approval-comment.ts";
import { type AnswerOutcome, answer } from "../../features/thread/answer.ts";
import { sharedIdentity } from "../../features/turn/prompt.ts";
import { clock } from "../../github/render/ink.ts";
import { noteOf } from "../../slash/grammar.ts";
import { verbs } from "../../slash/verbs.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import {
  awaitPersonPrompt,
  awaitsMs,
  cancelPersonPrompt,
  isAwaited,
  type PersonPrompt,
  personPromptOf,
  setPersonPrompt,
} from "../../store/person-prompts.ts";
import { redactMarkdown } from "../../text/bare.ts";
import type { Call, Command } from "../command.ts";

const maxCharacters = 4_000;

interface Said {
  readonly outcome: AnswerOutcome;
  readonly body: string;
}
type Act = (
  tx: Tx,
  call: Call,
  given: { readonly incident: Incident; readonly own: PersonPrompt | undefined },
) => Promise<Said>;

const how = "It applies to the turns that your own comments start; part 2, how replies are read, is unchanged.";

const acts: Readonly<Record<string, Act>> = {
  show: async (_tx, call, { own }) => ({ outcome: "done", body: current(call, own) }),
  set: (tx, call, { own }) => set(tx, call, own, noteOf(call.slash, 1)),
  reset: async (tx, call, { own }) => {
    if (!own?.text.trim()) return { outcome: "mistake", body: "You have no part 1 of your own; the default applies." };
    await keep(tx, call, "");
    return { outcome: "done", body: "The default applies again to the turns that your comments start." };
  },
  update: async (tx, call, { incident, own }) => {
    const { caller, event } = call;
    await awaitPersonPrompt(tx, caller, written(call, incident));
    const until = clock(new Date(event.comment.createdAt.getTime() + awaitsMs));
    const next = `Your next comment here becomes it, until ${until}; \`/prompt cancel\` cancels that. A slash command is never taken as the text.`;
    return { outcome: "done", body: `${current(call, own)}\n\n${next}` };
  },
  cancel: async (tx, call, { incident, own }) => {
    const waits = isAwaited(own, written(call, incident));
    await cancelPersonPrompt(tx, call.caller);
    if (!waits) return { outcome: "mistake", body: "No comment of yours is waited for here; nothing was changed." };
    return { outcome: "done", body: "Canceled: your part 1 is unchanged." };
  },
};

/** A person's own part 1 of the prompt: how the agent behaves in the turns that they start (PA-2). */
export const prompt: Command = {
  ...verbs.prompt,
  summary: "your own part 1 of the agent's prompt: show, set with a text, reset, update (your next comment), cancel",
  examples: ["/prompt show", "/prompt set\nAnswer in Portuguese. Name the unit first.", "/prompt reset"],
  may: "approve",
  run: (call) =>
    call.commit(async (tx, incident) => {
      const word = call.slash.words[0]?.toLowerCase() ?? "";
      const act = Object.hasOwn(acts, word) ? acts[word] : undefined;
      const own = await personPromptOf(tx, call.caller.id);
      const names = Object.keys(acts).map((name) => `\`/prompt ${name}${name === "set" ? " <text>" : ""}\``);
      const said: Said = act
        ? await act(tx, call, { incident, own })
        : { outcome: "mistake", body: `What about it? Write ${names.join(", ")}.` };
      await answer(tx, call, incident, said);
    }),
};

const written = ({ event: { comment } }: Call, incident: Incident) => ({
  incidentId: incident.id,
  commentId: comment.id,
  writtenAt: comment.createdAt,
});

function current({ deps }: Call, own: PersonPrompt | undefined): string {
  if (own?.text.trim()) return `Your part 1 of the prompt:\n\n${deps.markdown.fence(own.text, "text")}\n\n${how}`;
  const { text } = sharedIdentity(deps.config);
  return `You have no part 1 of your own, so the default applies:\n\n${deps.markdown.fence(text.trim(), "text")}\n\n\`/prompt set <text>\` replaces it for you. ${how}`;
}

async function set(tx: Tx, call: Call, own: PersonPrompt | undefined, typed: string): Promise<Said> {
  const { redact } = call.deps;
  const text = redactMarkdown(redact, typed).trim();
  const asIt = own?.text.trim() ? "yours is unchanged" : "the default applies";
  if (text === "")
    return {
      outcome: "mistake",
      body: `There is no text in that; ${asIt}. Write it after \`/prompt set\` or below it; \`/prompt reset\` goes back to the default.`,
    };
  if (text.length > maxCharacters) {
    const [length, most] = [text.length, maxCharacters].map((one) => one.toLocaleString("en"));
    return { outcome: "mistake", body: `That has ${length} characters, and part 1 may have ${most}; ${asIt}.` };
  }
  await keep(tx, call, text);
  return { outcome: "done", body: `Saved as your part 1. ${how} \`/prompt show\` shows it.` };
}

async function keep(tx: Tx, { caller, event, incident }: Call, text: string): Promise<void> {
  await setPersonPrompt(tx, caller, text);
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
