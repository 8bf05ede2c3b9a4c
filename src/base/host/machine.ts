import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { join } from "node:path";

/** The random name in a folder of jobs, if any. A recreated folder has another, so the bot never looks for a job in the wrong one. */
export function machineOf(jobsFolder: string): string | undefined {
  try {
    return /^[0-9a-f]{32}$/.exec(readFileSync(join(jobsFolder, "machine"), "utf8").trim())?.[0];
  } catch {
    return undefined; // The caller reports it.
  }
}

/** Like `machineOf`, but creates the folder and the name. Throws errors of the file system. */
export function ensureMachine(jobsFolder: string): string | undefined {
  const known = machineOf(jobsFolder);
  if (known !== undefined) return known;
  mkdirSync(jobsFolder, { recursive: true, mode: 0o700 });
  const id = randomBytes(16).toString("hex");
  const draft = join(jobsFolder, `machine.${id}`);
  writeFileSync(draft, `${id}\n`, { mode: 0o600, flag: "wx" });
  try {
    // Atomic.
    linkSync(draft, join(jobsFolder, "machine"));
  } catch {
    // Another process was first, or the file holds no name.
  }
  rmSync(draft);
  return machineOf(jobsFolder);
}

/** This machine and this process's account; falls back to the account's number and to `/` as its home. Never throws. */
export const whereWeAre = (): { readonly host: string; readonly user: string; readonly home: string } => ({
  host: hostname().toLowerCase(),
  user: answerOr(() => userInfo().username, `uid-${process.getuid?.()}`),
  home: answerOr(homedir, "/"),
});

function answerOr(ask: () => string, other: string): string {
  try {
    return ask();
  } catch {
    return other;
  }
}
