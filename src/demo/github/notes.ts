/** What GitHub knows of an issue or comment and emulate has no field for, by node id. */

export interface CommentNote {
  readonly repoId: number;
  readonly issue: number;
  readonly commentId: number;
  readonly byApp: boolean;
  readonly viaEmail: boolean;
  editedAt?: string;
  editor?: string;
  minimized?: string;
  pinnedAt?: string;
}

export interface IssueNote {
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

export interface Notes {
  readonly comments: Map<string, CommentNote>;
  readonly issues: Map<string, IssueNote>;
  readonly issue: (repoId: number, number: number) => IssueNote | undefined;
  readonly reactionsOn: (subject: string) => readonly Reaction[];
  readonly addReaction: (reaction: Omit<Reaction, "id">) => Reaction;
  readonly removeReaction: (id: number) => void;
}

export function createNotes(): Notes {
  const issues = new Map<string, IssueNote>();
  let reactions: readonly Reaction[] = [];
  let lastReaction = 410_000_000;
  return {
    comments: new Map(),
    issues,
    issue: (repoId, number) => [...issues.values()].find((i) => i.repoId === repoId && i.number === number),
    reactionsOn: (subject) => reactions.filter((r) => r.subject === subject),
    addReaction(reaction) {
      const added = { id: ++lastReaction, ...reaction };
      reactions = [...reactions, added];
      return added;
    },
    removeReaction(id) {
      reactions = reactions.filter((r) => r.id !== id);
    },
  };
}
