import type { Proposal } from "../../base/action.ts";
import { messageOf } from "../../base/errors.ts";
import type { PatchPlace } from "../../base/server.ts";
import { judgePaths } from "../../patches/judge.ts";
import { parsePatch } from "../../patches/parse.ts";
import { applyPatch, pathsToRead, writePatch } from "../../patches/patch.ts";
import type { Deps, RepoContext } from "../context.ts";
import { targetServersOf } from "./target-servers.ts";

/**
 * Makes patches ready to be judged: applied to the newest commit of their base and written out again, so that the text alone names commit, files
 * and what they are before and after. Other proposals stay as they are. What cannot be applied says why; nothing throws.
 */
export const preparePatches = (
  deps: Pick<Deps, "patches">,
  { rules }: { readonly rules: Pick<RepoContext["rules"], "servers"> },
  proposals: readonly Proposal[],
  incident: { readonly public: boolean },
): Promise<readonly Proposal[]> =>
  Promise.all(
    proposals.map(async (proposal): Promise<Proposal> => {
      const placed = targetServersOf(rules.servers, proposal.server);
      const place = placed.kind === "placed" ? placed.servers.find(({ patches }) => patches)?.patches : undefined;
      if (!place || !deps.patches) return proposal;
      // Its lines must not be filled in as a command's places are.
      const exact = { ...proposal, set: undefined, filled: proposal.filled ?? [], open: proposal.open ?? [] };
      if (incident.public)
        return { ...exact, unfit: `this issue is public, and a patch shows lines of ${place.repository}` };
      const ready = await applied(deps.patches, place, proposal.command).catch((error: unknown) => ({
        ok: false as const,
        reason: messageOf(error),
        remedy: "try again later",
      }));
      return ready.ok
        ? { ...exact, command: ready.patch }
        : { ...exact, unfit: `${ready.reason}. ${ready.remedy.charAt(0).toUpperCase()}${ready.remedy.slice(1)}` };
    }),
  );

/**
 * A patch against an older commit counts if it applies as it is to the newest: only from that one a branch may begin. So what its `index`
 * lines say does not.
 */
async function applied(patches: NonNullable<Deps["patches"]>, place: PatchPlace, text: string) {
  const parsed = parsePatch(text);
  if (!parsed.ok) return parsed;
  const misplaced = judgePaths(parsed.files, place);
  if (misplaced) return misplaced;
  const files = parsed.files.map((file) => ({ ...file, beforeId: undefined, afterId: undefined }));
  const commit = await patches.headOf(place);
  const changed = applyPatch(files, await patches.readFiles(place, pathsToRead(files), commit));
  if (!changed.ok) return changed;
  // A card's code block has no empty last line.
  return { ok: true, patch: writePatch(commit, changed.files).slice(0, -1) } as const;
}
