import type { Proposal } from "../../base/action.ts";
import type { Action } from "../../store/actions.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { addNote } from "../../store/runs.ts";
import { redactText } from "../../text/bare.ts";
import type { Deps, RepoContext } from "../context.ts";
import { type DraftResult, draftAgain } from "../proposal/draft.ts";
import { preparePatches } from "../proposal/prepare-patch.ts";
import { addProposal } from "../proposal/propose.ts";
import { show } from "../thread/show.ts";

/**
 * Proposes a patch again that was not sent, on its base's newest commit and under a new number, if it applies there as it is: what people
 * approved was the result on the older one. Otherwise the card of its run says why it does not. Does nothing if the base has not moved.
 */
export async function proposeOnNewBase(
  deps: Deps,
  repoContext: RepoContext,
  action: Action,
  batchId: string,
): Promise<void> {
  const { title, description, number, spec } = action;
  if (!spec.targets.some(({ patches }) => patches !== undefined)) return;
  const incident = await incidentOf(deps.store.db, action.incidentId);
  const written = { title, description, server: spec.place, command: spec.command };
  const [prepared = written]: readonly Proposal[] = await preparePatches(deps, repoContext, [written], incident);
  const { command, unfit } = prepared;
  if (command === spec.command && unfit === undefined) return;
  const drafted: DraftResult =
    unfit === undefined
      ? draftAgain(deps, repoContext, { ...action, spec: { ...spec, command } }, { earlier: [] })
      : { kind: "refused", why: redactText(deps.redact, unfit) };
  await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident.id);
    if (locked.state !== "open") return;
    if (drafted.kind === "refused")
      await addNote(tx, batchId, `${number} is not proposed again: ${drafted.why.replace(/\.?$/, ".")}`);
    else {
      const again = await addProposal(tx, locked, drafted.draft, { insteadOf: number });
      const words = `${number} applies to the newest commit as it is, and is proposed for that as ${again.number}.`;
      await addNote(tx, batchId, words);
    }
    await show(tx, deps, locked);
  });
}
