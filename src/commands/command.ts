import type { Rights } from "../approval/rights.ts";
import type { Role } from "../base/github.ts";
import type { Deps, RepoContext } from "../features/context.ts";
import type { CommentEvent } from "../github/events.ts";
import type { Facts } from "../github/facts.ts";
import type { SlashCommand } from "../slash/grammar.ts";
import type { Verb } from "../slash/verbs.ts";
import type { Tx } from "../store/database/open.ts";
import type { Incident } from "../store/incidents.ts";

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
  /** By the roster and GitHub's live answer. */
  readonly rights: Rights;
  readonly slash: SlashCommand;
  /** A later command in the comment; not carried out. */
  readonly below?: string | undefined;
  /** As read; `commit` passes the locked row. */
  readonly incident: Incident;
  /** Applies the whole effect and ends the delivery in one transaction, with the incident locked. */
  readonly commit: <T>(work: (tx: Tx, incident: Incident) => Promise<T>) => Promise<T>;
}

/** Runs only if the author may use the command. */
export type Handler = (call: Call) => Promise<void>;

export interface Command extends Verb {
  readonly run: Handler;
}
