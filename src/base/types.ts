/**
 * The words everybody shares. Each is used one way:
 *
 * - **delivery**: one webhook call. **job**: what a delivery becomes; it waits in its incident's line.
 * - **incident**: an issue that carries the configured label or was taken in by a person.
 * - **session**: the agent's state for one incident. **turn**: one run of the model, ending in one comment; it is a *step*.
 * - **action**: one proposed command on one server, with a number never reused in that issue.
 * - **approval**: one person's countersignature on one action, bound to the action's digest.
 * - **run**: the execution of an approved action; it has output and an ending.
 * - **server**: where commands run. **command**: an action's shell text. **slash command**: a `/approve` in a comment.
 * - **prompt** is the model's prompt only; **agent** is the model side, never ssh-agent.
 */

/** How much harm a command can do, from least to most. `block` never runs, even approved (docs/policy.md). */
export const risks = ["low", "medium", "high", "block"] as const;
export type Risk = (typeof risks)[number];

/** The stricter of two risks. */
export const stricter = (a: Risk, b: Risk): Risk => (risks.indexOf(a) >= risks.indexOf(b) ? a : b);

/** The states of an action; `src/store/actions.ts` knows which may follow which. */
export const actionStates = [
  "proposed",
  "approved",
  "dispatching",
  "running",
  "done",
  "rejected",
  "superseded",
  "expired",
  "void",
  "blocked",
] as const;
export type ActionState = (typeof actionStates)[number];

/** Who has a command ended. */
export interface Stopper {
  /** A login; of the operator at the command line, who is nobody on GitHub, other words. */
  readonly by: string;
  readonly operator?: true;
}

/** How a run ended. Nothing defaults to success: an ending that is not known is `unknown` and says what is known. */
export type Ending =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timed-out"; readonly afterMs: number; readonly note?: string }
  | ({ readonly kind: "cancelled"; readonly note?: string } & Stopper)
  | { readonly kind: "waiting-for-input"; readonly asks: string }
  /** The command was certainly never started; `remedy` says what to do. */
  | { readonly kind: "unreachable"; readonly reason: string; readonly remedy?: string }
  /** The command may have run; never repeated by itself. */
  | { readonly kind: "unknown"; readonly reason: string };

export type OperatingSystem = "linux" | "windows";
export type Shell = "bash" | "powershell" | "cmd";

/** A server of the operator's inventory, as the config file describes it (docs/configuration.md, `servers`). */
export interface Server {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly os: OperatingSystem | "auto";
  readonly groups: readonly string[];
  readonly description: string;
  readonly keyFile?: string | undefined;
  /** Holds the key file's passphrase; mode 0600. */
  readonly keyPassphraseFile?: string | undefined;
  /** Use the ssh-agent at SSH_AUTH_SOCK, or at `agentSocket`, instead of a key file. */
  readonly agent: boolean;
  readonly agentSocket?: string | undefined;
  readonly knownHostsFile?: string | readonly string[] | undefined;
  /** The name under which known_hosts files know the server, whatever its address and port. */
  readonly hostKeyAlias?: string | undefined;
  /** A pinned host key, `"ssh-ed25519 AAAA…"`; wins over the known_hosts file. */
  readonly hostKey?: string | undefined;
  readonly jump?: string | undefined;
  readonly tty: boolean;
  readonly backend: "ssh2" | "openssh";
  /** The ssh_config its address, user and keys were read from, and the name it has there. */
  readonly sshConfig?: { readonly file: string; readonly host: string } | undefined;
  readonly softTimeoutMs: number;
  readonly hardTimeoutMs: number;
  readonly maxRisk: Risk;
  readonly env?: string | undefined;
  readonly shell: Shell;
  readonly path: string;
  readonly protectedPaths: readonly string[];
  /** Undefined where the operator names none: then the usual databases are. */
  readonly criticalServices?: readonly string[] | undefined;
}

/** What the model, and people who may not see more, learn of a server (PA-8): never address, user or key. */
export interface ServerSummary {
  readonly name: string;
  readonly os: OperatingSystem | "auto";
  readonly groups: readonly string[];
  readonly description: string;
}

/** A person as GitHub knows them. The numeric id is the identity; the login is only for display (SR-14). */
export interface Person {
  readonly id: number;
  readonly login: string;
}

/** An issue, addressed so that it stays the same issue through renames (SR-25). */
export interface IssueRef {
  readonly installationId: number;
  readonly repoId: number;
  /** `owner/name` at the time of the delivery. */
  readonly repo: string;
  readonly number: number;
  /** GraphQL node id of the issue. */
  readonly nodeId: string;
}

/** An action as somebody proposes it, before policy has looked at it and before it has a number. */
export interface Proposal {
  readonly title: string;
  readonly description: string;
  readonly server: string;
  readonly command: string;
  /** The proposer's own label; it can only raise what our classifier says (PA-7). */
  readonly risk?: Risk | undefined;
  readonly expect?: Expectation | undefined;
  /** A command that only reads, to run right behind it under the same approval. */
  readonly check?: string | undefined;
}

/**
 * How a run is expected to go: a workflow's `expect`, or the model's own prediction. Whatever does not hold counts as a failure of
 * the run. Patterns are plain text in which `*` stands for anything within a line.
 */
export interface Expectation {
  readonly exit: number;
  readonly contains?: string | undefined;
  readonly lacks?: string | undefined;
  readonly withinMs?: number | undefined;
}

/** What came of an expectation (`why` is a clause: `its output lacks "ok"`); without one, what a read's exit code answers: `no match`. */
export type Outcome =
  | { readonly kind: "as-expected" }
  | { readonly kind: "surprise"; readonly why: string }
  | { readonly kind: "answer"; readonly says: string };

/** Whether a run went well: as expected, or where nothing was expected with exit code 0 or one that is an answer. */
export const wentWell = (run: { ending: Ending | null; outcome?: Outcome | null | undefined }): boolean =>
  run.outcome ? run.outcome.kind !== "surprise" : run.ending?.kind === "exited" && run.ending.code === 0;

/** One finding of the classifier, in plain words: why a command has its risk. */
export interface Finding {
  readonly ruleId: string;
  readonly risk: Risk;
  /** e.g. `writes /etc/nginx/nginx.conf by redirection`. */
  readonly text: string;
  /** UTF-16 offsets into the command, where known. */
  readonly span?: readonly [start: number, end: number];
  /** Where it stands in a script found inside the command (quoted, decoded): that script, and the offsets into it. */
  readonly inner?: { readonly text: string; readonly span: readonly [start: number, end: number] };
}

/**
 * What was read from a run: bounded, counted and hashed, never decoded before it is cleaned (SR-54). Where it is long its bytes
 * lie outside of memory and are read each time they are asked for, so not to be held (RR-19).
 */
export interface Capture {
  /** The first bytes, up to the cap's half. */
  readonly head: Uint8Array;
  /** The last bytes after the gap; empty where nothing was dropped (then `head` is everything). */
  readonly tail: Uint8Array;
  /** Bytes read in all. */
  readonly bytes: number;
  /** Bytes between head and tail that were counted and hashed but not kept. */
  readonly dropped: number;
  /** SHA-256 of everything read, hex. */
  readonly sha256: string;
  /** Lets go of the bytes, which cannot be read any more then. */
  readonly release?: () => void;
}

/** A message of the conversation with the model, as sent on the Chat Completions wire. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them: JSON text, not yet validated. */
  readonly arguments: string;
}

/** `estimated`: the endpoint told nothing and we counted ourselves. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly estimated: boolean;
}

export const phases = ["identify", "verify", "investigate", "plan", "act"] as const;
export type Phase = (typeof phases)[number];

export const confidences = ["CONFIRMED", "LIKELY", "INCONCLUSIVE"] as const;
export type Confidence = (typeof confidences)[number];

/** What a turn came to, from the model or from the offline responder alike. */
export interface Reading {
  /** The agent's words, without markers and blocks. Untrusted Markdown: goes through `text/prose` before it is posted. */
  readonly prose: string;
  readonly confidence?: Confidence | undefined;
  readonly phase?: Phase | undefined;
  readonly proposals: readonly Proposal[];
  /** Numbers of open proposals: those that these replace though somebody has approved them, and those that are taken back. */
  readonly replaces?: readonly number[];
  readonly withdraws?: readonly number[];
  readonly suggestions: readonly string[];
  readonly runbooks: readonly RunbookLink[];
  /** Lines a person must see: what was dropped, what could not be read, that the model was down. */
  readonly notes: readonly string[];
}

export interface RunbookLink {
  readonly label: string;
  readonly url: string;
}

/** A skill by the Agent Skills specification, as found in a repository: at `path` of `source`, e.g. `acme/web@1a2b3c4`. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly source: string;
  readonly body: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A text file read from a repository at a commit. `source`: where it came from, e.g. `acme/web@1a2b3c4`. */
export interface RepoFile {
  readonly path: string;
  readonly text: string;
  readonly source: string;
}
