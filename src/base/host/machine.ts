/** The identity of this machine, for commands on the runner's own machine. */

import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { join } from "node:path";

/**
 * The random name of a folder of jobs, from a file in it. A folder that was lost and created again has another name, so the bot never
 * looks for a job in the wrong folder. Undefined if it has none.
 */
export function machineOf(jobsFolder: string): string | undefined {
  try {
    return /^[0-9a-f]{32}$/.exec(readFileSync(join(jobsFolder, "machine"), "utf8").trim())?.[0];
  } catch {
    return undefined; // the caller reports what is missing
  }
}

/** Like `machineOf`, but creates missing folder and name. Throws errors of the file system. */
export function ensureMachine(jobsFolder: string): string | undefined {
  const known = machineOf(jobsFolder);
  if (known !== undefined) return known;
  mkdirSync(jobsFolder, { recursive: true, mode: 0o700 });
  const id = randomBytes(16).toString("hex");
  const draft = join(jobsFolder, `machine.${id}`);
  writeFileSync(draft, `${id}\n`, { mode: 0o600, flag: "wx" });
  try {
    // Only one process can create a link, whole or not at all.
    linkSync(draft, join(jobsFolder, "machine"));
  } catch {
    // Another process was first, or the file holds no name: it is read below.
  }
  rmSync(draft);
  return machineOf(jobsFolder);
}

/**
 * The name of this machine and the account of this process. An account without a name has its number, one without a home directory has
 * `/`. Never throws.
 */
export const whereWeAre = (): { readonly host: string; readonly user: string; readonly home: string } => ({
  host: hostname().toLowerCase(),
  user: answerOr(() => userInfo().username, `uid-${process.getuid?.()}`),
  home: answerOr(homedir, "/"),
});

function answerOr(ask: () => string, other: string): string {
  try {
    return ask();
  } catch {
    return other; // the account is not in the list of accounts
  }
}
