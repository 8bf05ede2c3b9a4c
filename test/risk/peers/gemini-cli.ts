import { load, type Peer } from "./peer.ts";

interface CommandSafety {
  readonly isStrictlyApproved: (command: string, args: readonly string[]) => Promise<boolean>;
  readonly isDangerousCommand: (args: readonly string[]) => boolean;
}
interface ShellUtils {
  readonly initializeShellParsers: () => Promise<void>;
  readonly splitCommands: (command: string) => readonly string[];
}
interface DebugLogger {
  readonly debugLogger: Record<"debug" | "log" | "warn", (text: string) => void>;
}

/** The two questions gemini-cli (Apache-2.0) asks before a command runs: is each part known to be safe, is one dangerous? */
export async function loadGemini(): Promise<Peer> {
  const name = "@google/gemini-cli-core@0.61.0";
  const safety = await load<CommandSafety>(name, "dist/src/sandbox/utils/commandSafety.js");
  const shell = await load<ShellUtils>(name, "dist/src/utils/shell-utils.js");
  const log = await load<DebugLogger>(name, "dist/src/utils/debugLogger.js");
  if (!safety || !shell || !log) return { name, judge: undefined };
  // It would print a line for each text that does not parse.
  Object.assign(log.debugLogger, { debug: () => {}, log: () => {}, warn: () => {} });
  await shell.initializeShellParsers();
  return {
    name,
    judge: async ({ command }) => {
      const parts = shell.splitCommands(command);
      const isDangerous = [command, ...parts].some((part) => safety.isDangerousCommand(part.trim().split(/\s+/)));
      if (isDangerous) return "block";
      // Its splitter throws on what it cannot read; then nothing is run.
      const isSafe = await safety.isStrictlyApproved(command, []).catch(() => false);
      return isSafe ? "low" : "medium";
    },
  };
}
