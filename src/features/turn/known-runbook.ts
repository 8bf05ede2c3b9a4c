/** The runbook that surely fits an incident: its checks stand on a card while the model still reads, and its text is read to the model. */

import { noUsage } from "../../agent/turn.ts";
import { sureRunbook } from "../../runbooks/offline.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { lockIncident } from "../../store/incidents.ts";
import { addTurn } from "../../store/turns.ts";
import { bareReading } from "../../text/bare.ts";
import type { Deps } from "../context.ts";
import { draftProposals } from "../proposal/draft.ts";
import { propose } from "../proposal/propose.ts";
import { knownLinks } from "../proposal/track-record.ts";
import { createAddressIn } from "../thread/links.ts";
import { show } from "../thread/show.ts";
import { readOffline } from "./offline-turn.ts";
import { readSkill } from "./read-skill.ts";
import type { TurnInput } from "./turn-input.ts";

const begins = ({ cause }: Pick<TurnInput, "cause">): boolean =>
  cause.kind === "opened" || cause.kind === "investigated";

/**
 * Posts the runbook's checks before the model is asked, where they are sure and nothing was said yet: in tens of milliseconds, so
 * that people can approve them meanwhile. Answers whether the agent's own card comes second, and so only adds to what stands.
 */
export async function postChecks(deps: Deps, input: TurnInput): Promise<boolean> {
  if (!deps.ask || !begins(input)) return false;
  const { turns } = input.rows;
  // An attempt before this one has posted them.
  if (turns.length > 0) return turns.every(({ step }) => step === 0);
  const { repoContext, runbooks, records, session, cause, personId } = input;
  if (!sureRunbook(runbooks, input.incident)) return false;
  const read = bareReading(deps.redact, await readOffline(deps, input, "model-reads"));
  if (read.proposals.length === 0) return false;
  const addressIn = createAddressIn(deps, repoContext, input.incident.repo);
  const links = knownLinks(read.runbooks, { skills: runbooks.skills, records }, addressIn);
  const reading = { ...read, runbooks: links };
  const by = { origin: "offline", promptSha256: null, values: input.values } as const;
  const told = new Set(input.runs.map(({ number }) => number));
  const drafts = draftProposals(deps, repoContext, reading.proposals, by);
  return deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, input.incident.id);
    if (incident.state !== "open") return false;
    const { commit: contextCommit } = repoContext.context;
    const said = { reading, messages: [], usage: noUsage, personId, contextCommit };
    const turn = await addTurn(tx, session, { cause: cause.kind, offline: true, before: true, ...said });
    const rows = await partsOf(tx, incident.id, "actions", "approvals", "lease");
    const proposal = { incident, rows, turn, reading, origin: by.origin, drafts, told };
    await propose(tx, deps, repoContext, proposal);
    await show(tx, deps, incident, "reading the incident");
    return true;
  });
}

/** Its text for the first message, between delimiters; undefined where none surely fits, or the conversation has begun. */
export async function tellRunbook(deps: Deps, input: TurnInput, hasBegun: boolean): Promise<string | undefined> {
  const { incident, repoContext, session, runbooks } = input;
  const skill = hasBegun || !begins(input) ? undefined : sureRunbook(runbooks, incident);
  if (!skill) return undefined;
  const text = await readSkill({ deps, repoContext, incident, nonce: session.nonce }, skill);
  return `The runbook ${skill.name} fits by its text, so it is loaded already. Where its checks stand open above, what you propose in this reply comes beside them and replaces none: do not repeat them.\n${text}`;
}
