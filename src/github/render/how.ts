import { isUndecided } from "../../base/action.ts";
import { clock, count, type Markdown } from "./ink.ts";
import { type ActionView, approversOf } from "./state.ts";

/** What a card says of how to approve; the operator's policy, in words. */
export interface ApprovalHint {
  /** `anyone in acme/oncall`, or nothing where nobody may approve. */
  readonly who: string | undefined;
  /** The mention of the teams that may approve; empty where there are none. */
  readonly call: string;
  readonly needed: Readonly<Record<"low" | "medium" | "high", number>>;
  /** High risk wants the server named and a reason. */
  readonly restate: boolean;
  /** False: the bot proposes only (`execution.enabled`). */
  readonly executes: boolean;
  /** What lifts the holds that stand, as `/resume`: until then nobody can approve. */
  readonly lifts?: readonly string[];
}

/** How to decide on the open ones: how many people, who, until when. An incident's first card calls the team, no other does. */
export function renderHow(actions: readonly ActionView[], hint: ApprovalHint, markdown: Markdown): string {
  const open = actions.filter((action) => action.state === "proposed");
  if (open.length === 0) return "";
  if (!hint.executes) return "This bot only proposes here (`execution.enabled: false`): nothing can be run.";
  if (hint.who === undefined) return "Nobody may approve: `policy.approvers` is empty.";
  const undecided = actions.filter(isUndecided);
  const later = open.filter((action) => action.spec.risk !== "high" && isLater(action, undecided));
  const plainly = open.filter((action) => action.spec.risk !== "high" && !later.includes(action));
  const high = open.filter((action) => action.spec.risk === "high");
  const first = open[0]?.number;
  // What has an approval already wants fewer than what stands beside it.
  const together = [plainly.filter((action) => !isBegun(action)), ...plainly.filter(isBegun).map((action) => [action])];
  const lines = together.flatMap((some) => {
    if (some.length === 0) return [];
    const needed = Math.max(...some.map((a) => hint.needed[a.spec.risk === "low" ? "low" : "medium"]));
    return `\`/approve ${some.map((a) => a.number).join(" ")}\` · ${approversLeft(some, needed)}, ${hint.who} · ${deadlines(some)} · \`/reject ${first} why\` · \`/help\``;
  });
  for (const action of high) {
    const restated = hint.restate ? ` ${action.spec.place.replaceAll(", ", ",")} <why>` : "";
    lines.push(
      `${markdown.code(`/approve ${action.number}${restated}`)} · ${approversLeft([action], hint.needed.high)}, ${hint.who} · until ${clock(action.expiresAt)} · high risk: one comment for this alone, with server and reason`,
    );
  }
  const behind = later.filter(({ spec }) => !undecided.some(({ number }) => number === spec.checks));
  if (behind.length > 0)
    lines.push(`Behind these, once they have run: ${behind.map(({ number }) => `**${number}**`).join(", ")}`);
  if (hint.call !== "" && actions.some(({ number }) => number === 1)) lines.push(`📣 ${hint.call}`);
  return lines.join("\n\n");
}

/** What comes before any approval while a hold stands; empty where nothing is open. */
export function renderHold(actions: readonly ActionView[], { executes, who, lifts = [] }: ApprovalHint): string {
  const mayBeApproved = executes && who !== undefined && actions.some(({ state }) => state === "proposed");
  return mayBeApproved && lifts.length > 0
    ? `✋ On hold: ${lifts.map((lift) => `\`${lift}\``).join(" and ")} first.`
    : "";
}

/**
 * Whether an approval of it would be refused now, or comes by itself: it is the check of something undecided, or stands in its list
 * behind a change that needs a comment of its own.
 */
const isLater = ({ number, card, spec }: ActionView, undecided: readonly ActionView[]): boolean =>
  undecided.some(
    (one) =>
      one.number === spec.checks ||
      (one.card === card &&
        one.number < number &&
        one.spec.risk !== "low" &&
        (one.spec.risk === "high" || one.state === "incomplete" || isBegun(one))),
  );

/** What approves all that is open; undefined where that takes more than one number, or more words than that. */
export function openCall(
  actions: readonly ActionView[],
  { executes, who, lifts = [] }: ApprovalHint,
): string | undefined {
  const [only, another] = actions.filter((action) => action.state === "proposed");
  const isPlain =
    executes && who !== undefined && lifts.length === 0 && another === undefined && only?.spec.risk !== "high";
  return isPlain && only ? `/approve ${only.number}` : undefined;
}

/** `until 14:02Z`, and by number where they differ: `1 2 until 14:02Z, 3 until 14:40Z`. */
function deadlines(actions: readonly ActionView[]): string {
  const together = Map.groupBy(actions, ({ expiresAt }) => `until ${clock(expiresAt)}`);
  if (together.size === 1) return [...together.keys()].join("");
  return [...together].map(([until, same]) => `${same.map(({ number }) => number).join(" ")} ${until}`).join(", ");
}

const isBegun = (action: ActionView): boolean => approversOf(action) !== "";

/** `two approvers`, or ``one more approver besides `@lee` `` where somebody has approved it already. */
function approversLeft([action]: readonly ActionView[], needed: number): string {
  if (!action || !isBegun(action)) return count(needed, "approver");
  const given = action.verdicts.filter(({ verdict }) => verdict === "approve").length;
  return `${count(Math.max(1, needed - given), "more approver")} besides ${approversOf(action)}`;
}
