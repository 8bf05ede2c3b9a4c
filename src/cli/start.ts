import { type Bot, startBot } from "../bot.ts";
import { type Config, loadConfig } from "../config.ts";
import { watchFiles } from "../config-watch.ts";
import { messageOf, OperatorError } from "../errors.ts";

/** Runs the bot until it is told to stop: SIGTERM or SIGINT drains it, a second one ends it at once. */
export async function start(options: { readonly config?: string | undefined }): Promise<void> {
  const bot = await startBot(loadConfig({ file: options.config }));
  const watch = followConfig(bot, options.config);
  await stopSignal();
  watch.stop();
  await bot.close();
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
        bot.reload(loadConfig({ file }));
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
