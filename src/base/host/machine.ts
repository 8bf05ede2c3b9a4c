/** Which machine this is, for commands that start on the machine of the runner itself. */

import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { join } from "node:path";

/**
 * The name of a folder of jobs, which lies in it and was drawn at random: a folder that was lost and made anew, on this machine or another,
 * has another one. So no job is looked for where it cannot be. Undefined where there is none.
 */
export function machineOf(jobsFolder: string): string | undefined {
  try {
    return /^[0-9a-f]{32}$/.exec(readFileSync(join(jobsFolder, "machine"), "utf8").trim())?.[0];
  } catch {
    return undefined; // whoever asks says what is missing
  }
}

/** As `machineOf`, and makes folder and name where they are not there. Throws what the file system throws. */
export function ensureMachine(jobsFolder: string): string | undefined {
  const known = machineOf(jobsFolder);
  if (known !== undefined) return known;
  mkdirSync(jobsFolder, { recursive: true, mode: 0o700 });
  const id = randomBytes(16).toString("hex");
  const draft = join(jobsFolder, `machine.${id}`);
  writeFileSync(draft, `${id}\n`, { mode: 0o600, flag: "wx" });
  try {
    // A link is made whole or not at all, and by one process alone.
    linkSync(draft, join(jobsFolder, "machine"));
  } catch {
    // Another process was first, or there is a file that is none: read below.
  }
  rmSync(draft);
  return machineOf(jobsFolder);
}

/**
 * Returns this machine's name, and the account that this process has. An account without a name is known by its number, one without a
 * home directory has `/`. Never throws.
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
