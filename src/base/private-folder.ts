/** Folders of this process alone, for what only it and the programs it starts may read. */

import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "./errors.ts";

const uses = ["kubectl", "discovery", "ssh", "demo"] as const;

/** Whose folder it is stands in it, so that what a killed process left can be told from what another one uses. */
const ownerFile = "owner";

/** Those of this process that are not removed yet. */
const made = new Set<string>();

/**
 * Makes one with mode 0700. Whoever makes it removes it (`removePrivateFolder`); what is left then goes as the process exits, or, if it
 * was killed, by `removeLeftFolders` of the next one.
 * Throws what the file system throws; `needsTemporaryFolder` says what to do then.
 */
export function makePrivateFolder(use: (typeof uses)[number]): string {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${use}-`));
  if (made.size === 0) process.once("exit", removeOwnFolders);
  made.add(folder);
  try {
    const owner = { host: hostname(), pid: process.pid, born: birthOf(process.pid) };
    writeFileSync(join(folder, ownerFile), JSON.stringify(owner));
  } catch (thrown) {
    removePrivateFolder(folder);
    throw thrown;
  }
  return folder;
}

/** Says what to do where one cannot be made or written. */
export const needsTemporaryFolder = (): string =>
  `see to it that ${tmpdir()} has room and that the bot can write there`;

/**
 * Removes one with what is in it, also while a program that was ended a moment ago still writes there. Never throws, since the result of
 * what ran in it counts for more: what cannot be removed is told as a warning of the process.
 */
export function removePrivateFolder(folder: string): void {
  try {
    remove(folder);
    if (made.delete(folder) && made.size === 0) process.off("exit", removeOwnFolders);
  } catch (error) {
    process.emitWarning(`${folder} cannot be removed: ${messageOf(error)}. Remove it: a token may be in it.`);
  }
}

/** Removes all that this process has made, for an end that waits for nothing. */
export function removeOwnFolders(): void {
  for (const folder of made) removePrivateFolder(folder);
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

/** Removes what processes of this machine and account left that are no more: a token may be in it. Returns how many. Never throws. */
export function removeLeftFolders(): number {
  return namesIn(tmpdir())
    .filter((name) => uses.some((use) => name.startsWith(`countersign-${use}-`)))
    .filter((name) => removeIfLeft(join(tmpdir(), name))).length;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // whoever makes a folder there says what is wrong
  }
}

function removeIfLeft(folder: string): boolean {
  try {
    const entry = lstatSync(folder);
    if (!entry.isDirectory() || entry.uid !== process.geteuid?.()) return false;
    const { host, pid, born } = JSON.parse(readFileSync(join(folder, ownerFile), "utf8"));
    if (host !== hostname() || !Number.isInteger(pid) || birthOf(pid) === born) return false;
    remove(folder);
    return true;
  } catch {
    return false; // another process was first, or it has no owner that can be read
  }
}

/** When a process was started, in the kernel's own count, so that a number that is used again is no life; where there is no /proc, that it lives. */
function birthOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return undefined;
  }
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
  } catch {
    return "alive";
  }
}
