import { mostInSet } from "../base/action.ts";
import type { Ending } from "../base/run.ts";
import { type OutputFinding, shows } from "./findings.ts";

export interface PastRun {
  readonly command: string;
  readonly output: string;
  readonly ending: Ending;
  /** Of its action. */
  readonly number?: number;
  /** By default the runbook's target. */
  readonly servers?: readonly string[];
}

/** Complete commands. */
export interface Book {
  readonly verify: readonly string[];
  readonly act: readonly string[];
  readonly findings: readonly OutputFinding[];
  /** By `# check:`. */
  readonly checkOf: (act: string) => string | undefined;
  readonly unread?: boolean | undefined;
}

export interface Step {
  readonly kind: "look" | "act" | "stop";
  /** For an act: itself, then the checks of its effect. */
  readonly commands: readonly string[];
  readonly says: string;
}

export interface Course {
  readonly runs: readonly PastRun[];
  /** Waiting for a decision, or under way. */
  readonly open: ReadonlySet<string>;
  /** Not proposed again. */
  readonly refused: ReadonlySet<string>;
  readonly wish?: "act" | "look" | undefined;
}

const maxProposals = 3;
/** They become a set for each server, so one line of the card each. */
const maxLooks = mostInSet;
const leftOut = (commands: readonly string[]): readonly string[] => {
  const left = commands.slice(maxLooks).map(quotedText);
  return left.length === 0 ? [] : [`Left for the next card: ${left.join(", ")}.`];
};

const stillOpen = "The runbook's next step is open already.";

const over = "If it is healthy: `/close <cause>`";
const helped = "See whether that helped; these only read.";
const doneWords = `Done. ${over}`;

/**
 * Decides a runbook's next step by its checks' outputs (OFF-1): looks, then acts, then ends. Proposes an act if a check shows the fault and
 * no check is open, or if a person asks; looks once after each act. Pure.
 */
export function nextStep(book: Book, { runs, open, refused, wish }: Course): Step {
  const { verify, findings } = book;
  const { shown, due, acted } = progressOf(book, runs);
  const left = due.filter((command) => !refused.has(command));
  const act = book.act.filter((command) => !refused.has(command));
  const look = (commands: readonly string[], says: string): Step =>
    commands.length === 0
      ? stop(says)
      : { kind: "look", commands: commands.slice(0, maxLooks), says: [says, ...leftOut(commands)].join(" ") };
  const take = (command: string, says: string): Step => ({
    kind: "act",
    commands: [command, ...afterwards(book, command, shown)].slice(0, maxProposals),
    says,
  });
  const faults = seenIn(findings, shown).filter(({ means }) => means === "fault");
  const called = faults.flatMap((fault) =>
    callsFor(book, fault).flatMap((command) => (acted.has(command) ? [] : [{ ...fault, command }])),
  );
  const waiting = act.find((command) => !acted.has(command));

  if (wish === "look") return look(roundOf(book), "Look again; these only read.");
  if (wish === "act") {
    const next = called.find(({ command }) => !refused.has(command))?.command ?? waiting;
    if (next === undefined) return stop("The runbook has no further step.");
    return take(next, open.has(next) ? stillOpen : "The runbook's next step.");
  }
  const lastAct = [...acted].at(-1);
  if (lastAct?.[1] === false)
    return look(
      left,
      left.length > 0
        ? `${quotedText(lastAct[0])} did not succeed. Look again before anything else is changed.`
        : `${quotedText(lastAct[0])} did not succeed, so nothing else is changed. ${waiting === undefined ? over : `To go on all the same: \`/ask act\``}`,
    );
  const undecided = [...verify, ...left].filter((command) => open.has(command));
  const steps = act.filter((command) => open.has(command) && !acted.has(command));
  if (undecided.length > 0) {
    const others = "Some checks are still open; `/ask act` goes on without them.";
    const commands = [...new Set([...undecided, ...steps])];
    if (steps.length > 0) return { kind: "look", commands, says: "What is proposed is still open." };
    if (called[0]) return { kind: "look", commands, says: `${seenWords(called[0])}. ${others}` };
    return { kind: "look", commands, says: acted.size > 0 ? helped : others };
  }
  // The steps of a runbook stand in order: without the one that was turned down, the next may do harm.
  if (called[0] && refused.has(called[0].command) && waiting !== undefined)
    return look(
      left,
      `${seenWords(called[0])}, but ${quotedText(called[0].command)}, the step for it, was turned down. To go on without it: \`/ask act\``,
    );
  if (called[0] && !refused.has(called[0].command))
    return take(called[0].command, `${seenWords(called[0])}; this is the step for it.`);
  if (faults[0])
    return look(
      left,
      `${seenWords(faults[0])}, and the runbook has no further step for it. If it goes on: call the owner of this.`,
    );
  const doubt = seenIn(findings, shown).find(({ means }) => means === "unclear");
  if (doubt) return look(left, `${seenWords(doubt)}; read in the runbook what that means here.`);
  if (left.length > 0) return look(left, acted.size === 0 ? "Look first; these only read." : helped);
  return ending(book, { acted: acted.size > 0, shown, waiting, isOpen: waiting !== undefined && open.has(waiting) });
}

function ending(
  { verify, findings, unread }: Book,
  {
    acted,
    shown,
    waiting,
    isOpen,
  }: {
    readonly acted: boolean;
    readonly shown: Progress["shown"];
    readonly waiting: string | undefined;
    readonly isOpen: boolean;
  },
): Step {
  const well = seenIn(findings, shown).find(({ means }) => means === "healthy");
  const saysWell = well ? [`${seenWords(well)}, which the runbook calls healthy.`] : [];
  if (findings.length > 0 && acted) return stop([doneWords, ...saysWell].join(". "));
  if (well) return stop([`Nothing is changed. ${over}`, ...saysWell].join(". "));
  const expected = findings.flatMap(({ means, patterns }) => (means === "fault" ? patterns : []));
  if (expected.length > 0 && shown.size > 0)
    return stop(
      `No check shows what the runbook expects of this fault (${expected.slice(0, 5).map(quotedText).join(", ")}), so nothing is changed. ${over}. If not: \`/ask act\``,
    );
  if (waiting === undefined && verify.length === 0 && !acted)
    return stop(`No command of this runbook can be proposed, so follow it by hand. ${over}`);
  if (waiting === undefined) return stop(acted ? doneWords : `The runbook has no further step. ${over}`);
  if (isOpen) return { kind: "act", commands: [waiting], says: stillOpen };
  if (acted) return stop(`${over}. If not: \`/ask act\``);
  if (unread) return stop("What the checks show is kept off this public issue. If it is the fault: `/ask act`");
  if (verify.length > 0 && shown.size === 0)
    return stop("No check has shown anything, so nothing is changed. For the runbook's next step: `/ask act`");
  return stop(
    verify.length === 0
      ? "The runbook has no check that can be proposed as it stands. For its next step: `/ask act`"
      : "Read what the checks show: the runbook does not say what to expect. If it is the fault: `/ask act`",
  );
}

const stop = (says: string): Step => ({ kind: "stop", commands: [], says });

interface Progress {
  /** By check, its newest output since the last act whose effect it shows. */
  readonly shown: ReadonlyMap<string, Pick<PastRun, "output" | "number">>;
  readonly due: readonly string[];
  /** By sent act, in order, whether it succeeded. */
  readonly acted: ReadonlyMap<string, boolean>;
}

/** After an act, the checks of its effect are due again. */
function progressOf(book: Book, runs: readonly PastRun[]): Progress {
  const { verify, act, checkOf } = book;
  const checks = new Set([...verify, ...act.flatMap((command) => checkOf(command) ?? [])]);
  const shown = new Map<string, Pick<PastRun, "output" | "number">>();
  const seen = new Set<string>();
  const acted = new Map<string, boolean>();
  const due = new Set<string>();
  for (const { command: text, output, ending, number } of runs) {
    const command = text.trim();
    // It never started.
    if (ending.kind === "unreachable") continue;
    if (act.includes(command)) {
      const again = checkOf(command) === undefined ? roundOf(book) : afterwards(book, command, shown);
      if (checkOf(command) === undefined) shown.clear();
      for (const check of again) {
        shown.delete(check);
        due.add(check);
      }
      acted.delete(command);
      acted.set(command, ending.kind === "exited" && ending.code === 0);
    } else if (checks.has(command) && ending.kind !== "unknown") {
      seen.add(command);
      due.delete(command);
      if (ending.kind === "exited") shown.set(command, { output, ...(number !== undefined && { number }) });
    }
  }
  return { shown, acted, due: acted.size > 0 ? [...due] : verify.filter((command) => !seen.has(command)) };
}

/** Checks with an expectation, else the first ones. */
function roundOf({ verify, findings }: Book): readonly string[] {
  const telling = verify.filter((command) => findings.some(({ check }) => check === command));
  return (telling.length > 0 ? telling : verify).slice(0, maxProposals);
}

/** If the act has its own check: that one, and those that called for the act. */
function afterwards(book: Book, command: string, shown: Progress["shown"]): readonly string[] {
  const own = book.checkOf(command);
  if (own === undefined) return [];
  const calling = seenIn(book.findings, shown).filter(
    (finding) => finding.means === "fault" && callsFor(book, finding).includes(command),
  );
  return [...new Set([own, ...calling.map(({ at }) => at)])];
}

const callsFor = ({ act }: Pick<Book, "act">, { acts }: OutputFinding): readonly string[] =>
  acts.length > 0 ? acts.filter((command) => act.includes(command)) : act;

const seenIn = (findings: readonly OutputFinding[], shown: Progress["shown"]) =>
  findings.flatMap((finding) => {
    for (const pattern of finding.patterns)
      for (const [at, { output, number }] of shown)
        if ((finding.check === undefined || finding.check === at) && shows(output, pattern))
          return [{ ...finding, pattern, at, number }];
    return [];
  });

const checkCharacters = 60;

/** Names the run, because another check may say the opposite on the same card. */
function seenWords({ pattern, at, number }: ReturnType<typeof seenIn>[number]): string {
  const check = at.length > checkCharacters ? `${at.slice(0, checkCharacters)}…` : at;
  return `${quotedText(check)} showed ${quotedText(pattern)}${number === undefined ? "" : ` (${number})`}`;
}

export const quotedText = (text: string): string => `\`${text.replaceAll("`", "ˋ")}\``;
