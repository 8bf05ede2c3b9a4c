import { nearest } from "../base/problems.ts";

/** Read access, write access (`propose`: agents too), or policy's approvers (docs/on-call.md). */
export type Audience = "see" | "propose" | "act" | "approve";

/** Grammar, help, refusals, tests and the row in docs/on-call.md derive from it. */
export interface Verb {
  readonly verb: string;
  readonly aliases?: readonly string[];
  /** A number in it means that the command takes proposed commands' numbers. */
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly [string, ...string[]];
  readonly may: Audience;
  /** Who may use it with `off`, if not `may`. */
  readonly mayOff?: Audience;
  /** By name with the dashes; one with an example takes a value. */
  readonly flags?: Readonly<Record<string, { readonly example?: string }>>;
  /**
   * `free`, the default: a later flag is a word of the reason. `strict`: it is refused, because its writer relies on it. `any`: nothing in
   * the line stops the command.
   */
  readonly line?: "free" | "strict" | "any";
  /** An unreadable number is never a word of the reason. */
  readonly takesSeveral?: boolean;
  /** Opens an incident first on an issue that is none. */
  readonly takesIn?: boolean;
  /** It may start something, so live cards are read with the caller's rights. */
  readonly readsCards?: boolean;
  /**
   * What the agent reads as talk. `nothing`: it gets the reason or text with the action or prompt. `below`: the text below the command.
   * `note`: the comment, if it has a note. `all`: the comment.
   */
  readonly agentHears: "nothing" | "below" | "note" | "all";
  /** Other programs' names that are too far from ours for a slip. */
  readonly otherBots?: readonly string[];
}

/** In the order of `/help`. `src/commands/slash-comment.ts` finds the handler of each. */
export const verbs = {
  approve: {
    verb: "approve",
    usage: "/approve 1 2",
    summary: "countersigns proposed commands; they run in order and stop at the first failure",
    examples: ["/approve 1 2", "/approve all --keep-going --timeout 10m", "/approve 4 web-1 the log volume is full"],
    may: "approve",
    flags: { "--keep-going": {}, "--timeout": { example: "10m" } },
    line: "strict",
    takesSeveral: true,
    readsCards: true,
    agentHears: "nothing",
  },
  ack: {
    verb: "ack",
    usage: "/ack",
    summary: "tells the alert's pager that you are on it; an approval does it too",
    examples: ["/ack"],
    may: "act",
    agentHears: "note",
  },
  reject: {
    verb: "reject",
    aliases: ["deny"],
    usage: "/reject 2 [why]",
    summary: "turns a proposed command down, for good",
    examples: ["/reject 2 not during the sale"],
    may: "approve",
    takesSeveral: true,
    agentHears: "nothing",
  },
  edit: {
    verb: "edit",
    usage: "/edit 2",
    summary: "proposes a different command instead, from a code block below it; --each: a set of checks, one per line",
    examples: [
      "/edit 2 only the last hour\n```sh\njournalctl -u app --since -1h\n```",
      "/edit 2 --each\n```sh\ndf -h\nfree -m\n```",
    ],
    may: "act",
    flags: { "--each": {} },
    agentHears: "below",
  },
  fill: {
    verb: "fill",
    usage: "/fill 2 pod=cart-7f9",
    summary: "fills in the values a card asks for; the finished command gets a new number",
    examples: ["/fill 2 pod=cart-7f9", '/fill 3 ns=shop reason="disk is full"'],
    may: "act",
    agentHears: "all",
  },
  run: {
    verb: "run",
    usage: "/run <server>",
    summary:
      "proposes your own command for a server or a group, from a code block below it; one that only reads runs at once if an approver writes it; --each: a set of checks, one per line",
    examples: ["/run web-1 is it full?\n```sh\ndf -h\n```", "/run --each web-1\n```sh\ndf -h\nfree -m\n```"],
    may: "propose",
    flags: { "--each": {} },
    agentHears: "below",
    otherBots: ["exec"],
  },
  ask: {
    verb: "ask",
    usage: "/ask [question or letter]",
    summary: "asks the agent; a letter takes that suggestion of its newest reply",
    examples: ["/ask what changed since 14:00?", "/ask b", "/ask act"],
    may: "propose",
    agentHears: "all",
  },
  answer: {
    verb: "answer",
    usage: "/answer q1 yes",
    summary: "answers the agent's question: yes, no, skip, or any text",
    examples: ["/answer q1 yes", "/answer q1 only since the deploy of 14:00"],
    may: "act",
    agentHears: "all",
  },
  probe: {
    verb: "probe",
    usage: "/probe 2",
    summary: "proposes the dry run of a change, to see what it would do; an approver's runs at once",
    examples: ["/probe 2"],
    may: "act",
    agentHears: "below",
  },
  retry: {
    verb: "retry",
    usage: "/retry 2 3",
    summary:
      "proposes the same commands again, after they have expired, failed or become void; what only reads runs at once",
    examples: ["/retry 3", "/retry 2 3"],
    may: "approve",
    takesSeveral: true,
    agentHears: "below",
  },
  cancel: {
    verb: "cancel",
    usage: "/cancel 2 [web-1]",
    summary: "stops a running command, on one server or on all; undoes an approval that was not sent yet",
    examples: ["/cancel 2", "/cancel 2 web-1"],
    may: "act",
    line: "strict",
    agentHears: "note",
    otherBots: ["abort", "kill"],
  },
  continue: {
    verb: "continue",
    usage: "/continue 2",
    summary: "gives the agent the output so far of a command that still runs",
    examples: ["/continue 2"],
    may: "approve",
    agentHears: "below",
  },
  wait: {
    verb: "wait",
    usage: "/wait 2 [10m]",
    summary: "lets a long command go on, and a comment asks again later; by default after its soft limit once more",
    examples: ["/wait 2", "/wait 2 10m"],
    may: "approve",
    agentHears: "below",
  },
  output: {
    verb: "output",
    usage: "/output 2 [tail 50]",
    summary: "more of an output, also while it runs: page 3, tail 50, or grep text; one check of a set by its place",
    examples: ["/output 2", "/output 2 3", "/output 2 tail 50", "/output 2 grep error"],
    may: "see",
    agentHears: "below",
  },
  verify: {
    verb: "verify",
    usage: "/verify",
    summary: "checks this issue for what was edited, deleted, reordered, or forged",
    examples: ["/verify"],
    may: "see",
    agentHears: "below",
  },
  explain: {
    verb: "explain",
    usage: "/explain 2",
    summary: "why this risk, who can approve, what exactly will run",
    examples: ["/explain 2"],
    may: "see",
    agentHears: "below",
  },
  hold: {
    verb: "hold",
    aliases: ["stop"],
    usage: "/hold [all] [--kill]",
    summary: "stops everything here, or with all in this repository; --kill also ends what runs",
    examples: ["/hold", "/hold all --kill"],
    may: "act",
    flags: { "--kill": {} },
    line: "any",
    agentHears: "note",
  },
  resume: {
    verb: "resume",
    usage: "/resume [all]",
    summary: "lifts a hold; what was approved before it must be approved again",
    examples: ["/resume", "/resume all"],
    may: "approve",
    agentHears: "note",
    otherBots: ["unhold", "unpause"],
  },
  status: {
    verb: "status",
    usage: "/status",
    summary: "where this incident stands, what it has cost and who can approve",
    examples: ["/status"],
    may: "see",
    agentHears: "below",
  },
  whoami: {
    verb: "whoami",
    usage: "/whoami",
    summary: "who you are to this bot, what you may do, and why",
    examples: ["/whoami"],
    may: "see",
    agentHears: "below",
  },
  servers: {
    verb: "servers",
    usage: "/servers",
    summary: "the servers and groups that this repository may use",
    examples: ["/servers"],
    may: "see",
    agentHears: "below",
  },
  oncall: {
    verb: "oncall",
    usage: "/oncall",
    summary: "who is on call, who is next, and who is called when a command waits",
    examples: ["/oncall"],
    may: "see",
    agentHears: "below",
  },
  skills: {
    verb: "skills",
    usage: "/skills",
    summary: "the runbooks of this repository, and what is wrong with any",
    examples: ["/skills"],
    may: "see",
    agentHears: "below",
  },
  workflow: {
    verb: "workflow",
    usage: "/workflow name key=value",
    summary: "proposes the steps of a workflow; without a name, lists them",
    examples: ["/workflow", '/workflow drain-node node=web-1 reason="disk is full"'],
    may: "act",
    agentHears: "below",
  },
  plan: {
    verb: "plan",
    usage: "/plan",
    summary: "shows the agent's plan",
    examples: ["/plan"],
    may: "act",
    agentHears: "below",
  },
  changes: {
    verb: "changes",
    usage: "/changes [2h]",
    summary: "what changed on GitHub before this began: merges, deployments, releases, failed workflow runs",
    examples: ["/changes", "/changes 6h", "/changes cart 1d"],
    may: "act",
    agentHears: "below",
  },
  lease: {
    verb: "lease",
    usage: "/lease 15m web-1 [20]",
    summary: "for so long and so many commands the agent's reads there run by themselves, where the operator allows it",
    examples: ["/lease 15m web-1", "/lease 15m web-1 20", "/lease off"],
    may: "approve",
    mayOff: "act",
    line: "strict",
    agentHears: "note",
  },
  auto: {
    verb: "auto",
    usage: "/auto on",
    summary: "a lease with the operator's time, servers and count; /auto off ends it",
    examples: ["/auto on", "/auto off"],
    may: "approve",
    mayOff: "act",
    line: "strict",
    agentHears: "note",
  },
  handover: {
    verb: "handover",
    usage: "/handover @bob",
    summary: "hands the incident to somebody else, once they comment /handover accept",
    examples: ["/handover @bob", "/handover accept", "/handover decline"],
    may: "act",
    agentHears: "all",
  },
  pillar: {
    verb: "pillar",
    usage: "/pillar revive",
    summary: "the agent restores service first; with troubleshoot it finds the cause first",
    examples: ["/pillar revive", "/pillar troubleshoot"],
    may: "act",
    agentHears: "note",
  },
  feedback: {
    verb: "feedback",
    usage: "/feedback up|down [note]",
    summary: "what you think of the agent's newest reply; 👍 or 👎 on any of its comments does the same",
    examples: ["/feedback down it was the other disk", "/feedback up"],
    may: "act",
    agentHears: "all",
  },
  close: {
    verb: "close",
    usage: "/close [cause] [--anyway]",
    summary: "closes the incident with the cause you give, a postmortem draft, and a timeline",
    examples: ["/close the log volume was full", "/close --anyway it is fixed in the next release"],
    flags: { "--anyway": {} },
    may: "act",
    agentHears: "all",
    otherBots: ["resolve"],
  },
  investigate: {
    verb: "investigate",
    usage: "/investigate [note]",
    summary: "makes this issue an incident; the agent gets your note on every turn",
    examples: ["/investigate\nSuspect the deploy of 14:00. Leave db-1 alone."],
    may: "act",
    takesIn: true,
    agentHears: "note",
  },
  prompt: {
    verb: "prompt",
    usage: "/prompt show",
    summary: "your own part 1 of the agent's prompt: show, set with a text, reset, update (your next comment), cancel",
    examples: ["/prompt show", "/prompt set\nAnswer in Portuguese. Name the unit first.", "/prompt reset"],
    may: "approve",
    agentHears: "nothing",
  },
  key: {
    verb: "key",
    usage: "/key add",
    summary: "the passkeys of approvers: add your own, confirm somebody else's, list them, revoke your own",
    examples: ["/key add", "/key confirm 1a2b3c4d5e6f", "/key list", "/key revoke 1a2b3c4d5e6f"],
    may: "approve",
    line: "strict",
    agentHears: "below",
  },
  help: {
    verb: "help",
    usage: "/help",
    summary: "the commands you can use here; add one to see how to write it",
    examples: ["/help", "/help approve"],
    may: "see",
    agentHears: "below",
  },
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof verbs;

const all: readonly Verb[] = Object.values(verbs);

export const slashNames: readonly string[] = all.flatMap(({ verb, aliases = [] }) => [verb, ...aliases]);

export const valuedFlags: ReadonlySet<string> = new Set(
  all.flatMap(({ flags = {} }) => Object.entries(flags).flatMap(([flag, { example }]) => (example ? [flag] : []))),
);

/** Finds a verb by name or alias. */
export const verbNamed = (name: string): Verb | undefined =>
  all.find(({ verb, aliases }) => verb === name || aliases?.includes(name));

/** Returns the name probably meant; undefined if none is near, because other bots have commands of their own. */
export const nearestVerb = (name: string): string | undefined =>
  all.find(({ otherBots }) => otherBots?.includes(name))?.verb ?? nearest(name, slashNames);

/** Whether a name is ours or nearly ours; the bot ignores others. */
export const isMeantForUs = (name: string): boolean => verbNamed(name) !== undefined || nearestVerb(name) !== undefined;

/** Whether a command takes proposed commands' numbers. */
export const takesNumbers = ({ usage }: Pick<Verb, "usage">): boolean => / \d/.test(usage);
