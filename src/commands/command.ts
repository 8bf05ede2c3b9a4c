import type { Rights } from "../approval/rights.ts";
import type { Role } from "../base/github.ts";
import type { Deps, RepoContext } from "../features/context.ts";
import type { CommentEvent } from "../github/events.ts";
import type { Facts } from "../github/facts.ts";
import type { SlashCommand } from "../slash/grammar.ts";
import type { Verb } from "../slash/verbs.ts";
import type { Tx } from "../store/database/open.ts";
import type { Incident } from "../store/incidents.ts";

/** One slash command as typed, with everything that its handler needs. */
export interface Call {
  readonly deps: Deps;
  readonly repoContext: RepoContext;
  readonly event: CommentEvent;
  readonly facts: Facts;
  readonly caller: {
    readonly id: number;
    readonly login: string;
    readonly type: string;
    readonly role: Role;
    readonly teams: readonly string[];
    readonly viaApp: boolean;
    readonly appId: number | undefined;
  };
  /** From the roster and from GitHub's live answer. */
  readonly rights: Rights;
  readonly slash: SlashCommand;
  /** A command on a further line of the comment, which is not carried out. */
  readonly below?: string | undefined;
  /** The incident when the command was read; `commit` hands over the locked row. */
  readonly incident: Incident;
  /** Does the command's whole effect and ends its delivery in one transaction, with the incident locked. */
  readonly commit: <T>(work: (tx: Tx, incident: Incident) => Promise<T>) => Promise<T>;
}

/** Carries out a slash command whose author may use it. */
export type Handler = (call: Call) => Promise<void>;

export interface Command extends Verb {
  readonly run: Handler;
}
