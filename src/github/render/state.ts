import type { ActionState, NamedValue, OpenPlace, SetMember } from "../../base/action.ts";
import type { Unbounded } from "../../base/risk.ts";
import type { Ending, Expectation, Outcome } from "../../base/run.ts";
import type { TargetView } from "./card.ts";
import { runsWords } from "./ending.ts";
import { type Markdown, name } from "./ink.ts";

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
    readonly set?: readonly SetMember[] | undefined;
    readonly tidied?: readonly string[] | undefined;
    readonly filled?: readonly NamedValue[] | undefined;
    readonly open?: readonly OpenPlace[] | undefined;
    readonly risk: "low" | "medium" | "high" | "block";
    readonly expect?: Expectation | undefined;
    readonly check?: string | undefined;
    readonly undo?: string | undefined;
    readonly ownCheck?: string | undefined;
    readonly probes?: number | undefined;
    readonly checks?: number | undefined;
  };
  /** Its list: what stands on one card runs in the order of its numbers. */
  readonly card?: string | undefined;
  /** Markdown below its entry: what a probe of it showed, or that there is one. */
  readonly probe?: string | undefined;
  /** Why a lease, where one is on, leaves it to people. */
  readonly attended?: string | undefined;
  /** Who approved or rejected it, in order. */
  readonly verdicts: readonly VerdictView[];
  /** One for each of its servers, once it was sent off. */
  readonly runs: readonly RunView[];
}

interface VerdictView {
  readonly login: string;
  readonly verdict: "approve" | "reject";
  /** Said of this very action, or by a lease (AR-03); the former where nothing is said. */
  readonly via?: "comment" | "agent-mode";
}

export interface RunView {
  readonly server: string;
  /** Which command of a set it runs, from 0. */
  readonly step?: number | null;
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

/** Whether it goes by a lease and not by an approval of its own. */
export const isAuto = ({ verdicts }: Pick<ActionView, "verdicts">): boolean =>
  verdicts.some(({ via }) => via === "agent-mode");

/** Who approved it: `` `@lee` and lease (`@mona`)``; empty where nobody has. */
export const approversOf = ({ verdicts }: Pick<ActionView, "verdicts">): string =>
  verdicts
    .filter(({ verdict }) => verdict === "approve")
    .map(({ login, via }) => (via === "agent-mode" ? `lease (${name(login)})` : name(login)))
    .join(" and ");

const by = (logins: readonly string[]): string => (logins.length === 0 ? "" : ` by ${logins.map(name).join(" and ")}`);

/** The state of an action as the board says it. */
export function stateWords(action: ActionView, markdown: Pick<Markdown, "code" | "note">): string {
  const approvers = approversOf(action);
  const approved = approvers === "" ? "approved" : `approved by ${approvers}`;
  switch (action.state) {
    case "proposed":
      return approvers !== "" ? `waits for another approver, ${approved}` : "waits for approval";
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

/** What was filled into a command, and what it still asks for, as a card says it. */

const sayers = { alert: "the alert", form: "the issue", person: "a person" } as const satisfies Record<
  NamedValue["source"],
  string
>;

/** `` `pod` = `cart-7f9` (the alert) · `ns` = `shop` (the issue) `` */
export const filledWords = (filled: readonly NamedValue[], { code }: Pick<Markdown, "code">): string =>
  filled.map(({ name, value, source }) => `${code(name)} = ${code(value)} (${sayers[source]})`).join(" · ");

/** `/fill 2 pod=… ns=…` */
export const fillUsage = ({
  number,
  spec,
}: Pick<ActionView, "number"> & { readonly spec: Pick<ActionView["spec"], "open"> }): string =>
  `/fill ${[number, ...(spec.open ?? []).map(({ name }) => `${name}=…`)].join(" ")}`;

/** What to type, and what each value can be. */
export function openWords(
  { number, spec }: Pick<ActionView, "number" | "spec">,
  { code }: Pick<Markdown, "code">,
): string {
  const kinds = (spec.open ?? []).map(
    ({ name, kind, why }) => `${code(name)} is ${kind}${why === undefined ? "" : ` (${why})`}`,
  );
  return `${code(fillUsage({ number, spec }))} · ${kinds.join("; ")}`;
}
