import { type Roster, rightsOf } from "../../approval/rights.ts";
import type { Person } from "../../base/github.ts";
import type { Conversation, SaidComment } from "../../github/conversation.ts";
import type { Facts } from "../../github/facts.ts";
import { parseSlashCommand } from "../../slash/grammar.ts";
import { talkLines } from "../../slash/talk.ts";
import { verbNamed } from "../../slash/verbs.ts";
import { alertOf } from "../../store/alerts.ts";
import type { Incident, Session } from "../../store/incidents.ts";
import { redactText } from "../../text/bare.ts";
import { delimit, visible } from "../../text/read/visible.ts";
import type { Redact } from "../../text/redact.ts";
import { truncate } from "../../text/truncate.ts";
import type { Deps } from "../context.ts";
import { noteWords } from "../intake/shown-note.ts";

/** What the agent hears of the issue itself. */
export interface NewComments extends Pick<Conversation, "read" | "thumbs"> {
  /** Whether the issue's own text may be read to it: in a public repository an outsider's is not (SR-35). */
  readonly opener: boolean;
  /** Comments since it last listened, each between delimiters (SR-39), and what was left out. */
  readonly comments: readonly string[];
  /** What whoever wrote or asked may do here: `mona approves, sam has write access`; empty where nobody did. */
  readonly rights: string;
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
export async function readNewComments(
  deps: Deps,
  given: {
    readonly incident: Incident;
    readonly session: Session;
    readonly roster: Roster;
    readonly until: Date;
    /** Who asks the agent, where somebody does. */
    readonly by?: Person | undefined;
    /** A comment that the agent is told in another place. */
    readonly told?: number | undefined;
  },
): Promise<NewComments> {
  const { incident, session, roster, until, told, by } = given;
  const { installationId, repo, number: issue } = incident;
  try {
    const since = session.heardComment ?? undefined;
    const conversation = await deps.conversation({ installationId, repo, issue, since, until });
    const { said, changed, full } = conversation;
    const opener = { id: incident.openerId, login: incident.openerLogin };
    const own = said.flatMap((one) => inOwnWords(one, deps.config.commands.prefixes));
    const people = [...own.map(({ person }) => person), ...(by ? [by] : [])];
    const standings = await standingsOf(deps, given, [...people, ...(incident.public ? [opener] : [])]);
    const isHeard = ({ id }: Person): boolean =>
      !incident.public || writers.includes(standings?.get(id)?.role ?? "none");
    const audible = own.filter(({ person }) => isHeard(person));
    const outsiders = own.length - audible.length;
    return {
      // What an alert says is the operator's own source's, between delimiters as all else.
      opener: isHeard(opener) || (await alertOf(deps.store.db, incident.id)) !== undefined,
      rights: rightsWords(roster, people.filter(isHeard), standings),
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
          deps.redact,
        ),
      ],
    };
  } catch (error) {
    deps.log.warn({ module: "github", event: "conversation_failed", err: error, repo, issue });
    return {
      opener: !incident.public,
      comments: ["[the issue's comments could not be read]"],
      rights: "",
      newest: undefined,
      ...noThumbs,
    };
  }
}

type Standings = Facts["people"];

/** What GitHub says of these people now. Where it does not say, a private incident goes on without, and a public one hears nobody. */
async function standingsOf(
  deps: Deps,
  { incident, roster }: { readonly incident: Incident; readonly roster: Roster },
  people: readonly Person[],
): Promise<Standings | undefined> {
  const { installationId, repo, number: issue } = incident;
  const once = [...new Map(people.map((person) => [person.id, person])).values()];
  if (once.length === 0) return undefined;
  const asked = { installationId, repo, issue, people: once, comments: [], teams: roster.teams };
  if (incident.public) return (await deps.facts(asked)).people;
  return deps.facts(asked).then(
    (facts) => facts.people,
    () => undefined,
  );
}

function rightsWords(roster: Roster, people: readonly Person[], standings: Standings | undefined): string {
  const once = new Map(people.map((person) => [person.id, person]));
  return [...once.values()]
    .flatMap((person) => {
      const standing = standings?.get(person.id);
      if (!standing) return [];
      const rights = rightsOf(roster, { person, type: "User", viaApp: false, ...standing });
      return [
        `${person.login} ${rights.approve ? "approves" : rights.act ? "has write access and does not approve" : rights.propose ? "is an agent and only proposes" : "only reads"}`,
      ];
    })
    .join(", ");
}

/** A comment as far as it is talk: without the slash command that the agent learns about in another place (`slash/verbs.ts`). */
function inOwnWords(said: SaidComment, prefixes: readonly string[]): readonly SaidComment[] {
  const slash = parseSlashCommand(said.text, prefixes);
  if (slash?.kind !== "command") return [said];
  switch (verbNamed(slash.verb)?.agentHears ?? "all") {
    case "nothing":
      return [];
    case "note":
      return noteWords(slash) === "" ? [] : [said];
    case "below": {
      const text = [...talkLines(slash.rest.split("\n"))].map((line) => line.text).join("\n");
      return text.trim() === "" ? [] : [{ ...said, text }];
    }
    case "all":
      return [said];
  }
}

/** The newest that have room, in the order in which they were written. */
function newest(said: readonly SaidComment[], nonce: string, redact: Redact): readonly string[] {
  const kept: string[] = [];
  let room = limit;
  for (const { person, commentId, text } of said.toReversed()) {
    // Whole, before the cut: half a secret has no shape to know it by (SR-46).
    const seen = redactText(redact, visible(redactText(redact, text)));
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
