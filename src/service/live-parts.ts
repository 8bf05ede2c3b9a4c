import type { Config } from "../config/load.ts";
import { reloaded } from "../config/reload.ts";
import { logReinjection } from "../features/turn/prompt.ts";
import type { Logger } from "../telemetry/log.ts";
import { buildParts, type Outside, type Parts, secretsOf } from "./parts.ts";

/** Makes the parts, and makes them anew of each new config (CFG-1). */
export function createLiveParts(
  config: Config,
  outside: Outside,
  setLevel: (level: string) => void,
): { readonly parts: () => Parts; readonly reload: (next: Config) => void } {
  let parts = buildParts(config, outside);
  const reload = (next: Config): void => {
    const { config: wanted, changedSections, needsRestart } = reloaded(parts.config, next);
    // Known before anything can say them, also where only a key file has changed.
    outside.learn(secretsOf(next));
    if (changedSections.length + needsRestart.length === 0) return;
    const before = parts;
    parts = buildParts(wanted, outside, before);
    if (parts.ssh !== before.ssh) before.ssh.retire();
    setLevel(wanted.logging.level);
    outside.log.info({ module: "config", event: "config_reload", changedSections, needsRestart });
    logConfig(outside.log, wanted, changedSections.includes("reinjection"));
  };
  return { parts: () => parts, reload };
}

/** Logs the warnings of a config, and how often it has the prompt repeated. */
export function logConfig(log: Logger, config: Config, hasReinjection = true): void {
  for (const warning of config.warnings) log.warn({ module: "config", event: "config_warning", ...warning });
  if (hasReinjection) logReinjection(log, config);
}
