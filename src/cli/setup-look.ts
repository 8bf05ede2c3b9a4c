import { messageOf } from "../base/errors.ts";
import type { Config } from "../config/load.ts";
import { pinsOf } from "../features/run/target.ts";
import type { Logger } from "../telemetry/log.ts";
import { redactText } from "../text/bare.ts";
import type { Redact } from "../text/redact.ts";
import { lookAtGitHub } from "./check/github.ts";
import { type CheckFinding, type CheckLook, checkFindings } from "./check/look.ts";

const everyMs = 3_600_000;
/** While something is wrong. */
const againMs = 5 * 60_000;
const mostCharacters = 200;

/** The lines of `/readyz` beside the bot's own, each with the rows of `check` that it sums up. */
const lines = {
  app: ["GitHub", "webhook", "clock"],
  installed: ["installed", "repositories"],
  approvers: ["approvers"],
  host_keys: ["host keys"],
} as const;

export interface SetupLook {
  /** For `/readyz`: what is wrong, a line for each matter. None of it makes the bot not ready (RR-20). */
  readonly words: () => Readonly<Record<keyof typeof lines, string>>;
  /** Looks once more, as after a change of the config. */
  readonly again: () => void;
  readonly stop: () => void;
}

/**
 * Looks at what `check` knows, without a connection to any server: at the start, each hour, and every five minutes while
 * something is wrong. What is found is logged once, and again only after it was fixed.
 */
export function keepSetupLook(
  { config, log, redact }: { readonly config: () => Config; readonly log: Logger; readonly redact: Redact },
  look: (config: Config) => Promise<readonly CheckLook[]> = lookAtSetup,
): SetupLook {
  let seen: readonly CheckLook[] | undefined;
  let next: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;
  const tell = createTell(log);
  const once = async (): Promise<void> => {
    clearTimeout(next);
    if (stopped) return;
    try {
      const found = await look(config());
      if (stopped) return;
      seen = found;
      tell(found.flatMap(checkFindings));
    } catch (error) {
      log.warn({ module: "setup", event: "setup_not_seen", reason: messageOf(error), err: error });
    }
    const isWell = seen?.every(({ problems = [] }) => problems.length === 0) ?? false;
    if (!stopped) next = setTimeout(again, isWell ? everyMs : againMs).unref();
  };
  const again = (): void => {
    looking = looking.then(once);
  };
  again();
  const words = (rows: readonly string[]): string => (seen ? wordsOf(seen, rows, redact) : "not looked at yet");
  return {
    words: () => ({
      app: words(lines.app),
      installed: words(lines.installed),
      approvers: words(lines.approvers),
      host_keys: words(lines.host_keys),
    }),
    again,
    // A GitHub that does not answer is not waited for.
    stop: () => {
      stopped = true;
      clearTimeout(next);
    },
  };
}

/** Logs what was found, each finding once until it is fixed. */
function createTell(log: Logger): (found: readonly CheckFinding[]) => void {
  let told: ReadonlySet<string> = new Set();
  return (found) => {
    for (const finding of found) {
      const { place, message: reason, remedy, severity } = finding;
      if (told.has(keyOf(finding))) continue;
      log[severity === "error" ? "error" : "warn"]({ module: "setup", event: "setup_check", place, reason, remedy });
    }
    if (found.length === 0 && told.size > 0) log.info({ module: "setup", event: "setup_mended" });
    told = new Set(found.map(keyOf));
  };
}

function wordsOf(seen: readonly CheckLook[], rows: readonly string[], redact: Redact): string {
  const found = seen.filter(({ name }) => rows.includes(name));
  if (found.length === 0) return "not looked at: see the other lines";
  const problems = found.flatMap((one) => one.problems ?? []);
  const [first] = problems;
  if (!first) return "as it should be";
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more: see setup_check in the log)` : "";
  return `${redactText(redact, first.message).slice(0, mostCharacters)}${more}`;
}

const keyOf = ({ place, message }: CheckFinding): string => `${place} ${message}`;

/** What GitHub has of the App, its repositories and approvers, and whether each server's host key is known. */
async function lookAtSetup(config: Config): Promise<readonly CheckLook[]> {
  const github = await lookAtGitHub(config, new Set());
  // What could not be delivered is fetched anyway (RR-03).
  return [
    ...github.filter(({ name }) => name !== "deliveries"),
    ...(config.roles.includes("runner") ? [hostKeys(config)] : []),
  ];
}

function hostKeys({ servers }: Config): CheckLook {
  const problems = [...servers.values()].flatMap((server) => {
    const pinned = pinsOf(server);
    return pinned.ok ? [] : [{ place: `servers.${server.name}`, message: pinned.reason, remedy: pinned.remedy }];
  });
  return { name: "host keys", said: "", problems };
}
