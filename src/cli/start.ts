import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { armCrashPoint } from "../base/crash-point.ts";
import { messageOf, OperatorError, type Problem } from "../base/errors.ts";
import { environment, loadConfig, surveyConfig } from "../config/load.ts";
import { type Stamps, stampsOf, watchFiles } from "../config/reload.ts";
import type { Config } from "../config/values.ts";
import { checkAppAccess } from "../github/app/access.ts";
import { type Bot, startBot } from "../service/start.ts";
import { startWatchdog } from "../service/watchdog.ts";
import { rolesOf } from "./options.ts";
import { keepSetupLook, type SetupLook, unlooked } from "./setup-look.ts";

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

const filesOf = ({ file, secretFiles, servers, audit, systemPrompt }: Config): readonly string[] => [
  file,
  ...(systemPrompt.identityFile === undefined ? [] : [systemPrompt.identityFile]),
  ...secretFiles,
  ...[...servers.values()].flatMap(({ keyFile, keyPassphraseFile, cluster, source }) =>
    [keyFile ?? [], keyPassphraseFile ?? [], cluster?.kubeconfigFile ?? [], source?.tokenFile ?? []].flat(),
  ),
  ...(audit.signingKeyFile === undefined ? [] : [audit.signingKeyFile]),
];
