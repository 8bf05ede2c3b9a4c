import { counted } from "../base/counted.ts";
import { messageOf } from "../base/errors.ts";
import type { Config } from "../config/values.ts";
import type { Inability, Setup } from "../features/operator/readiness.ts";
import type { Logger } from "../telemetry/log.ts";
import { redactText } from "../text/bare.ts";
import type { Redact } from "../text/redact.ts";
import { lookAtGitHub } from "./check/github.ts";
import { type CheckFinding, type CheckLook, checkFindings } from "./check/look.ts";
import { rosterProblems } from "./check/policy.ts";
import { lookAtReach, startServerLooks } from "./check/server.ts";

const everyMs = 3_600_000;
const againMs = 5 * 60_000;
const mostCharacters = 200;
const mostNamed = 5;

/** The lines of `/readyz`, with the rows of `check` they sum up. */
const lines = {
  app: ["GitHub", "webhook", "clock"],
  installed: ["installed", "repositories"],
  approvers: ["approvers"],
  servers: ["servers"],
} as const;

export interface SetupLook {
  /** For `/readyz` and metrics. */
  readonly state: () => Setup;
  readonly again: () => void;
  readonly stop: () => void;
}

const notYet: Inability = {
  place: "check",
  what: "the setup has not been checked yet",
  remedy: "ask again in a few seconds; if it stays, see setup_not_seen in the log",
};

export const unlooked: Setup = { checks: {}, reasons: [notYet] };

/**
 * Checks App and servers at the start, hourly, and every five minutes while something is wrong. Logs each finding once until it is fixed,
 * and each change of whether the bot can work.
 */
export function keepSetupLook(
  { config, log, redact }: { readonly config: () => Config; readonly log: Logger; readonly redact: Redact },
  look: (config: Config) => Promise<readonly CheckLook[]> = lookAtSetup,
): SetupLook {
  let seen: readonly CheckLook[] | undefined;
  let next: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;
  let logged: ReadonlySet<string> = new Set();
  let lastLine: string | undefined;
  const short = (text: string): string => redactText(redact, text).slice(0, mostCharacters);
  const reasons = (): readonly Inability[] =>
    seen?.flatMap(({ problems = [] }) =>
      problems.map(({ place, message, remedy = "see `countersign check`" }) => ({
        place: short(place),
        what: short(message),
        remedy: short(remedy),
      })),
    ) ?? [notYet];
  const once = async (): Promise<void> => {
    clearTimeout(next);
    if (stopped) return;
    try {
      const found = await look(config());
      if (stopped) return;
      seen = found;
      const findings = found.flatMap(checkFindings);
      for (const finding of findings) {
        const { place, message: reason, remedy, severity } = finding;
        if (logged.has(keyOf(finding))) continue;
        log[severity === "error" ? "error" : "warn"]({ module: "setup", event: "setup_check", place, reason, remedy });
      }
      logged = new Set(findings.map(keyOf));
      const msg = abilityLine(reasons());
      if (msg !== lastLine) {
        const problems = reasons().length;
        if (problems === 0) log.info({ module: "setup", event: "setup_able", msg });
        else log.error({ module: "setup", event: "setup_unable", problems, msg });
      }
      lastLine = msg;
    } catch (error) {
      log.warn({ module: "setup", event: "setup_not_seen", reason: messageOf(error), err: error });
    }
    if (!stopped) next = setTimeout(again, reasons().length === 0 ? everyMs : againMs).unref();
  };
  const again = (): void => {
    looking = looking.then(once);
  };
  again();
  const words = (rows: readonly string[]): string => {
    if (!seen) return "not looked at yet";
    const found = seen.filter(({ name }) => rows.includes(name));
    if (found.length === 0) return "not looked at: see the other lines";
    const problems = found.flatMap((one) => one.problems ?? []);
    const [first] = problems;
    if (!first) return "as it should be";
    return `${short(first.message)}${problems.length > 1 ? ` (and ${problems.length - 1} more: see the reasons)` : ""}`;
  };
  return {
    state: () => ({
      checks: {
        app: words(lines.app),
        installed: words(lines.installed),
        approvers: words(lines.approvers),
        servers: words(lines.servers),
      },
      reasons: reasons(),
    }),
    again,
    // Does not wait for an unresponsive GitHub.
    stop: () => {
      stopped = true;
      clearTimeout(next);
    },
  };
}

/** `start`'s last line: whether the bot can work. */
export function abilityLine(reasons: readonly Inability[]): string {
  if (reasons.length === 0) return "Ready: the App, its approvers and the servers are as they should be";
  const named = reasons.slice(0, mostNamed).map(({ place, what }) => `${place}: ${what}`);
  const more = reasons.length > mostNamed ? `; and ${reasons.length - mostNamed} more` : "";
  return `Running, but not able to do everything: ${counted(reasons.length, "problem")}. ${named.join("; ")}${more}`;
}

const keyOf = ({ place, message }: CheckFinding): string => `${place} ${message}`;

async function lookAtSetup(config: Config): Promise<readonly CheckLook[]> {
  const lookAtServers = async (): Promise<readonly CheckLook[]> => {
    const { looks, close } = startServerLooks(config.servers, lookAtReach);
    try {
      const found = await Promise.all(looks.map(async ({ done }) => ({ ...(await done), name: "servers" })));
      // Also for an empty inventory.
      return [...found, { name: "servers", said: "" }];
    } finally {
      await close();
    }
  };
  const [github, servers] = await Promise.all([
    lookAtGitHub({ config, gaps: new Set() }),
    config.roles.includes("runner") ? lookAtServers() : [],
  ]);
  const roster = config.roles.every((role) => role === "web") ? [] : rosterProblems(config);
  return [
    // The bot fetches failed deliveries anyway (RR-03).
    ...github.filter(({ name }) => name !== "deliveries"),
    ...(roster.length > 0 ? [{ name: "approvers", said: "", problems: roster }] : []),
    ...servers,
  ];
}
