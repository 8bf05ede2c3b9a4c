import type { ReplayedStep, ReplayOutcome } from "./outcome.ts";
import type { IncidentRecord } from "./record.ts";

/** The incidents of one runbook, and what becomes of those that change. */
export interface RunbookChange {
  /** Undefined: no runbook fits them before the change. */
  readonly runbook: string | undefined;
  readonly incidents: number;
  /** Those that go another way, together where the same is said of them. */
  readonly changed: readonly { readonly incidents: readonly number[]; readonly says: string }[];
}

interface Replayed {
  readonly incident: Pick<IncidentRecord, "number" | "helped">;
  readonly before: ReplayOutcome;
  readonly after: ReplayOutcome;
}

/** Says by runbook which incidents would go another way; a runbook whose incidents all go the same is not named. Pure. */
export function compareOutcomes(replayed: readonly Replayed[]): readonly RunbookChange[] {
  return [...Map.groupBy(replayed, ({ before }) => before.runbook)].flatMap(([runbook, all]) => {
    const different = all.flatMap((one) => {
      const says = differencesOf(one).join(", ");
      return says === "" ? [] : [{ number: one.incident.number, says }];
    });
    const changed = [...Map.groupBy(different, ({ says }) => says)].map(([says, ones]) => ({
      incidents: ones.map(({ number }) => number),
      says,
    }));
    return changed.length === 0 ? [] : [{ runbook, incidents: all.length, changed }];
  });
}

function differencesOf({ incident, before, after }: Replayed): readonly string[] {
  if (before.runbook !== after.runbook)
    return [`${before.runbook ?? "no runbook"} → ${after.runbook ?? "no runbook"}${levelOf(after)}`];
  const now = new Map(after.steps.map((step) => [step.command, step]));
  const then = new Set(before.steps.map(({ command }) => command));
  return [
    ...before.steps.flatMap((step) => differenceOf(step, now.get(step.command), incident.helped)),
    ...after.steps.flatMap((step) =>
      then.has(step.command) ? [] : [`${kindOf(step)} is new${quoted(step)}${levelOf({ steps: [step] })}`],
    ),
  ];
}

function differenceOf(
  before: ReplayedStep,
  after: ReplayedStep | undefined,
  helped: readonly string[],
): readonly string[] {
  const { command, place, risk, people } = before;
  if (!after)
    return [
      `${kindOf(before)} no longer proposed${helped.includes(command) ? ", which helped then" : ""}${quoted(before)}`,
    ];
  return [
    ...(after.isAct === before.isAct ? [] : [`${kindOf(before)} is now an ${kindOf(after)}${quoted(after)}`]),
    ...(after.place === place ? [] : [`runs on ${after.place}, not ${place}${quoted(after)}`]),
    ...(after.risk === risk ? [] : [`${risk} → ${after.risk}${quoted(after)}`]),
    ...(after.people === people ? [] : [`${peopleWords(people)} → ${peopleWords(after.people)}${quoted(after)}`]),
  ];
}

const kindOf = ({ isAct }: Pick<ReplayedStep, "isAct">): string => (isAct ? "act" : "check");

const peopleWords = (people: number): string =>
  people === Number.POSITIVE_INFINITY ? "cannot run" : people === 1 ? "1 approval" : `${people} approvals`;

const maxQuoted = 60;
const quoted = ({ command }: Pick<ReplayedStep, "command">): string => {
  const line = command.replace(/\s+/g, " ");
  return ` (\`${line.length > maxQuoted ? `${line.slice(0, maxQuoted - 1)}…` : line}\`)`;
};

const levelOf = ({ steps }: Pick<ReplayOutcome, "steps">): string => {
  const worst = (["block", "high", "medium"] as const).find((level) => steps.some(({ risk }) => risk === level));
  return worst === undefined ? "" : ` (${worst.toUpperCase()})`;
};
