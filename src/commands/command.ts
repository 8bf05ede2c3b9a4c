import type { Rights } from "../approval/rights.ts";
import type { Role } from "../base/github.ts";
import type { Deps, RepoContext } from "../features/context.ts";
import type { CommentEvent } from "../github/events.ts";
import type { Facts } from "../github/facts.ts";
import type { SlashCommand } from "../slash/grammar.ts";
import type { Verb } from "../slash/verbs.ts";
import type { Tx } from "../store/database/open.ts";
import type { Incident } from "../store/incidents.ts";

/** Who may use a slash command (docs/on-call.md): read access, write access (`propose`: agents too), or an approver of the policy. */
export type Audience = "see" | "propose" | "act" | "approve";

/** One slash command that somebody typed, with everything its file needs to carry it out. */
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
  /** The incident as it stood when the command was read; `commit` hands the locked row. */
  readonly incident: Incident;
  /** Does the command's whole effect and ends its delivery, all or nothing, with the incident locked; returns what `work` does. */
  readonly commit: <T>(work: (tx: Tx, incident: Incident) => Promise<T>) => Promise<T>;
}

/** A slash command: `/help` and every refusal are made from these fields. */
export interface Command extends Verb {
  /** One line for /help. */
  readonly summary: string;
  /** Whole comments as people write them, for `/help <verb>`; each is read as this very command. */
  readonly examples: readonly [string, ...string[]];
  readonly may: Audience;
  /** Who may give it in this form, where that is not `may`. */
  readonly mayFor?: (slash: SlashCommand) => Audience | undefined;
  /** The flags it takes, by name with the dashes; one with an example takes a value. Every other is refused. */
  readonly flags?: Readonly<Record<string, { readonly example?: string }>>;
  /**
   * How its line is read. `free`, unless said otherwise: a flag further on is a word of the reason. `strict`: it is refused
   * there too, since whoever typed it counts on it. `any`: nothing in it keeps the command from its effect.
   */
  readonly line?: "free" | "strict" | "any";
  /** It takes several numbers, and what was meant as one of them is never only a word of the reason. */
  readonly takesSeveral?: boolean;
  /** On an issue that is no incident it makes one of it first, for whoever may give it. */
  readonly takesIn?: boolean;
  /** It may set something going, so the live cards are read with the caller's rights. */
  readonly readsCards?: boolean;
  readonly run: (call: Call) => Promise<void>;
}
