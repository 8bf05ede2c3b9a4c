import type { NamedValue } from "../../../src/base/action.ts";
import type { Skill } from "../../../src/base/github.ts";
import { type ClosedIncident, renderLessons, renderPostmortem } from "../../../src/features/incident/postmortem.ts";
import { parseSkill } from "../../../src/runbooks/skills.ts";
import type { Action } from "../../../src/store/actions.ts";
import type { HypothesisRow } from "../../../src/store/hypotheses.ts";
import type { Run } from "../../../src/store/runs.ts";
import type { Turn } from "../../../src/store/turns.ts";
import { ink } from "../../github/render/views.ts";

/** Incidents as rows, written as short as they are spoken of. */

interface How {
  readonly on?: string;
  readonly exit?: number;
  /** What the exit code means. */
  readonly says?: string;
  readonly trouble?: string;
  /** The number of the change that it checks. */
  readonly checks?: number;
  /** Its own check, which runs behind it. */
  readonly check?: string;
  /** A check by the runbook, which somebody proposes by itself. */
  readonly advised?: string;
  readonly undo?: string;
  readonly batch?: number;
  readonly by?: string;
}

type Event =
  | ({
      readonly kind: "ran";
      readonly number: number;
      readonly risk: "low" | "medium";
      readonly commands: readonly Member[];
    } & How)
  | {
      readonly kind: "said";
      readonly confidence: Turn["confidence"];
      readonly prose: string;
      readonly runbook?: string;
    }
  | { readonly kind: "refused"; readonly number: number; readonly command: string };
type Member = readonly [command: string, how?: How];

export const look = (number: number, command: string, how: How = {}): Event => ({
  ...how,
  kind: "ran",
  number,
  risk: "low",
  commands: [[command, how]],
});
export const looks = (number: number, ...commands: readonly Member[]): Event => ({
  kind: "ran",
  number,
  risk: "low",
  commands,
  ...commands[0]?.[1],
});
export const act = (number: number, command: string, how: How = {}): Event => ({
  ...how,
  kind: "ran",
  number,
  risk: "medium",
  commands: [[command, how]],
});
export const said = (confidence: Turn["confidence"], prose: string): Event => ({ kind: "said", confidence, prose });
export const refused = (number: number, command: string): Event => ({ kind: "refused", number, command });

export interface History {
  readonly title: string;
  readonly body?: string;
  readonly events: readonly Event[];
  /** A person's, at `/close`. */
  readonly cause?: string;
  /** Runbooks by name; the first was followed, unless none was. */
  readonly runbooks?: Readonly<Record<string, string>>;
  readonly follows?: string | null;
  readonly values?: Readonly<Record<string, string>>;
  readonly weighed?: readonly Pick<HypothesisRow, "says" | "status" | "forRuns" | "againstRuns">[];
  readonly alert?: "firing" | "resolved";
  /** What outputs and alerts held. */
  readonly foreign?: readonly string[];
}

const servers = ["web-1", "web-2", "db-1", "app-1", "mq-1", "ops-1", "prom", "prod"].map((name) => ({
  name,
  host: `${name}.acme.example`,
  groups: name.startsWith("web") ? ["web"] : [],
}));

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 27, 14, minute));
const start = Date.UTC(2026, 10, 27, 3, 0);

/** Returns what `/close` says of it: the postmortem and the part for the runbooks. */
export function closingOf(history: History): { readonly postmortem: string; readonly lessons: string } {
  const { title, body = "", events, cause = "", runbooks = {}, foreign = [] } = history;
  const [first] = Object.keys(runbooks);
  const followed = history.follows === undefined ? first : (history.follows ?? undefined);
  const skills = Object.entries(runbooks).map(([name, text]): readonly [string, string, Skill] => {
    const path = `.github/skills/${name}/SKILL.md`;
    const parsed = parseSkill({ path, text, source: "acme/web@1" });
    if (!parsed.ok) throw new Error(parsed.problem.message);
    return [path, text, parsed.skill];
  });
  const actions: Action[] = [];
  const runs: Run[] = [];
  const turns: Turn[] = [];
  for (const [minute, event] of events.entries()) {
    if (event.kind === "said") {
      const { confidence, prose } = event;
      turns.push({ confidence, prose, offline: false, runbooks: [], createdAt: at(minute) } as unknown as Turn);
      continue;
    }
    const { number } = event;
    const spec = { place: "web-1", targets: [{ server: "web-1", os: "linux" }] };
    if (event.kind === "refused") {
      const of = { ...spec, command: event.command, risk: "medium" };
      actions.push({
        id: `${number}`,
        number,
        state: "rejected",
        title: "",
        description: "",
        spec: of,
      } as unknown as Action);
      continue;
    }
    const { commands, risk, on = "web-1", checks, check, advised, undo, by } = event;
    const members = commands.map(([command]) => ({ command }));
    actions.push({
      id: `${number}`,
      number,
      state: "done",
      title: "",
      description: "",
      origin: by === undefined ? "model" : "person",
      authorLogin: by ?? null,
      findings: [],
      spec: {
        place: on,
        targets: [{ server: on, os: "linux" }],
        command: members.map(({ command }) => command).join("\n"),
        risk,
        ...(members.length > 1 && { set: members }),
        ...(checks !== undefined && { checks }),
        ...(check !== undefined && { check, ownCheck: check }),
        ...(advised !== undefined && { check: advised }),
        ...(undo !== undefined && { undo }),
      },
    } as unknown as Action);
    for (const [step, [, how = {}]] of commands.entries()) {
      const { exit = 0, says, trouble } = how;
      runs.push({
        id: `${number}.${step}`,
        actionId: `${number}`,
        batchId: `${event.batch ?? number}`,
        server: on,
        step: members.length > 1 ? step : null,
        startedAt: at(minute),
        endedAt: at(minute),
        ending: { kind: "exited", code: exit },
        outcome: says === undefined ? null : { kind: "answer", says },
        trouble: trouble ?? null,
      } as unknown as Run);
    }
  }
  const past = {
    incident: { repo: "acme/web", title, body, createdAt: new Date(start) },
    actions,
    runs,
    turns,
    approvals: [],
    hypotheses: (history.weighed ?? []).map((one, index) => ({
      ...one,
      id: `h${index}`,
      changedAt: at(events.length),
    })),
    alert: history.alert === undefined ? null : { state: history.alert, resolvedAt: at(events.length) },
    foreign,
  } as unknown as ClosedIncident;
  const values = Object.entries(history.values ?? {}).map(
    ([name, value]): NamedValue => ({ source: "alert", name, value }),
  );
  const library = {
    skills: skills.map(([, , skill]) => skill),
    files: skills.map(([path, text]) => ({ path, text, source: "acme/web@1" })),
    servers,
    read: followed === undefined ? [] : [followed],
    values,
    cause,
  };
  return { postmortem: renderPostmortem(past, cause, ink), lessons: renderLessons(past, library, ink) };
}

/** The lines that a patch adds or a new runbook has, without the diff's own. */
export const addedIn = (lessons: string): readonly string[] =>
  lessons.split("\n").flatMap((line) => (/^\+(?!\+\+)/.test(line) ? [line.slice(1)] : []));
