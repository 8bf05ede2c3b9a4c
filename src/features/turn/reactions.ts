import type { Thumb } from "../../github/conversation.ts";
import { replaceReactions } from "../../store/feedback.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import { commentsOf } from "../../store/outbox/thread-comments.ts";
import type { Deps } from "../context.ts";

/** Keeps the thumbs on the bot's comments as they stand now (AR-10): one that was taken back counts no more. */
export async function keepThumbs(
  deps: Pick<Deps, "store">,
  incident: Pick<Incident, "id" | "repo" | "number">,
  { read, thumbs }: { readonly read: readonly number[]; readonly thumbs: readonly Thumb[] },
): Promise<void> {
  if (read.length === 0) return;
  await deps.store.transaction(async (tx) => {
    const session = await sessionOf(tx, incident.id);
    const ours = new Map((await commentsOf(tx, incident)).map(({ githubId, slot }) => [githubId, slot]));
    const slots = read.flatMap((id) => ours.get(id) ?? []);
    const given = thumbs.flatMap(({ commentId, ...thumb }) => {
      const slot = ours.get(commentId);
      return slot === undefined ? [] : [{ ...thumb, slot }];
    });
    await replaceReactions(tx, session.id, slots, given);
  });
}

/** Reads the thumbs of an issue that closes: no webhook tells of them. Where GitHub does not answer, those of the last turn stay. */
export async function readThumbs(deps: Deps, incident: Incident): Promise<void> {
  const { installationId, repo, number: issue } = incident;
  try {
    const heard = await deps.conversation({ installationId, repo, issue, since: undefined, until: deps.now() });
    await keepThumbs(deps, incident, heard);
  } catch (error) {
    deps.log.warn({ module: "github", event: "reactions_failed", err: error, repo, issue });
  }
}
