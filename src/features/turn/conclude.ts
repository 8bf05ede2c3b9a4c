/** What a turn came to, kept and shown. */
import type { AskedQuestion } from "../../agent/tools.ts";
import type { Took } from "../../agent/turn.ts";
import type { ChatMessage, Reading, TokenUsage } from "../../base/agent.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { markChangesTold } from "../../store/incident-values.ts";
import type { Session } from "../../store/incidents.ts";
import { addTurn } from "../../store/turns.ts";
import { bareMessage, bareReading, redactText } from "../../text/bare.ts";
import type { Deps } from "../context.ts";
import { type DraftedProposal, draftProposals } from "../proposal/draft.ts";
import { propose } from "../proposal/propose.ts";
import { knownLinks } from "../proposal/track-record.ts";
import { createAddressIn } from "../thread/links.ts";
import { show } from "../thread/show.ts";
import { type Over, tellOver } from "./budget.ts";
import { askPeople } from "./question.ts";
import type { TurnInput } from "./turn-input.ts";

/** What a turn came to, from the model or from the offline responder. */
export interface Taken extends Took {
  readonly reading: Reading;
  readonly offline: boolean;
  /** Of the system prompt that the model answered; null where it did not. */
  readonly promptSha256: string | null;
  /** The newest comment that was read to the model. */
  readonly heardComment?: number | undefined;
  /** What the agent wants to know of people (AR-13). */
  readonly question?: AskedQuestion | undefined;
  /** Why the model was not asked. */
  readonly over?: Over | undefined;
  readonly messages: readonly ChatMessage[];
  readonly usage: TokenUsage;
  /** Of the rules that the model was told. */
  readonly toldRules?: string | undefined;
}

const originOf = ({ offline }: Taken) => (offline ? "offline" : "model");

/** Judges what a turn proposes, before the transaction that concludes it. */
export const draftsOf = (
  deps: Deps,
  { repoContext, values }: Pick<TurnInput, "repoContext" | "values">,
  taken: Taken,
) =>
  draftProposals(deps, repoContext, bareReading(deps.redact, taken.reading).proposals, {
    origin: originOf(taken),
    promptSha256: taken.promptSha256,
    values,
  });

/** Keeps what the turn came to and shows it. Returns the session with what it has cost. */
export async function conclude(
  tx: Tx,
  deps: Deps,
  given: Omit<TurnInput, "signal" | "onStatus"> & {
    readonly taken: Taken;
    readonly drafts: readonly DraftedProposal[];
    /** Its proposals come beside what stands already. */
    readonly adds: boolean;
  },
): Promise<Session> {
  const { incident, session, repoContext, runbooks, records, cause, personId, taken, adds } = given;
  // For people once, on the first card; the model hears of it when it is first asked.
  const similar = session.steps === 0 ? given.similar[0] : undefined;
  const bared = bareReading(deps.redact, taken.reading);
  const notes = [...(taken.over ? [await tellOver(tx, taken.over)] : []), ...bared.notes];
  const asks = taken.question && bareQuestion(deps, taken.question);
  const reading = {
    ...bared,
    notes,
    prose: bared.prose === "" && asks ? "I need an answer to go on." : bared.prose,
    runbooks: knownLinks(
      bared.runbooks,
      { skills: runbooks.skills, records },
      createAddressIn(deps, repoContext, incident.repo),
    ),
  };
  const messages = taken.messages.map((message) => bareMessage(deps.redact, message));
  const { commit: contextCommit } = repoContext.context;
  const step = await addTurn(tx, session, {
    cause: cause.kind,
    ...taken,
    personId,
    reading,
    messages,
    contextCommit,
    similar,
  });
  if (given.repoChanges && messages.length > 0) await markChangesTold(tx, incident.id);
  const rows = await partsOf(tx, incident.id, "actions", "approvals", "lease", "session");
  await propose(tx, deps, repoContext, {
    incident,
    rows,
    turn: step,
    reading,
    origin: originOf(taken),
    drafts: given.drafts,
    told: new Set(given.runs.map(({ number }) => number)),
    adds,
    numbers: given.toldNumbers,
  });
  if (asks) await askPeople(tx, incident, { step: step.step, ...asks });
  await show(tx, deps, incident);
  return rows.session;
}

const bareQuestion = ({ redact }: Deps, { text, choices }: AskedQuestion): AskedQuestion => ({
  text: redactText(redact, text),
  choices: choices.map((choice) => redactText(redact, choice)),
});
