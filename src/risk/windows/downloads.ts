/** Which files this script fetched: to run one of them is download-and-run. */
import type { Scan } from "../engine/scan.ts";

const keyOf = (part: string): string => `windows:${part.toLowerCase().replace(/\.(exe|com|cmd|bat|ps1|zip)$/, "")}`;
const partsOf = (path: string): string[] =>
  path
    .replace(/["']/g, "")
    .replace(/[?#].*$/, "")
    .split(/[\\/]/)
    .filter((part) => part !== "" && part !== "." && !/^[a-z]:$/i.test(part));

/** Notes the file (or the folder it is put into) that something fetched was written to. */
export function noteDownload(path: string, scan: Scan): void {
  const last = partsOf(path).at(-1);
  if (last !== undefined && !/^(temp|tmp|windows|users|downloads|\$env:\w+)$/i.test(last))
    scan.files.set(keyOf(last), { present: true, taint: "network" });
}

/** True where a path is a fetched file, or lies in a folder that a fetched archive was put into. */
export const isDownloaded = (path: string, scan: Scan): boolean =>
  scan.files.size > 0 && partsOf(path).some((part) => scan.files.has(keyOf(part)));
