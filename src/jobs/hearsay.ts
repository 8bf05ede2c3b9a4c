import type { Conversation, Said } from "../github/conversation.ts";
import type { Incident, Session } from "../store/incidents.ts";
import { bare } from "../text/bare.ts";
import type { Redact } from "../text/redact.ts";
import { truncate } from "../text/truncate.ts";
import { delimit, visible } from "../text/visible.ts";
import type { Person } from "../types.ts";
import type { World } from "./world.ts";

/** What the agent hears of the issue itself. */
export interface Hearsay extends Pick<Conversation, "read" | "thumbs"> {
  /** Whether the issue's own text may be read to it: in a public repository an outsider's is not (SR-35). */
  readonly opener: boolean;
  /** Comments since it last listened, each between delimiters (SR-39), and what was left out. */
  readonly comments: readonly string[];
  /** The id of the newest comment among them; nothing where there was nothing new. */
  readonly newest: number | undefined;
}

/** What is known of thumbs where GitHub was not asked. */
export const noThumbs = { read: [], thumbs: [] } as const;

const writers = ["write", "maintain", "admin"];

/** Characters of one comment, and of all of them: a crowd must not push the incident out of the model's sight. */
const commentLimit = 4_000;
const limit = 24_000;

/**
 * What people have written on the issue since the session's last turn and up to `until`, as they see it (SR-36, SR-37). In a
 * public repository only those with write access are heard (SR-35). Where GitHub does not answer, the turn goes on without, and says so.
 */
export async function hear(
  world: World,
  given: {
    readonly incident: Incident;
    readonly session: Session;
    readonly until: Date;
    /** A comment that the agent is told in another place. */
    readonly told?: number | undefined;
  },
): Promise<Hearsay> {
  const { incident, session, until, told } = given;
  const { installationId, repo, number: issue } = incident;
  try {
    const since = session.heardComment ?? undefined;
    const conversation = await world.conversation({ installationId, repo, issue, since, until });
    const { said, changed, full } = conversation;
    const opener = { id: incident.openerId, login: incident.openerLogin };
    const heard = incident.public
      ? await writersOf(world, incident, [opener, ...said.map(({ person }) => person)])
      : undefined;
    const audible = said.filter(({ person }) => heard?.has(person.id) ?? true);
    const outsiders = said.length - audible.length;
    return {
      opener: heard?.has(opener.id) ?? true,
      newest: conversation.newest,
      read: conversation.read,
      thumbs: conversation.thumbs,
      comments: [
        ...(full ? ["[older comments omitted]"] : []),
        ...(outsiders > 0 ? [`[${outsiders} comments by outsiders omitted]`] : []),
        ...(changed > 0 ? [`[${changed} comments that were edited since omitted]`] : []),
        ...newest(
          audible.filter(({ commentId }) => commentId !== told),
          session.nonce,
          world.redact,
        ),
      ],
    };
  } catch (error) {
    world.log.warn({ module: "github", event: "conversation_failed", err: error, repo, issue });
    return {
      opener: !incident.public,
      comments: ["[the issue's comments could not be read]"],
      newest: undefined,
      ...noThumbs,
    };
  }
}

async function writersOf(world: World, incident: Incident, people: readonly Person[]): Promise<ReadonlySet<number>> {
  const { installationId, repo, number: issue } = incident;
  const once = [...new Map(people.map((person) => [person.id, person])).values()];
  const facts = await world.facts({ installationId, repo, issue, people: once, comments: [], teams: [] });
  return new Set([...facts.people].filter(([, { role }]) => writers.includes(role)).map(([id]) => id));
}

/** The newest that have room, in the order in which they were written. */
function newest(said: readonly Said[], nonce: string, redact: Redact): readonly string[] {
  const kept: string[] = [];
  let room = limit;
  for (const { person, commentId, text } of said.toReversed()) {
    // Whole, before the cut: half a secret has no shape to know it by (SR-46).
    const seen = bare(redact, visible(bare(redact, text)));
    const shown = truncate(seen, { limit: commentLimit, more: "the rest is on the issue" }).text;
    if (shown.trim() === "") continue;
    room -= shown.length;
    if (room < 0) {
      kept.push(`[${said.length - kept.length} older comments omitted]`);
      break;
    }
    kept.push(delimit(shown, `comment ${commentId} by ${person.login}`, nonce));
  }
  return kept.reverse();
}
