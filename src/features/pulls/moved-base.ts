import type { Proposal } from "../../base/action.ts";
import type { Action } from "../../store/actions.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { addNote } from "../../store/runs.ts";
import type { Deps, RepoContext } from "../context.ts";
import { draftAction } from "../proposal/draft.ts";
import { preparePatches } from "../proposal/prepare-patch.ts";
import { addProposal } from "../proposal/propose.ts";
import { show } from "../thread/show.ts";

/**
 * Proposes a patch that was not sent anew on its base's newest commit, under a new number, if it applies there as it is: what people
 * approved was the result on the older one. Otherwise the card of its run says why it does not. Does nothing if the base has not moved.
 */
export async function proposeOnNewBase(
  deps: Deps,
  repoContext: RepoContext,
  action: Action,
  batchId: string,
): Promise<void> {
  const { title, description, origin, authorId, authorLogin, number, spec } = action;
  if (!spec.targets.some(({ patches }) => patches !== undefined)) return;
  const { place, command, model, promptSha256, demands, onMerge } = spec;
  const incident = await incidentOf(deps.store.db, action.incidentId);
  const written = { title, description, server: place, command, demands };
  const [prepared = written]: readonly Proposal[] = await preparePatches(deps, repoContext, [written], incident);
  if (prepared.command === command && prepared.unfit === undefined) return;
  const author = authorId === null ? {} : { author: { id: authorId, login: authorLogin ?? "ghost" } };
  const drafted = draftAction(deps, repoContext, prepared, { origin, ...author, model, promptSha256 });
  await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident.id);
    if (locked.state !== "open") return;
    if (drafted.kind === "refused") await addNote(tx, batchId, `${number} is not proposed anew: ${drafted.why}.`);
    else {
      const draft = { ...drafted.draft, spec: { ...drafted.draft.spec, ...(onMerge && { onMerge }) } };
      const again = await addProposal(tx, locked, draft, { insteadOf: number });
      await addNote(
        tx,
        batchId,
        `${number} applies to the newest commit as it is, and is proposed for that as ${again.number}.`,
      );
    }
    await show(tx, deps, locked);
  });
}
