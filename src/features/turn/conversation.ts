import { type Roster, rightsOf } from "../../approval/rights.ts";
import type { Person } from "../../base/github.ts";
import type { Conversation, SaidComment, Thumb } from "../../github/conversation.ts";
import type { Facts } from "../../github/facts.ts";
import { parseSlashCommand } from "../../slash/grammar.ts";
import { talkLines } from "../../slash/talk.ts";
import { verbNamed } from "../../slash/verbs.ts";
import { replaceReactions } from "../../store/feedback.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import { commentsOf } from "../../store/outbox/thread-comments.ts";
import { redactText } from "../../text/bare.ts";
import { delimit, visible } from "../../text/read/visible.ts";
import type { Redact } from "../../text/redact.ts";
import { truncate } from "../../text/truncate.ts";
import type { Deps } from "../context.ts";
import { noteWords } from "../intake/note.ts";
import type { AgentTurn } from "./turn-message.ts";

export interface NewComments extends Pick<Conversation, "read" | "thumbs"> {
  readonly opener: boolean;
  /** Delimited; also says what was left out. */
  readonly comments: readonly string[];
  /** As `mona approves, sam has write access`. */
  readonly rights: string;
  readonly newest: number | undefined;
}

export const noThumbs = { read: [], thumbs: [] } as const;

const writers = ["write", "maintain", "admin"];

/** In characters: a crowd must not hide the incident from the model. */
const commentLimit = 4_000;
const limit = 24_000;

/**
 * Reads comments between the last turn and this request, as people see them; in a public repository only those by people with write access.
 * Says so if GitHub does not answer (AR-10, SR-35, SR-36, SR-37, SR-39, SR-46).
 */
export async function readNewComments(
  deps: Deps,
  { incident, session, repoContext, cause, alert, askedAt: until }: AgentTurn,
): Promise<NewComments> {
  const { installationId, repo, number: issue } = incident;
  const roster = repoContext.rules.policy.approvers;
  // The turn's cause says it already.
  const causeComment = "told" in cause ? cause.told : undefined;
  const asker = "login" in cause ? [{ id: cause.personId, login: cause.login }] : [];
  try {
    const since = session.heardComment ?? undefined;
    const conversation = await deps.conversation({ installationId, repo, issue, since, until });
    const { said, changed, full } = conversation;
    const opener = { id: incident.openerId, login: incident.openerLogin };
    const own = said.flatMap((one) => inOwnWords(one, deps.config.commands.prefixes));
    const people = [...own.map(({ person }) => person), ...asker];
    const standings = await readStandings(deps, incident, roster, [...people, ...(incident.public ? [opener] : [])]);
    const isHeard = ({ id }: Person): boolean =>
      !incident.public || writers.includes(standings?.get(id)?.role ?? "none");
    const audible = own.filter(({ person }) => isHeard(person));
    const outsiders = own.length - audible.length;
    return {
      // An alert is from the operator's own source.
      opener: isHeard(opener) || alert !== undefined,
      rights: rightsWords(roster, people.filter(isHeard), standings),
      newest: conversation.newest,
      read: conversation.read,
      thumbs: conversation.thumbs,
      comments: [
        ...(full ? ["[older comments omitted]"] : []),
        ...(outsiders > 0 ? [`[${outsiders} comments by outsiders omitted]`] : []),
        ...(changed > 0 ? [`[${changed} comments that were edited since omitted]`] : []),
        ...newest(
          audible.filter(({ commentId }) => commentId !== causeComment),
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

/** If GitHub does not answer, a private incident goes on and a public one reads no comments. */
async function readStandings(
  deps: Deps,
  { installationId, repo, number: issue, public: isPublic }: Incident,
  roster: Roster,
  people: readonly Person[],
): Promise<Standings | undefined> {
  const once = [...new Map(people.map((person) => [person.id, person])).values()];
  if (once.length === 0) return undefined;
  const query = { installationId, repo, issue, people: once, comments: [], teams: roster.teams };
  if (isPublic) return (await deps.facts(query)).people;
  return deps.facts(query).then(
    (facts) => facts.people,
    () => undefined,
  );
}

function rightsWords(roster: Roster, people: readonly Person[], standings: Standings | undefined): string {
  const once = new Map(people.map((person) => [person.id, person]));
  const known = [...once.values()].flatMap((person) => {
    const standing = standings?.get(person.id);
    if (!standing) return [];
    const rights = rightsOf(roster, { person, type: "User", viaApp: false, ...standing });
    const may = rights.approve
      ? "may approve"
      : rights.act
        ? "may write, not approve"
        : rights.propose
          ? "agents that only propose"
          : "only read";
    return [{ may, login: person.login }];
  });
  return [...Map.groupBy(known, ({ may }) => may)]
    .map(([may, same]) => `${may}: ${same.map(({ login }) => login).join(", ")}`)
    .join("; ");
}

/** Omits slash commands that the agent reads elsewhere (`slash/verbs.ts`). */
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

/** Oldest first. */
function newest(said: readonly SaidComment[], nonce: string, redact: Redact): readonly string[] {
  const kept: string[] = [];
  let room = limit;
  for (const { person, commentId, text } of said.toReversed()) {
    // Before the cut: the redactor cannot know half a secret.
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

/** Replaces all thumbs on the bot's comments. */
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

/** Reads the thumbs at closing, because GitHub sends no webhook for them. Keeps the last turn's if it does not answer. */
export async function readThumbs(deps: Deps, incident: Incident): Promise<void> {
  const { installationId, repo, number: issue } = incident;
  try {
    const heard = await deps.conversation({ installationId, repo, issue, since: undefined, until: deps.now() });
    await keepThumbs(deps, incident, heard);
  } catch (error) {
    deps.log.warn({ module: "github", event: "reactions_failed", err: error, repo, issue });
  }
}
