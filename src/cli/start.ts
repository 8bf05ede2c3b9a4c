import { setTimeout as sleep } from "node:timers/promises";
import { armCrashPoint } from "../base/crash-point.ts";
import { messageOf, OperatorError } from "../base/errors.ts";
import { type Config, environment, loadConfig, surveyConfig } from "../config/load.ts";
import { type Stamps, stampsOf, watchFiles } from "../config/watch.ts";
import { checkAppAccess } from "../github/app/access.ts";
import { type Bot, startBot } from "../service/start.ts";
import { startWatchdog } from "../service/watchdog.ts";
import { keepOutOfCoreDumps } from "./core-dump.ts";
import { rolesOf } from "./options.ts";
import { keepSetupLook, type SetupLook, unlooked } from "./setup-look.ts";

/** An orchestrator that has said SIGTERM kills after so long. */
const drainMs = 30_000;

/**
 * Runs the bot until it is told to stop: SIGTERM or SIGINT drains it, a second one ends it at once (RR-14). False where it did
 * not come to its end within 30 s: whatever holds it up is then cut off, as by a crash, and found again by the next start.
 */
export async function start(options: {
  readonly config?: string | undefined;
  /** By commas; all of them unless said otherwise (SR-55). */
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
  // Whoever steals the key has all that the App may do (SR-08). A GitHub that does not answer now is no reason to stay away.
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
  await stopSignal();
  watch.stop();
  setup.stop();
  bot.deps.log.info({ module: "front", event: "server_drain" });
  const drained = await Promise.race([bot.close().then(() => true), sleep(drainMs, false, { ref: false })]);
  if (!drained) console.error(`countersign: not drained after ${drainMs / 1_000} s; the next start finds what is left`);
  return drained;
}

/**
 * Puts each change of the config file, or of a key or secret that it names, in force (CFG-1). One that cannot be used is refused
 * with every reason in the log, and what was in force stays.
 */
export function followConfig(
  bot: Bot,
  file: string | undefined,
  { onChange = () => {}, known }: { readonly onChange?: () => void; readonly known?: Stamps } = {},
): ReturnType<typeof watchFiles> {
  const { log } = bot.deps;
  let isRefused = false;
  /** Also those that only a refused config names: what was wrong may be one of them. */
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
        // Also where it is again what is in force, of which no reload tells.
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

/** Resolves at the first SIGTERM or SIGINT; the second ends the process, as a kill would. */
export async function stopSignal(): Promise<void> {
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
}
