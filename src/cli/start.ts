import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { armCrashPoint } from "../base/crash-point.ts";
import { messageOf, OperatorError, type Problem } from "../base/errors.ts";
import { counted } from "../base/words.ts";
import { environment, loadConfig, surveyConfig } from "../config/load.ts";
import { type Stamps, stampsOf, watchFiles } from "../config/reload.ts";
import type { Config } from "../config/values.ts";
import type { Inability, Setup } from "../features/operator/readiness.ts";
import { checkAppAccess } from "../github/app/access.ts";
import { checkPatchesAccess } from "../github/app/patches-app.ts";
import { type Bot, startBot } from "../service/start.ts";
import { startWatchdog } from "../service/watchdog.ts";
import type { Logger } from "../telemetry/log.ts";
import { redactText } from "../text/bare.ts";
import type { Redact } from "../text/redact.ts";
import { lookAtGitHub } from "./check/github.ts";
import { type CheckFinding, type CheckLook, checkFindings } from "./check/look.ts";
import { rosterProblems } from "./check/policy.ts";
import { startServerLooks } from "./check/server.ts";
import { rolesOf } from "./options.ts";

/** Orchestrators kill a process this long after SIGTERM. */
const drainMs = 30_000;

/**
 * Runs until SIGTERM or SIGINT drains it; a second one ends it at once (RR-14, CFG-1, SR-08, SR-55). False if it does not drain within 30
 * s: the rest ends as in a crash, and the next start finds it.
 */
export async function start(options: {
  readonly config?: string | undefined;
  /** Separated by commas; all by default. */
  readonly role?: string | undefined;
}): Promise<boolean> {
  // Before any secret is read.
  const notes = [keepOutOfCoreDumps(), armCrashPoint(environment().CRASH_AT)].filter((note) => note !== undefined);
  const read = loadConfig({ file: options.config, roles: rolesOf(options.role) });
  if (read.signing !== undefined)
    throw new OperatorError({
      place: read.file,
      message: "this is a signer's file (`signing`)",
      remedy: "start it with `countersign signer start`; the bot has a file of its own",
    });
  const known = stampsOf(filesOf(read));
  const config = { ...read, warnings: [...notes, ...read.warnings] };
  let bot: Bot | undefined;
  const watchdog = startWatchdog(config.logging, (err) => {
    if (bot) bot.deps.log.error({ module: "main", event: "watchdog_failed", err });
    else console.error(`countersign: the watchdog failed: ${messageOf(err)}`);
  });
  const access = await checkAppAccess({ ...config.github, usesTeams: "unknown", usesServices: "unknown" });
  // A stolen key has all the App's rights. Without GitHub's answer the bot starts anyway.
  if (access.ok && access.excess.length > 0) throw new OperatorError(access.excess);
  const { patchesApp, apiUrl } = config.github;
  const beside = patchesApp?.privateKey ? await checkPatchesAccess({ ...patchesApp, apiUrl }) : undefined;
  if (beside && beside.excess.length > 0) throw new OperatorError(beside.excess);
  let setup: SetupLook | undefined;
  let watch: ReturnType<typeof followConfig> | undefined;
  bot = await startBot(config, {
    setup: () => setup?.state() ?? unlooked,
    isConfigCurrent: () => watch?.isCurrent() ?? true,
  });
  watchdog.up();
  const { deps } = bot;
  setup = keepSetupLook({ ...deps, config: () => deps.config });
  watch = followConfig(bot, options.config, { onChange: setup.again, known });
  // The second signal ends the process.
  await new Promise<void>((resolve) => {
    let asked = false;
    const stop = () => {
      if (asked) process.kill(process.pid, "SIGKILL");
      asked = true;
      resolve();
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
  watch.stop();
  setup.stop();
  bot.deps.log.info({ module: "front", event: "server_drain" });
  const drained = await Promise.race([bot.close().then(() => true), sleep(drainMs, false, { ref: false })]);
  if (!drained) console.error(`countersign: not drained after ${drainMs / 1_000} s; the next start finds what is left`);
  return drained;
}

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

interface SetupLook {
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

const unlooked: Setup = { checks: {}, reasons: [notYet] };

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
    const { looks, close } = startServerLooks(config, "reach");
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

/**
 * Keeps keys in memory out of core dumps (SR-56). Unlike `ulimit -c 0`, the kernel's filter also holds if dumps are piped to a program, and
 * in a container without a limit. Returns a warning if the kernel refuses and dumps are on. Never throws; does nothing without `proc` (not
 * Linux).
 */
export function keepOutOfCoreDumps(proc = "/proc/self"): Problem | undefined {
  const filter = join(proc, "coredump_filter");
  try {
    if (!existsSync(proc)) return undefined;
    writeFileSync(filter, "0");
    return undefined;
  } catch (error) {
    if (softLimit(proc) === "0") return undefined;
    const message = `core dumps are on and would hold keys; ${filter} cannot be written: ${messageOf(error)}`;
    return { place: "core dumps", message, remedy: "start it with `ulimit -c 0`, LimitCORE=0 or --ulimit core=0" };
  }
}

function softLimit(proc: string): string | undefined {
  try {
    return /^Max core file size\s+(\S+)/m.exec(readFileSync(join(proc, "limits"), "utf8"))?.[1];
  } catch {
    // Unknown counts as on.
    return undefined;
  }
}

/** Applies changes of the config and its keys and secrets. Refuses an invalid one, logs every reason, and keeps the old one. */
export function followConfig(
  bot: Bot,
  file: string | undefined,
  { onChange = () => {}, known }: { readonly onChange?: () => void; readonly known?: Stamps } = {},
): ReturnType<typeof watchFiles> {
  const { log } = bot.deps;
  let isRefused = false;
  /** Also those of a refused config, because one may be the mistake. */
  let files = filesOf(bot.deps.config);
  return watchFiles(
    () => files,
    () => {
      const survey = surveyConfig({ file, roles: bot.deps.config.roles });
      const seen = survey.ok ? survey.config : survey.rest?.config;
      try {
        if (!survey.ok) throw new OperatorError(survey.problems);
        bot.reload(survey.config);
        onChange();
        // A return to the config in force logs no reload.
        if (isRefused) log.info({ module: "config", event: "config_accepted" });
        isRefused = false;
      } catch (error) {
        const problems = error instanceof OperatorError ? error.problems : [{ message: messageOf(error) }];
        isRefused = true;
        log.error({ module: "config", event: "config_refused", problems, msg: "the old config stays in force" });
      }
      files = [...new Set([bot.deps.config, ...(seen ? [seen] : [])].flatMap(filesOf))];
    },
    known,
  );
}

const filesOf = ({ file, secretFiles, servers, signer, audit, systemPrompt }: Config): readonly string[] => [
  file,
  ...(systemPrompt.identityFile === undefined ? [] : [systemPrompt.identityFile]),
  ...secretFiles,
  ...[...servers.values()].flatMap(({ keyFile, keyPassphraseFile, cluster, source }) =>
    [keyFile ?? [], keyPassphraseFile ?? [], cluster?.kubeconfigFile ?? [], source?.tokenFile ?? []].flat(),
  ),
  ...(audit.signingKeyFile === undefined ? [] : [audit.signingKeyFile]),
  ...[signer?.certFile, signer?.keyFile].filter((one) => one !== undefined),
];
