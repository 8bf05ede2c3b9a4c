/** A runbook's commands with what is known of the incident in them, and what only a person's values complete. Pure. */

import type { NamedValue } from "../base/action.ts";
import type { Shell } from "../base/server.ts";
import { findingsOf } from "./findings.ts";
import { type Book, quotedText } from "./next-step.ts";
import { createPrepare, type PreparedCommand } from "./prepare.ts";
import { adviceOf, commandsOf } from "./sections.ts";

/** A runbook's commands as they can be followed, and those that wait for a person's values. */
export interface FilledBook extends Book {
  /** What stands under Verify and Act and is not complete. */
  readonly openVerify: readonly PreparedCommand[];
  readonly openAct: readonly PreparedCommand[];
  /** What the runbook lists under Verify and changes something there. */
  readonly changing: readonly string[];
  /** A command with how the runbook writes it, and what was filled in. */
  readonly preparedOf: (command: string) => PreparedCommand;
}

/** The commands of a runbook's body; a check that changes something is none. */
export function bookOf(
  body: string,
  given: {
    readonly changes: (command: string) => boolean;
    /** Whether `changes` has a policy behind it; without one only what stands under Verify is taken for a check. */
    readonly isJudged: boolean;
    readonly unread: boolean | undefined;
    readonly values: readonly NamedValue[];
    readonly shells: readonly Shell[];
  },
): FilledBook {
  const { changes, isJudged, unread, values, shells } = given;
  const prepare = createPrepare(body, values, shells);
  const written = commandsOf(body);
  const listed = written.verify.flatMap(prepare);
  const acts = written.act.flatMap(prepare);
  // A runbook without a Verify part looks before it changes something, under the same heading.
  const firstChange = acts.findIndex(({ command }) => changes(command));
  const reads = listed.length > 0 || !isJudged ? 0 : firstChange < 0 ? acts.length : firstChange;
  const verify = [...listed, ...acts.slice(0, reads)];
  const act = acts.slice(reads);
  const all = new Map([...verify, ...act].map((one) => [one.command, one]));
  const advice = adviceOf(body);
  const commandOf = (text: string): string => prepare(text)[0]?.command ?? text;
  const checks = complete(verify);
  return {
    verify: checks.filter((command) => !changes(command)),
    // What asks for values comes last: nobody may have them.
    act: [...new Set([...complete(act), ...act.flatMap(({ command, fillable }) => (fillable ? [command] : []))])],
    changing: checks.filter(changes),
    openVerify: verify.filter(({ open, command }) => open.length > 0 && !changes(command)),
    openAct: act.filter(({ open }) => open.length > 0),
    findings: unread
      ? []
      : findingsOf(body).map((finding) => ({
          ...finding,
          check: finding.check === undefined ? undefined : commandOf(finding.check),
          acts: finding.acts.map(commandOf),
        })),
    unread,
    checkOf: (command) => {
      const check = advice.get(all.get(command)?.written ?? command)?.check;
      const [ready] = check === undefined ? [] : prepare(check);
      if (ready === undefined || ready.open.length > 0) return undefined;
      // It may be a sentence for people.
      const isRead = checks.includes(ready.command) || (isJudged && !changes(ready.command));
      return isRead ? ready.command : undefined;
    },
    preparedOf: (command) =>
      all.get(command) ?? prepare(command)[0] ?? { written: command, command, filled: [], open: [], fillable: true },
  };
}

const complete = (commands: readonly PreparedCommand[]): readonly string[] => [
  ...new Set(commands.flatMap(({ command, open }) => (open.length === 0 ? [command] : []))),
];

/** Names commands that need values which `/fill` cannot give. */
export const fillIn = (commands: readonly string[]): string =>
  `With your own values these belong to it too (\`/run SERVER\` with a code block):\n\n${commands.map((command) => `- ${quotedText(command)}`).join("\n")}`;
