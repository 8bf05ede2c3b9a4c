/** Folders that only this process and the programs it starts can read. */

import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "./errors.ts";

const uses = ["kubectl", "discovery", "ssh", "demo"] as const;

/** The file with the owner of a folder: it distinguishes the folder of a killed process from one in use. */
const ownerFile = "owner";

/** Folders of this process that still exist. */
const made = new Set<string>();

/**
 * Creates one with mode 0700. The caller removes it (`removePrivateFolder`); the rest goes when the process exits or, after a kill, by
 * `removeLeftFolders` of the next one. Throws errors of the file system; `needsTemporaryFolder` has the remedy.
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

/** The remedy if one cannot be created or written. */
export const needsTemporaryFolder = (): string =>
  `see to it that ${tmpdir()} has room and that the bot can write there`;

/**
 * Removes one with its content, also while a program that has just ended still writes there. Never throws, because the result of the
 * program matters more: a folder that cannot be removed is a warning of the process.
 */
export function removePrivateFolder(folder: string): void {
  try {
    remove(folder);
    if (made.delete(folder) && made.size === 0) process.off("exit", removeOwnFolders);
  } catch (error) {
    process.emitWarning(`${folder} cannot be removed: ${messageOf(error)}. Remove it: a token may be in it.`);
  }
}

/** Removes all folders of this process, for an end that waits for nothing. */
export function removeOwnFolders(): void {
  for (const folder of made) removePrivateFolder(folder);
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

/** Removes folders that dead processes of this machine and account left, because they may hold a token. Returns how many. Never throws. */
export function removeLeftFolders(): number {
  return namesIn(tmpdir())
    .filter((name) => uses.some((use) => name.startsWith(`countersign-${use}-`)))
    .filter((name) => removeIfLeft(join(tmpdir(), name))).length;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the next creation of a folder there reports the fault
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

/** The start of a process by the kernel, which distinguishes it from a later one with the same id. Without /proc only whether it lives. */
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
