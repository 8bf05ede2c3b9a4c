/** What this script has put where: the file a path or a glob means, files unpacked below a folder, and links. */
import { type Arg, type Flow, isForeign } from "./arg.ts";
import { matcherOf, normalise } from "./paths.ts";
import type { Scan } from "./scan.ts";

/** Programs that act on a link itself, not on what it points to. */
const linkPrograms = new Set("rm unlink mv ls readlink stat ln test [ lstat rmdir find".split(" "));

/** What was written to the path earlier in this script; undefined if nothing was. */
export function findWritten(arg: Arg, scan: Scan): Flow | undefined {
  if (scan.files.size === 0) return undefined;
  const path = normalise(arg.text, scan.cwd);
  const isGlob = arg.glob || /[*?]/.test(path);
  const matcher = isGlob ? matcherOf(path) : undefined;
  let worst = scan.files.get(path);
  // Another spelling may mean the same file, so the worst counts.
  for (const [place, flow] of scan.files) {
    const isMeant =
      matcher?.test(place) || isSamePath(place, path) || (place.endsWith("/**") && isBelow(path, place.slice(0, -3)));
    if (isMeant && (worst === undefined || badnessOf(flow) > badnessOf(worst))) worst = flow;
  }
  return worst;
}

const badnessOf = (flow: Flow): number => (isForeign(flow) ? 2 : flow.text === undefined ? 1 : 0);

/** A relative path may be meant from the home directory, where a session begins. */
const inHome = (path: string): string => path.replace(/^\/(home\/[^/]+|root)\//, "");

/** A name alone was written in a folder that may not be known (`cd app && curl -O …`). */
const isSamePath = (place: string, path: string): boolean =>
  inHome(place) === inHome(path) || (!place.includes("/") && !path.startsWith("/") && path.endsWith(`/${place}`));

const isBelow = (path: string, folder: string): boolean =>
  folder === "." ? !inHome(path).startsWith("/") : inHome(path).startsWith(`${inHome(folder)}/`);

/** What was written below a folder, by its path from there. */
export const writtenBelow = (folder: Arg, scan: Scan): readonly (readonly [rest: string, flow: Flow])[] => {
  const path = normalise(folder.text, scan.cwd);
  return [...scan.files].flatMap(([place, flow]) =>
    isBelow(place, path) ? [[inHome(place).slice(path === "." ? 0 : inHome(path).length + 1), flow] as const] : [],
  );
};

/** A program that this script has put into a folder of programs, called by its name alone. */
export function findInstalled(name: string, scan: Scan): Flow | undefined {
  const searched = (scan.variables.get("PATH")?.values ?? []).flatMap((value) => value.split(":"));
  for (const [place, flow] of scan.files)
    if ((/\/s?bin\//.test(place) && place.endsWith(`/${name}`)) || searched.includes(place.slice(0, -name.length - 1)))
      if (place.endsWith(`/${name}`)) return flow;
  return undefined;
}

/** Remembers that a path leads to another one. */
export function noteLink(from: Arg, to: Arg, scan: Scan): void {
  const place = normalise(from.text, scan.cwd);
  const target = normalise(to.text, scan.cwd);
  if (place !== target && place !== "/" && !to.text.includes("\u0001") && scan.links.size < maxLinks)
    scan.links.set(place, target);
}

const maxLinks = 20;

/** The argument as it is behind the links this script has made. */
export function throughLinks(arg: Arg, scan: Scan, program = ""): Arg {
  if (scan.links.size === 0 || arg.text === "" || arg.text.startsWith("-")) return arg;
  const path = normalise(arg.text, scan.cwd);
  for (const [place, target] of scan.links) {
    if (path === place && !arg.text.endsWith("/") && linkPrograms.has(program)) continue;
    if (path === place || path.startsWith(`${place}/`)) {
      return { ...arg, text: target + path.slice(place.length) };
    }
  }
  return arg;
}
