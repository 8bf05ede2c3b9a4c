import type { Person } from "./people.ts";

/** What GitHub knows of an issue or comment and emulate has no field for, by node id. */

export interface CommentNote {
  readonly repoId: number;
  readonly issue: number;
  readonly commentId: number;
  readonly byApp: boolean;
  readonly viaEmail: boolean;
  /** In ms: GitHub itself shows whole seconds. */
  readonly madeMs: number;
  /** Every change of its body, oldest first. */
  readonly edits: { readonly alias: string; readonly at: string; readonly atMs: number; readonly from: string }[];
  minimized?: string;
  pinnedAt?: string;
}

interface IssueNote {
  readonly repoId: number;
  readonly number: number;
  readonly byApp: boolean;
  readonly isPullRequest?: boolean;
  editedAt?: string;
  /** Deleted, or moved away: its number answers 410 or 301 from then on. */
  gone?: { readonly movedTo: string | undefined };
}

export interface Reaction {
  readonly id: number;
  readonly subject: string;
  readonly alias: string;
  readonly content: string;
  readonly createdAt: string;
}

/** Each reaction as REST and as GraphQL call it. */
export const reactionNames: Readonly<Record<string, string>> = {
  "+1": "THUMBS_UP",
  "-1": "THUMBS_DOWN",
  laugh: "LAUGH",
  hooray: "HOORAY",
  confused: "CONFUSED",
  heart: "HEART",
  rocket: "ROCKET",
  eyes: "EYES",
};

/** What somebody did to an issue, as its list of events has it. */
export interface IssueEvent {
  readonly id: number;
  readonly repoId: number;
  readonly issue: number;
  readonly event: string;
  readonly actor: Person;
  readonly at: string;
  readonly label: { readonly name: string; readonly color: string } | undefined;
  /** The login whose comment was deleted. */
  readonly commentBy?: string;
}

export interface Notes {
  /** How old a state of comments GraphQL shows, in ms. */
  graphqlBehindMs: number;
  readonly comments: Map<string, CommentNote>;
  readonly issues: ReadonlyMap<string, IssueNote>;
  readonly addIssue: (nodeId: string, note: IssueNote) => void;
  readonly issue: (repoId: number, number: number) => IssueNote | undefined;
  readonly addEvent: (event: Omit<IssueEvent, "id">) => void;
  /** Oldest first. */
  readonly eventsIn: (repoId: number) => readonly IssueEvent[];
  readonly reactionsOn: (subject: string) => readonly Reaction[];
  readonly addReaction: (reaction: Omit<Reaction, "id">) => Reaction;
  readonly removeReaction: (reaction: Reaction) => void;
}

export function createNotes(): Notes {
  const issues = new Map<string, IssueNote>();
  const byNumber = new Map<string, IssueNote>();
  const reactions = new Map<string, readonly Reaction[]>();
  const events: IssueEvent[] = [];
  let lastReaction = 410_000_000;
  let lastEvent = 21_000_000_000;
  const reactionsOn = (subject: string) => reactions.get(subject) ?? [];
  return {
    comments: new Map(),
    issues,
    addIssue(nodeId, note) {
      issues.set(nodeId, note);
      byNumber.set(`${note.repoId}/${note.number}`, note);
    },
    graphqlBehindMs: 0,
    issue: (repoId, number) => byNumber.get(`${repoId}/${number}`),
    addEvent: (event) => void events.push({ id: ++lastEvent, ...event }),
    eventsIn: (repoId) => events.filter((event) => event.repoId === repoId),
    reactionsOn,
    addReaction(reaction) {
      const added = { id: ++lastReaction, ...reaction };
      reactions.set(added.subject, [...reactionsOn(added.subject), added]);
      return added;
    },
    removeReaction({ subject, id }) {
      reactions.set(
        subject,
        reactionsOn(subject).filter((r) => r.id !== id),
      );
    },
  };
}
