/** What people may take up next with `/ask a`, from the runbooks alone (AR-21, DC-5). Pure. */

const fewest = 2;
const most = 4;
const maxCharacters = 120;

/** What an offline turn is asked for, where it can do that without a model. */
export type Wish =
  | { readonly kind: "act" | "look" | "escalation" | "runbooks" | "servers" }
  | { readonly kind: "check"; readonly command: string };

/** The words of each wish, as they are offered and as people may type them. */
const words = {
  act: "Next step",
  check: "Check",
  look: "Look again",
  escalation: "Escalate",
  runbook: "Follow the runbook",
  runbooks: "List the runbooks",
  servers: "List the servers",
} as const;

const cut = (text: string): string => (text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text);

/** Two to four follow-ups from what a runbook still has, or from what there is at all. */
export function followUps(given: {
  /** The act and the checks of the runbook that stand on no card now. */
  readonly act?: string | undefined;
  readonly checks?: readonly string[];
  readonly escalation?: string | undefined;
  /** Other runbooks that may fit, best first. */
  readonly others?: readonly string[];
  readonly mayLook?: boolean;
}): readonly string[] {
  const { act, checks = [], escalation, others = [], mayLook = false } = given;
  const offered = [
    ...(act === undefined ? [] : [`${words.act}: ${act}`]),
    ...checks.slice(0, 1).map((command) => `${words.check}: ${command}`),
    ...(escalation === undefined ? [] : [`${words.escalation}: ${escalation.split("\n", 1)[0]}`]),
    ...others.map((name) => `${words.runbook} ${name}`),
    ...(mayLook ? [words.look] : []),
  ].map(cut);
  return [...offered.slice(0, most), words.runbooks, words.servers].slice(
    0,
    Math.max(fewest, Math.min(most, offered.length)),
  );
}

/** Somebody's own follow-ups, and others with them (AR-21). */
export const topUp = (own: readonly string[], others: readonly string[]): readonly string[] =>
  [...own, ...others].slice(0, most);

/** What a person's words wish for; undefined where only a model could answer them. */
export function wishIn(text: string, checks: readonly string[]): Wish | undefined {
  const said = text.trim().replace(/[.!]+$/, "");
  const begins = (word: string) => new RegExp(`^${word}(?::|$)`, "i").test(said);
  if (begins("act") || begins(words.act)) return { kind: "act" };
  if (/^(?:look|check)(?: again)?$/i.test(said)) return { kind: "look" };
  if (begins(words.escalation)) return { kind: "escalation" };
  if (begins(words.runbooks)) return { kind: "runbooks" };
  if (begins(words.servers)) return { kind: "servers" };
  const wanted = /^check:\s*(.+?)…?$/is.exec(text.trim())?.[1];
  const command = wanted === undefined ? undefined : checks.find((one) => one === wanted || one.startsWith(wanted));
  return command === undefined ? undefined : { kind: "check", command };
}
