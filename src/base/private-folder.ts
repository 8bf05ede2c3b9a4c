/** Folders of this process alone, for what only it and the programs it starts may read. */

import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

const uses = ["kubectl", "discovery", "ssh"] as const;

/** Whose folder it is stands in it, so that what a killed process left can be told from what another one uses. */
const ownerFile = "owner";

/** Makes one with mode 0700; whoever makes it removes it. One that is left since its process was killed is removed by `removeLeftFolders`. */
export function makePrivateFolder(use: (typeof uses)[number]): string {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${use}-`));
  writeFileSync(
    join(folder, ownerFile),
    JSON.stringify({ host: hostname(), pid: process.pid, born: birthOf(process.pid) }),
  );
  return folder;
}

/** Removes what processes of this machine and account left that are no more: a token may be in it. Returns how many. Never throws. */
export function removeLeftFolders(): number {
  const names = readdirSync(tmpdir()).filter((name) => uses.some((use) => name.startsWith(`countersign-${use}-`)));
  const left = names.map((name) => join(tmpdir(), name)).filter(isLeft);
  for (const folder of left) rmSync(folder, { recursive: true, force: true });
  return left.length;
}

function isLeft(folder: string): boolean {
  try {
    const entry = lstatSync(folder);
    if (!entry.isDirectory() || entry.uid !== process.geteuid?.()) return false;
    const { host, pid, born } = JSON.parse(readFileSync(join(folder, ownerFile), "utf8"));
    return host === hostname() && Number.isInteger(pid) && birthOf(pid) !== born;
  } catch {
    return false;
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
