/** Folders that only this process and its programs can read. */

import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "./errors.ts";

const uses = ["kubectl", "discovery", "ssh", "demo", "signer"] as const;

/** Distinguishes a killed process's folder from one in use. */
const ownerFile = "owner";

const made = new Set<string>();

/**
 * Creates a folder with mode 0700. After a kill the next process removes it (`removeLeftFolders`). Throws errors of the file system;
 * `needsTemporaryFolder` has the remedy.
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

/** The remedy if a folder cannot be created or written. */
export const needsTemporaryFolder = (): string =>
  `see to it that ${tmpdir()} has room and that the bot can write there`;

/** Also works while a program still writes there. Only warns on failure, because the program's result matters more. */
export function removePrivateFolder(folder: string): void {
  try {
    remove(folder);
    if (made.delete(folder) && made.size === 0) process.off("exit", removeOwnFolders);
  } catch (error) {
    process.emitWarning(`${folder} cannot be removed: ${messageOf(error)}. Remove it: a token may be in it.`);
  }
}

/** Removes this process's folders, synchronously. */
export function removeOwnFolders(): void {
  for (const folder of made) removePrivateFolder(folder);
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

/** Removes dead processes' folders, which may hold a token. Returns how many. Never throws. */
export function removeLeftFolders(): number {
  return namesIn(tmpdir())
    .filter((name) => uses.some((use) => name.startsWith(`countersign-${use}-`)))
    .filter((name) => {
      const folder = join(tmpdir(), name);
      try {
        const entry = lstatSync(folder);
        if (!entry.isDirectory() || entry.uid !== process.geteuid?.()) return false;
        const { host, pid, born } = JSON.parse(readFileSync(join(folder, ownerFile), "utf8"));
        if (host !== hostname() || !Number.isInteger(pid) || birthOf(pid) === born) return false;
        remove(folder);
        return true;
      } catch {
        return false; // Another process was first, or the owner is unreadable.
      }
    }).length;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Creating a folder there reports the fault.
  }
}

/** The kernel's start time, because process ids are reused; without /proc only whether it lives. */
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
