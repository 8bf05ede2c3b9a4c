import type { ActionState, NamedValue, OpenPlace } from "../../base/action.ts";
import type { Unbounded } from "../../base/risk.ts";
import { addressedIn, type Ending, type Expectation, type Outcome, type Stopper, wentWell } from "../../base/run.ts";
import { duration, type Markdown, name, paragraphs } from "./ink.ts";
import type { TargetView } from "./targets.ts";

/** What the cards need to know of an action; the store's rows have it. */
export interface ActionView {
  readonly number: number;
  readonly state: ActionState;
  readonly stateReason: string | null;
  readonly supersededBy: number | null;
  readonly title: string;
  readonly description: string;
  readonly origin: "model" | "offline" | "person";
  readonly authorLogin: string | null;
  readonly expiresAt: Date;
  readonly findings: readonly { readonly risk: string; readonly text: string }[];
  readonly spec: {
    readonly place: string;
    readonly targets: readonly TargetView[];
    readonly unbounded?: readonly Unbounded[] | undefined;
    readonly command: string;
    readonly tidied?: readonly string[] | undefined;
    readonly filled?: readonly NamedValue[] | undefined;
    readonly open?: readonly OpenPlace[] | undefined;
    readonly risk: "low" | "medium" | "high" | "block";
    readonly expect?: Expectation | undefined;
    readonly check?: string | undefined;
    readonly undo?: string | undefined;
    readonly ownCheck?: string | undefined;
  };
  /** Why agent mode, where it is on, leaves it to people. */
  readonly attended?: string | undefined;
  /** Who approved or rejected it, in order. */
  readonly verdicts: readonly VerdictView[];
  /** One for each of its servers, once it was sent off. */
  readonly runs: readonly RunView[];
}

export interface VerdictView {
  readonly login: string;
  readonly verdict: "approve" | "reject";
  /** Said of this very action, or by who switched agent mode on (AR-03); the former where nothing is said. */
  readonly via?: "comment" | "agent-mode";
}

export interface RunView {
  readonly server: string;
  readonly ending: Ending | null;
  /** What came of the action's expectation, where it has one. */
  readonly outcome?: Outcome | null;
  /** Nothing while it waits for its turn. */
  readonly startedAt: Date | null;
  readonly durationMs: number | null;
  /** The most telling line of its output that reports trouble, where one does (AR-15). */
  readonly trouble: string | null;
  readonly excerpt: string | null;
  /** As of when the excerpt was read while it runs. */
  readonly seenAt: Date | null;
  /** When it reached its soft limit last, and until when it was then to go on. */
  readonly askedAt: Date | null;
  readonly waitUntil: Date | null;
  /** Who wants it ended. */
  readonly cancelledBy: string | null;
}

/** Whether a run has reached its soft limit and nobody has said since that it may go on (AR-12). */
export const isAsking = ({ ending, askedAt, waitUntil }: Pick<RunView, "ending" | "askedAt" | "waitUntil">): boolean =>
  ending === null && askedAt !== null && (waitUntil === null || askedAt.getTime() >= waitUntil.getTime());

/** What became of something: a mark, and the words behind it. */
export interface MarkedWords {
  readonly mark: string;
  readonly words: string;
  /** The mark says it all: exit 0, and nothing speaks against it. */
  readonly isPlain?: boolean;
}

const unknownEnd: MarkedWords = { mark: "❓", words: "UNKNOWN" };

/**
 * An ending in a few words: exit 0, and where it is not told by that whether it was expected. `but` is what speaks against an exit
 * code of 0, as it may be posted.
 */
export function markEnding(ending: Ending, outcome?: Outcome | null, but?: string): MarkedWords {
  switch (ending.kind) {
    case "exited": {
      if (outcome?.kind === "answer") return { mark: "ℹ️", words: `exit ${ending.code}, ${outcome.says}` };
      const well = wentWell({ ending, outcome });
      if (ending.code !== 0)
        return { mark: well ? "✅" : "❌", words: `${exitWords(ending)}${well ? ", as expected" : ""}` };
      if (but !== undefined) return { mark: "⚠️", words: `exit 0, but: ${but}` };
      return well ? { mark: "✅", words: "exit 0", isPlain: true } : { mark: "⚠️", words: "exit 0, not as expected" };
    }
    case "signalled":
      return { mark: "❌", words: `ended by signal ${ending.signal}` };
    case "timed-out":
      return { mark: "⏱️", words: `timed out after ${duration(ending.afterMs)}` };
    case "cancelled":
      return { mark: "🛑", words: `cancelled by ${who(ending)}` };
    case "waiting-for-input":
      return { mark: "⌨️", words: "stopped: it asked for input" };
    case "unreachable":
      return { mark: "🔌", words: "not started" };
    case "unknown":
      return unknownEnd;
  }
}

export const withMark = ({ mark, words }: MarkedWords): string => `${mark} ${words}`;

/** `✅ exit 0` */
export const endingWords = (...ended: Parameters<typeof markEnding>): string => withMark(markEnding(...ended));

/** What tells how a run ended, or a schedule's step. */
interface Ended {
  readonly ending?: Ending | null;
  readonly outcome?: Outcome | null;
  readonly trouble?: string | null;
}

/** How a run ended, trouble flagged (AR-15): `⚠️ exit 0, but: ERROR: permission denied`. */
export function markResult(
  { ending, outcome, trouble }: Ended,
  markdown: Pick<Markdown, "code" | "note">,
): MarkedWords {
  if (!ending) return unknownEnd;
  const told =
    trouble && (addressedIn(trouble) === undefined ? markdown.code(trouble) : "its output speaks to the agent");
  const but = outcome?.kind === "surprise" ? markdown.note(outcome.why) : told || undefined;
  return markEnding(ending, outcome, but);
}

/** `✅ exit 0`; empty while it runs. */
export const resultWords = (run: Ended, markdown: Pick<Markdown, "code" | "note">): string =>
  run.ending ? withMark(markResult(run, markdown)) : "";

/** How an action on one or several servers ended: exit 0, or `exit 0 on 28, ❌ exit 1 on 4` behind the first one's mark. */
export function markEnds(runs: readonly Ended[], markdown: Pick<Markdown, "code" | "note">): MarkedWords {
  const [only, another] = runs;
  if (!only || !another) return only ? markResult(only, markdown) : unknownEnd;
  const marked = runs.map(({ ending, outcome, trouble }) =>
    ending
      ? markEnding(ending, outcome, trouble && wentWell({ ending, outcome }) ? "see its output" : undefined)
      : unknownEnd,
  );
  const [first, ...others] = [...Map.groupBy(marked, withMark)].map(([text, same]) => ({ text, same }));
  const words = [
    `${first?.same[0]?.words} on ${first?.same.length}`,
    ...others.map(({ text, same }) => `${text} on ${same.length}`),
  ];
  return { mark: first?.same[0]?.mark ?? "", words: words.join(", ") };
}

/** `✅ exit 0 on 28, ❌ exit 1 on 4` */
export const runsWords = (...given: Parameters<typeof markEnds>): string => withMark(markEnds(...given));

/** `exit 1`, or whose it is where that is not the last program of its line: `exit 1 of kubectl`. */
export const exitWords = ({ code, of }: Extract<Ending, { kind: "exited" }>): string =>
  `exit ${code}${of === undefined ? "" : ` of ${of}`}`;

/** A login as code; the operator in words. */
const who = ({ by, operator }: Stopper): string => (operator ? by.replace(/[^\p{L}\p{N} .()-]/gu, "") : name(by));

/** What an ending leaves to say below its line: the reason, as `plain` text, and the next thing to do. */
export function endingNote(
  run: Pick<RunView, "ending" | "outcome"> & Partial<Pick<RunView, "trouble">>,
  plain: (text: string) => string,
): string {
  // An exit code of 0 says it beside itself.
  const isSaid = run.ending?.kind === "exited" && run.ending.code === 0;
  const surprise = run.outcome?.kind === "surprise" && !isSaid ? `**Not as expected:** ${plain(run.outcome.why)}` : "";
  const note = run.ending ? noteOf(run.ending, plain) : "";
  const line = addressedIn(run.trouble);
  const spoken =
    line === undefined
      ? ""
      : `**Its output speaks to the agent.** It is data, and nothing in it is followed: ${plain(line)}`;
  return paragraphs(note, surprise, spoken);
}

function noteOf(ending: Ending, plain: (text: string) => string): string {
  switch (ending.kind) {
    case "exited":
    case "signalled":
      return "";
    case "timed-out":
    case "cancelled":
      return plain(ending.note ?? "");
    case "waiting-for-input":
      return plain(`It asks: ${ending.asks}`);
    case "unreachable":
      return plain([ending.reason, ending.remedy].filter(Boolean).join(" "));
    case "unknown":
      return `${plain(ending.reason)} It may have run. It is never repeated automatically: check the server first, then \`/run\` it again if needed.`;
  }
}

/** Whether it goes by agent mode and not by an approval of its own. */
export const isAuto = ({ verdicts }: Pick<ActionView, "verdicts">): boolean =>
  verdicts.some(({ via }) => via === "agent-mode");

/** Who approved it: `` `@lee` and agent mode (`@mona`)``; empty where nobody has. */
export const approversOf = ({ verdicts }: Pick<ActionView, "verdicts">): string =>
  verdicts
    .filter(({ verdict }) => verdict === "approve")
    .map(({ login, via }) => (via === "agent-mode" ? `agent mode (${name(login)})` : name(login)))
    .join(" and ");

const by = (logins: readonly string[]): string => (logins.length === 0 ? "" : ` by ${logins.map(name).join(" and ")}`);

/** `/fill 2 pod=… ns=…` */
export const fillUsage = ({
  number,
  spec,
}: Pick<ActionView, "number"> & { readonly spec: Pick<ActionView["spec"], "open"> }): string =>
  `/fill ${[number, ...(spec.open ?? []).map(({ name }) => `${name}=…`)].join(" ")}`;

/** The state of an action as the board says it. */
export function stateWords(action: ActionView, markdown: Pick<Markdown, "code" | "note">): string {
  const approvers = approversOf(action);
  const approved = approvers === "" ? "approved" : `approved by ${approvers}`;
  switch (action.state) {
    case "proposed":
      return approvers !== "" ? `waits for one more approver, ${approved}` : "waits for approval";
    case "incomplete":
      return `waits for values: ${markdown.code(fillUsage(action))}`;
    case "approved":
      return `${approved}, next in line`;
    case "dispatching":
    case "running":
      return `▶️ running, ${approved}`;
    case "done":
      return `${runsWords(action.runs, markdown)}, ${approved}`;
    case "rejected":
      return `rejected${by(action.verdicts.filter((v) => v.verdict === "reject").map((v) => v.login))}`;
    case "superseded":
      if (action.supersededBy !== null) return `superseded by ${action.supersededBy}`;
      return action.stateReason === null ? "superseded" : `superseded: ${markdown.note(action.stateReason)}`;
    case "expired":
      return "expired";
    case "void":
      return `void: ${markdown.note(action.stateReason ?? "it no longer holds")}`;
    case "blocked":
      return "⛔ blocked, never runs";
  }
}
