import { type Bot, startBot } from "../bot.ts";
import { type Config, loadConfig } from "../config.ts";
import { watchFiles } from "../config-watch.ts";
import { messageOf, OperatorError } from "../errors.ts";
import { checkAppAccess } from "../github/app-access.ts";
import { parseRoles, type Role, roles } from "../roles.ts";

/** Runs the bot until it is told to stop: SIGTERM or SIGINT drains it, a second one ends it at once. */
export async function start(options: {
  readonly config?: string | undefined;
  /** By commas; all of them unless said otherwise (SR-55). */
  readonly role?: string | undefined;
}): Promise<void> {
  const config = loadConfig({ file: options.config, roles: rolesOf(options.role) });
  const access = await checkAppAccess({ ...config.github, usesTeams: true });
  // Whoever steals the key has all that the App may do (SR-08). A GitHub that does not answer now is no reason to stay away.
  if (access.ok && access.excess.length > 0) throw new OperatorError(access.excess);
  const bot = await startBot(config);
  for (const { place, message, remedy } of access.problems)
    bot.world.log.warn({ module: "github", event: "app_check", place, reason: message, remedy });
  const watch = followConfig(bot, options.config);
  await stopSignal();
  watch.stop();
  await bot.close();
}

function rolesOf(text: string | undefined): readonly Role[] {
  const parsed = text === undefined ? roles : parseRoles(text);
  if (!("unknown" in parsed)) return parsed;
  const message = `there is no role \`${parsed.unknown}\``;
  throw new OperatorError([{ place: "--role", message, remedy: `roles are ${roles.join(", ")}, by commas` }]);
}

/**
 * Puts each change of the config file, or of a key or secret that it names, in force (CFG-1). One that cannot be used is refused
 * with every reason in the log, and what was in force stays.
 */
export function followConfig(bot: Bot, file: string | undefined): { readonly stop: () => void } {
  const { log } = bot.world;
  return watchFiles(
    () => filesOf(bot.world.config),
    () => {
      try {
        bot.reload(loadConfig({ file, roles: bot.world.config.roles }));
      } catch (error) {
        const problems = error instanceof OperatorError ? error.problems : [{ message: messageOf(error) }];
        log.error({ module: "config", event: "config_refused", problems, msg: "the old config stays in force" });
      }
    },
  );
}

const filesOf = ({ file, secretFiles, servers, audit }: Config): readonly string[] => [
  file,
  ...secretFiles,
  ...[...servers.values()].flatMap(({ keyFile, keyPassphraseFile }) => [keyFile ?? [], keyPassphraseFile ?? []].flat()),
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
