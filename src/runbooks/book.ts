/** What of a runbook can be proposed as it stands, and what only with a person's own values. Pure. */

import { findingsOf } from "./findings.ts";
import { type Book, quotedText } from "./next-step.ts";
import { adviceOf, commandsOf } from "./sections.ts";

/** The commands of a runbook's body as they can be followed; a check that changes something is none. */
export function bookOf(
  body: string,
  given: {
    readonly changes: (command: string) => boolean;
    /** Whether `changes` has a policy behind it; without one only what stands under Verify is taken for a check. */
    readonly isJudged: boolean;
    readonly unread: boolean | undefined;
  },
): Book {
  const { changes, isJudged, unread } = given;
  const { verify, act } = commandsOf(body);
  const advice = adviceOf(body);
  return {
    verify: verify.filter((command) => !hasPlaceholder(command) && !changes(command)),
    act: act.filter((command) => !hasPlaceholder(command)),
    findings: unread ? [] : findingsOf(body),
    unread,
    checkOf: (command) => {
      const check = advice.get(command)?.check;
      if (check === undefined || hasPlaceholder(check)) return undefined;
      // It may be a sentence for people.
      return verify.includes(check) || (isJudged && !changes(check)) ? check : undefined;
    },
  };
}

/** A value that only a person can give: `$NODE`, `<name>`, `{{name}}`. */
export const hasPlaceholder = (command: string): boolean =>
  /<[a-z][\w -]*>|\{\{.*?\}\}/i.test(command) ||
  /\$\{?(?!(?:HOME|HOSTNAME|PATH|PWD|USER)\b)[A-Z][A-Z0-9_]+\b/.test(command.replace(/'[^']*'/g, ""));

/** Names commands that need such values. */
export const fillIn = (commands: readonly string[]): string =>
  `With your own values these belong to it too (\`/run SERVER\` with a code block):\n\n${commands.map((command) => `- ${quotedText(command)}`).join("\n")}`;
