import { rightsOf } from "../../approval/rights.ts";
import type { CommentEvent } from "../../github/events.ts";
import { parseSlashCommand } from "../../slash/grammar.ts";
import { verbNamed } from "../../slash/verbs.ts";
import type { Action } from "../../store/actions.ts";
import type { Deps } from "../context.ts";

/**
 * The command that its author has made of a comment by an edit, where they may write here: who fixes a typo so waits for an
 * answer. Undefined where the comment says no command or the one that it said before, and where GitHub does not tell their rights.
 */
export async function commandByEdit(deps: Deps, event: CommentEvent): Promise<string | undefined> {
  const { comment, issue, sender } = event;
  const { author, body, before } = comment;
  const line = lineOf(deps, body);
  if (event.action !== "edited" || line === undefined || line === lineOf(deps, before ?? "")) return undefined;
  if (author?.type !== "User" || author.id !== sender.id) return undefined;
  try {
    const { installationId, repo, number } = issue;
    const facts = await deps.facts({ installationId, repo, issue: number, people: [author], comments: [], teams: [] });
    const { role = "none", teams = [] } = facts.people.get(author.id) ?? {};
    const standing = { person: author, type: author.type, role, teams, viaApp: comment.viaAppId !== undefined };
    return rightsOf(deps.config.policy.approvers, standing).propose ? line : undefined;
  } catch (error) {
    deps.log.warn({ module: "github", event: "facts_failed", err: error, repo: issue.repo, issue: issue.number });
    return undefined;
  }
}

/** What is longer nobody copies from a line. */
const maxReason = 100;

function lineOf({ config }: Deps, body: string): string | undefined {
  const slash = parseSlashCommand(body, config.commands.prefixes);
  if (slash?.kind !== "command" || !verbNamed(slash.verb)) return undefined;
  const ids =
    slash.ids === "all" ? ["all"] : slash.ids.map(({ number, pin }) => (pin ? `${number}@${pin}` : `${number}`));
  const flags = [...slash.flags].map(([name, value]) => (value === "" ? name : `${name} ${value}`));
  const reason = slash.words.join(" ");
  return [`/${slash.verb}`, ...flags, ...ids, ...(reason.length > maxReason ? [] : [reason])].join(" ").trim();
}

/** What a change of somebody's comment came to; nothing where it came to nothing that they could miss. */
export function editAnswer(
  { markdown }: Pick<Deps, "markdown">,
  given: {
    readonly how: "edited" | "deleted";
    /** What was approved by it and waits again. */
    readonly withdrawn: readonly Pick<Action, "number" | "spec">[];
    readonly endedLease: boolean;
    readonly command: string | undefined;
  },
): string | undefined {
  const { how, withdrawn, endedLease, command } = given;
  const [first] = withdrawn;
  if (first) {
    const numbers = withdrawn.map(({ number }) => number);
    const own = first.spec.risk === "high" ? `${first.number} ${first.spec.place} <why>` : numbers.join(" ");
    const again = command?.startsWith("/approve ") ? command : `/approve ${own}`;
    return `The approval of **${numbers.join("**, **")}** is gone: its comment was ${how}. Comment ${markdown.code(again)} again.`;
  }
  if (endedLease)
    return `The lease has ended: the comment that gave it was ${how}. Comment \`/lease 15m web-1\` again.`;
  return command === undefined
    ? undefined
    : `Nothing was run: an edited comment does not count. Comment ${markdown.code(command)} again.`;
}
