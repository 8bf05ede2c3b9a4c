/** Windows paths: what a delete, write or read of one means, and which files this text fetched. */
import { literal, shown } from "../engine/arg.ts";
import { deletePath, readPath } from "../engine/effects.ts";
import type { Scan } from "../engine/scan.ts";
import {
  automaticVariables,
  rawDevice,
  secretPlaces,
  windowsRoots,
  windowsSecrets,
} from "../knowledge/windows/rules.ts";
import { argOf, reachHosts, shareHost } from "./reach.ts";

/** Lower case, backslashes, well-known variables filled in, `.` and `..` taken out, trailing stars and slashes dropped. */
function plainPath(text: string): string {
  const filled = text
    .replace(/%([\w()]+)%/g, (whole, name: string) => automaticVariables[`env:${name.toLowerCase()}`] ?? whole)
    .replace(
      /\$\{?env:([\w()]+)\}?/gi,
      (whole, name: string) => automaticVariables[`env:${name.toLowerCase()}`] ?? whole,
    )
    .replace(/^~(?=$|[\\/])/, "c:\\users\\u")
    .replaceAll("/", "\\")
    .toLowerCase()
    .replace(/^(microsoft\.powershell\.core\\)?(filesystem|registry)::/, "")
    .replace(/^\\\\[?.]\\(?=[a-z]:\\)/, "");
  const parts: string[] = [];
  for (const part of filled.split("\\")) {
    // `\\\\.\\` in front names a device; anywhere else a dot and an empty part are nothing.
    const isDevice = part === "." && parts.length === 2 && parts.join("") === "";
    if (isDevice) parts.push(part);
    if (part === "." || (part === "" && (parts.length > 1 || /:$/.test(parts[0] ?? "")))) continue;
    if (part === ".." && parts.length > 1) parts.pop();
    else if (part !== "..") parts.push(part);
  }
  return parts.join("\\").replace(/(\\(\*(\.\*)?)?)+$/, "");
}

const isRoot = (text: string): boolean => {
  const path = plainPath(text);
  return windowsRoots.test(path) || (path === "" && /^[\\/]/.test(text)) || /^[a-z]:$/.test(path);
};

/** PowerShell runs on Linux, too: `/etc` is no Windows path. */
const isUnix = (text: string): boolean =>
  /^[/~]/.test(text) && !text.includes("\\") && !/^\/[a-z?](:\S*)?$/i.test(text);

/** A relative path where the folder is known: `cd C:\\` and then `rd Windows`. */
function fromFolder(text: string, scan: Scan): string {
  const bare = text.replace(/^["']|["']$/g, "");
  if (scan.cwd === undefined || !/^[a-z]:/i.test(scan.cwd) || /^([a-z]+:|[\\/]{2}|[$%!~-])/i.test(bare) || isUnix(bare))
    return bare;
  return /^[\\/]/.test(bare) ? `${scan.cwd.slice(0, 2)}${bare}` : `${scan.cwd}\\${bare}`;
}

/** Where the commands after this one run. */
export function enterFolder(text: string | undefined, scan: Scan) {
  const resolved = text === undefined ? undefined : fromFolder(text === "/" ? "\\" : text, scan);
  const target = /^[\\/](?![\\/])/.test(resolved ?? "") && !isUnix(`${resolved}`) ? `c:${resolved}` : resolved;
  scan.cwd = target !== undefined && /^[a-z]:/i.test(target) ? plainPath(target) : undefined;
}

/** Whether a root stands in a text, by scan: one text is asked about often. */
const rooted = new WeakMap<Scan, { readonly text: string; readonly isRooted: boolean }>();

/** What is known only when it runs may be any of the paths in the text. */
function mayBeRoot(path: string, scan: Scan): boolean {
  if (!/^[$%!]\w/.test(path)) return false;
  const kept = rooted.get(scan);
  if (kept?.text === scan.text) return kept.isRooted;
  const words = [
    ...scan.text.split(/[\s'",;|(){}=]+/),
    ...(scan.text.match(/(?<=')[^'\n]*(?=')|(?<=")[^"\n]*(?=")/g) ?? []),
  ];
  const isRooted = words.some((word) => /^[a-z]:[\\/]/i.test(word) && isRoot(word));
  rooted.set(scan, { text: scan.text, isRooted });
  return isRooted;
}

export function deleteWindows(given: string, scan: Scan, verb = "deletes") {
  const text = fromFolder(given, scan);
  if (isUnix(text)) return deletePath({ ...literal(text), glob: /[*?]/.test(text) }, scan, verb);
  const path = plainPath(text);
  const isKept = scan.protectedPaths.some(
    (kept) => path.startsWith(plainPath(kept)) || plainPath(kept).startsWith(`${path}\\`),
  );
  if (isKept || isRoot(text) || mayBeRoot(text, scan))
    scan.report("block", "windows.root", `${verb} ${shown(text)}, a root of the system`);
  else scan.report("high", "windows.delete", `${verb} ${shown(text)}`);
}

const wild = /(?:\*|\$\w+|%[^%]+%|![^!]+!)+|\?|\[[^\]]*\]/g;
const maxWild = 4;

const usersFolder = /^[a-z]:\\users\\[^\\]+/;

/** Whether a path with wildcards, or with a part that is known only when it runs, may be that of a secret. */
function mayBeSecret(path: string): boolean {
  const parts = path.replace(usersFolder, "c:\\users\\u").split("\\");
  const isWild = (part: string): boolean => part.search(wild) >= 0;
  if (!parts.some(isWild) || parts.every((part) => isWild(part) || /^([a-z]:)?$/.test(part))) return false;
  const patterns = parts.map((part) =>
    (part.match(wild)?.length ?? 0) > maxWild
      ? "[^\\\\]*"
      : part
          .split(wild)
          .map((text) => text.replace(/\W/g, "\\$&"))
          .join("[^\\\\]*"),
  );
  const whole = new RegExp(`(^|\\\\)${patterns.join("\\\\")}$`);
  return secretPlaces.some((place) => whole.test(place));
}

export function readWindows(given: string, scan: Scan) {
  const text = fromFolder(given, scan);
  if (isUnix(text)) return readPath({ ...literal(text), glob: /[*?]/.test(text) }, scan);
  if (rawDevice.test(text)) return scan.report("high", "windows.device", `reads the raw disk ${shown(text)}`);
  if (shareHost(text) !== undefined) reachHosts([argOf(text)], "service", scan);
  const path = plainPath(text);
  const isAll = /[\\/]\*(\.\*)?$/.test(text);
  if (windowsSecrets.test(path) || mayBeSecret(isAll ? `${path}\\*` : path))
    scan.report("block", "windows.secret", `reads the secret ${shown(text)}`);
}

/** What a listing of a folder gives is read. */
export function readListed(folder: string, isRecursive: boolean, scan: Scan) {
  readWindows(`${folder}\\*`, scan);
  const path = plainPath(folder).replace(usersFolder, "c:\\users\\u");
  if (isRecursive && secretPlaces.some((place) => place.startsWith(`${path}\\`)))
    scan.report("high", "windows.secret", `reads everything under ${shown(folder)}, secrets included`);
}

export function writeWindows(text: string, scan: Scan) {
  const path = plainPath(text);
  if (shareHost(text) !== undefined) reachHosts([argOf(text)], "copy", scan, "what it writes");
  if (path === "nul" || path === "$null" || path === "con") return;
  if (/^\\\\\.\\physicaldrive|^\\\\\.\\[a-z]:/.test(path))
    scan.report("block", "windows.device", `writes the raw disk ${shown(text)}`);
  else if (/winevt\\logs/.test(path)) scan.report("block", "windows.log", `overwrites the event log ${shown(text)}`);
  else if (/^[a-z]:\\windows\\|\\drivers\\etc\\hosts|\\startup\\|profile\.ps1$|^[a-z]:\\program files/.test(path)) {
    scan.report("high", "windows.system", `writes ${shown(text)}, a file of the system`);
  } else if (/\\temp\\|\\tmp\\/.test(path))
    scan.report("medium", "windows.temporary", `writes the temporary file ${shown(text)}`);
  else scan.report("medium", "windows.write", `writes ${shown(text)}`);
}

const keyOf = (part: string): string => `windows:${part.toLowerCase().replace(/\.(exe|com|cmd|bat|ps1|zip)$/, "")}`;
const partsOf = (path: string): string[] =>
  path
    .replace(/["']/g, "")
    .replace(/[?#].*$/, "")
    .split(/[\\/]/)
    .filter((part) => part !== "" && part !== "." && !/^[a-z]:$/i.test(part));

/** Notes the file (or the folder it is put into) that something fetched was written to. */
export function noteDownload(path: string, scan: Scan) {
  const last = partsOf(path).at(-1);
  if (last !== undefined && !/^(temp|tmp|windows|users|downloads|\$env:\w+)$/i.test(last))
    scan.files.set(keyOf(last), { present: true, taint: "network" });
}

const scriptKey = (path: string): string => `${keyOf(partsOf(path).at(-1) ?? "")}|script`;

/** Notes what this text writes into a file, which may run as a script later. */
export function noteScript(path: string, text: string, scan: Scan) {
  const before = scan.files.get(scriptKey(path))?.text;
  scan.files.set(scriptKey(path), { present: true, text: before === undefined ? text : `${before}\n${text}` });
}

/** What this text wrote into the file of that name. */
export const scriptText = (path: string, scan: Scan): string | undefined => scan.files.get(scriptKey(path))?.text;

/** True where a path is a fetched file, or lies in a folder that a fetched archive was put into. */
export const isDownloaded = (path: string, scan: Scan): boolean =>
  scan.files.size > 0 && partsOf(path).some((part) => scan.files.has(keyOf(part)));
