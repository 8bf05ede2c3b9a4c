/** Paths: where a word points to, and which classes that place belongs to. Pure text, the file system is never asked. */

import { type ClassData, commonFolders, type PathClass, pathClasses } from "../knowledge/paths.ts";
import { type Arg, hole } from "./arg.ts";
import { words } from "./options.ts";

const special = /[.+^${}()|\\]/g;

/** `[[:alpha:]]`: any letter may be meant. */
const namedSet = /\[[^\]/]{0,40}\[[:.=]\w{0,20}[:.=]\][^\]/]{0,40}\]/y;

/** A set of letters; one with a range that runs backwards may mean any letter, by the order of some language. */
function setSource(body: string): string {
  const isNot = /^[!^]/.test(body);
  const letters = [...(isNot ? body.slice(1) : body).matchAll(/\\?([\s\S])/g)].map(([, letter = ""]) => letter);
  let source = "";
  for (let i = 0; i < letters.length; i++) {
    const [from = "", sign, to] = letters.slice(i, i + 3);
    const isRange = sign === "-" && to !== undefined;
    if (isRange && from > to) return "[^/]";
    source += escaped(from) + (isRange ? `-${escaped(to)}` : "");
    if (isRange) i += 2;
  }
  return source === "" ? "[^/]" : `[${isNot ? "^" : ""}${source}]`;
}

/** Each letter by its number, so that none means anything in a pattern. */
const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * A glob as a regular expression source that always compiles; `**` crosses parts, a bad bracket is taken literally. So is one with a slash in it
 * where paths are meant: `[signed-by=/usr/share/keyrings/x.gpg]` is no set of letters.
 */
function globSource(glob: string, ofPath = true): string {
  let out = "";
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i] ?? "";
    if (char === "*") {
      const deep = glob[i + 1] === "*";
      out += deep ? ".*" : "[^/]*";
      while (glob[i + 1] === "*") i++;
    } else if (char === "?") out += "[^/]";
    else if (char === "[") {
      namedSet.lastIndex = i;
      if (namedSet.test(glob)) {
        out += "[^/]";
        i = namedSet.lastIndex - 1;
        continue;
      }
      const end = glob.indexOf("]", i + 2);
      if (end < 0 || (ofPath && glob.slice(i, end).includes("/"))) out += "\\[";
      else {
        out += setSource(glob.slice(i + 1, end));
        i = end;
      }
    } else out += char.replace(special, "\\$&");
  }
  return out;
}

/** A glob as a matcher of whole texts, in which `*` stands for anything; undefined if it could be slow. */
export function matcherOf(glob: string): RegExp | undefined {
  if (glob.split("*").length > 9) return undefined;
  return new RegExp(`^${globSource(glob.replaceAll(/\*+/g, "**"), false)}$`, "s");
}

const compile = (patterns: string): RegExp =>
  new RegExp(
    `^(?:${words(patterns)
      .map((glob) => globSource(glob))
      .join("|")})$`,
    "s",
  );

const compiled = (Object.keys(pathClasses) as PathClass[]).map((name) => {
  const data: ClassData = pathClasses[name];
  return {
    name,
    pattern: compile(data.patterns),
    except: data.except === undefined ? undefined : compile(data.except),
    samples: words(data.samples),
  };
});

/**
 * Makes a path absolute and plain: `~` and `$HOME` become `/home/~`, `.` and `..` are taken out. Where the directory is not
 * known, a relative path stays relative, except that three `..` in a row are taken to reach `/`.
 */
export function normalise(text: string, cwd: string | undefined): string {
  let path = text;
  if (path === "~" || path.startsWith("~/")) path = `/home/~${path.slice(1)}`;
  else if (/^~[a-z_][a-z0-9_-]*(\/|$)/i.test(path)) {
    path = path.startsWith("~root") ? `/root${path.slice(5)}` : `/home/${path.slice(1)}`;
  } else if (!path.startsWith("/") && cwd !== undefined) path = `${cwd}/${path}`;
  const absolute = path.startsWith("/") || /^(\.\.\/){3}/.test(path);
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (absolute) parts.pop();
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push("..");
  }
  return (absolute ? "/" : "") + parts.join("/") || ".";
}

/** A chroot or a bind mount of the host's root: `/host/etc` is `/etc` in truth (`/proc/1/root` always is). */
export const throughRoot = (path: string): string =>
  path.replace(/^\/proc\/(\d+|self|thread-self)\/root(?=\/|$)/, "") || "/";

const cache = new Map<string, ReadonlySet<PathClass>>();

/** The classes of a path. A relative path is looked up as if it stood in some directory, so that `id_rsa` is a secret. */
export function classesOf(arg: Arg, cwd: string | undefined): ReadonlySet<PathClass> {
  const path = throughRoot(normalise(arg.text, cwd));
  const key = `${arg.glob ? "g" : "p"}${path}`;
  const known = cache.get(key);
  if (known) return known;
  const found = lookUp(path, arg.glob);
  if (cache.size > 5000) cache.clear();
  cache.set(key, found);
  return found;
}

function lookUp(path: string, glob: boolean): ReadonlySet<PathClass> {
  const subject = path.startsWith("/") ? path : `/${hole}/${path}`;
  const found = new Set<PathClass>();
  for (const { name, pattern, except } of compiled) {
    if (pattern.test(subject) && !except?.test(subject)) found.add(name);
  }
  if (!glob) return found;
  for (const name of classesOfGlob(path)) found.add(name);
  for (const full of completions(path)) for (const name of lookUp(full, false)) found.add(name);
  return found;
}

/** Folders and files that every Linux has, as a tree: what `/h?me/alice` can only mean. */
interface KnownPath {
  readonly children: Map<string, KnownPath>;
}

const known: KnownPath = { children: new Map() };
for (const sample of [...compiled.flatMap(({ samples }) => samples), ...commonFolders]) {
  let node = known;
  for (const part of sample.split("/").filter(Boolean)) {
    const next = node.children.get(part) ?? { children: new Map() };
    node.children.set(part, next);
    node = next;
  }
}

const maxCompletions = 32;

/** The known paths that a glob may stand for; a part that is only stars stays, it is judged by what it is below. */
function completions(path: string): string[] {
  let found: { readonly text: string; readonly node: KnownPath | undefined }[] = [{ text: "", node: known }];
  for (const part of path.split("/").filter(Boolean)) {
    const isOpen = /[*?[]/.test(part) && !/^[*?]+$/.test(part);
    const pattern = isOpen ? new RegExp(`^${globSource(part)}$`, "s") : undefined;
    found = found
      .flatMap(({ text, node }) => {
        if (!pattern) return [{ text: `${text}/${part}`, node: node?.children.get(part) }];
        const names = [...(node?.children.keys() ?? [])].filter((name) => pattern.test(name));
        return names.map((name) => ({ text: `${text}/${name}`, node: node?.children.get(name) }));
      })
      .slice(0, maxCompletions);
  }
  return found.map(({ text }) => text).filter((text) => text !== path);
}

function classesOfGlob(path: string): PathClass[] {
  // Everything below an unknown folder.
  if (/^\*\*(\/\*+)*$/.test(path)) return [];
  // Many stars could make the match slow, and no honest pattern has them.
  if (path.split("*").length > 9) return ["root", "secret"];
  // Everything below a folder is no more meant to be the secret in it than everything in it.
  const pattern = new RegExp(`^${globSource(path.replace(/\/\*+$/, "/*"))}$`, "s");
  const isWhole = /\/(\*\*?|\.\*)$/.test(path);
  const folder = path.slice(0, path.lastIndexOf("/"));
  return compiled.flatMap(({ name, samples }) => {
    if (!samples.some((sample) => pattern.test(sample))) return [];
    // `grep x /etc/*` happens to meet the shadow file: worth a high, while `/etc/sh*` and `~/.ssh/*` mean it.
    if (name === "secret" && isWhole && folder === "/etc") return ["credentials"];
    return [name];
  });
}

const secretPatterns = [...words(pathClasses.secret.patterns), ...words(pathClasses.credentials.patterns)];
/** Folders that hold no secrets, except where a pattern names the whole path. */
const openFolders = /^\/(var\/(log|cache|crash)|usr|lib\d*|s?bin|sys|boot|proc\/(sys|net)|run\/systemd)(\/|$)/;
const maxParts = 20;

/**
 * Whether a path that is partly known only to the server may be a secret: what a variable holds, what a program lists. A glob of one folder is none: it is
 * judged by the samples, as if it were typed.
 */
export function mayBeSecret(arg: Arg, cwd: string | undefined): boolean {
  if (!arg.text.includes(hole) && !(arg.glob && (arg.text.includes("**") || (arg.dynamic && !/[/.]/.test(arg.text)))))
    return false;
  const path = throughRoot(normalise(arg.text, cwd)).replaceAll(hole, "*");
  const parts = (path.startsWith("/") ? path : `/**/${path}`)
    .split("/")
    .slice(1)
    .map((part) => (/^\*+$/.test(part) ? "**" : part));
  const last = parts.at(-1) ?? "";
  if (parts.length > maxParts || path.split("*").length > maxParts) return true;
  return secretPatterns.some((pattern) => {
    const asked = pattern.split("/").slice(1);
    const name = asked.at(-1) ?? "";
    const isAnywhere = asked[0] === "**";
    if (isAnywhere && openFolders.test(path)) return false;
    // One name among many of an ending is not what was asked for (`*.conf`); that of a folder may be.
    const isAny = isAnywhere && last.includes("*") && !/\*./.test(name);
    if (last !== "**" && (isAny || /^\*+$/.test(name))) return false;
    return canMeet(parts, asked);
  });
}

/** Whole, or parted from what tells it from others: `db-credentials.txt`, `api_keys_prod.json`. */
const secretStem =
  /^(.*[-_.])?(cred(ential)?s?|passwords?|passphrases?|secrets?|api[-_]?(keys?|tokens?)|auth[-_]?tokens?)([-_][a-z0-9]{1,12})?$|^(auth|logins?|tokens?|userpass|pass|.+[-_.]passwd|passwd[-_.].+)$/i;
/** Endings of files that hold plain values; code, manuals and logs hold none. */
const holdsValues = /^(.+?)(\.(txt|csv|tsv|json|ya?ml|toml|ini|conf|cfg|cnf|env|xml|properties|dat|list|bak|old))*$/i;
/** Their files are named after what they check. */
const checkers = /^\/etc\/(pam\.d|passwd-?$|login\.|default\/|sysconfig\/|logrotate\.d|apparmor\.d|security\/)/;

/** Whether the name of a file says that it holds secrets. */
export function namesSecretFile(arg: Arg, cwd: string | undefined): boolean {
  const path = throughRoot(normalise(arg.text, cwd));
  if (openFolders.test(path) || checkers.test(path)) return false;
  const [, stem = ""] = holdsValues.exec(path.split("/").at(-1) ?? "") ?? [];
  return secretStem.test(stem) && (stem !== path.split("/").at(-1) || /cred|passw|secret|key/i.test(stem));
}

/** What another process has open. */
const openFile = /^\/proc\/[^/]+\/(task\/[^/]+\/)?fd\/./;

/** Whether a glob may stand for a secret among others, in a folder that a pattern names or one that is hidden. */
export function meetsSecret(arg: Arg, cwd: string | undefined): boolean {
  const path = throughRoot(normalise(arg.text, cwd));
  if (openFile.test(path) && !path.startsWith("/proc/self/")) return true;
  if (!arg.glob || openFolders.test(path) || path.split("*").length > maxParts) return false;
  const parts = path.split("/").slice(path.startsWith("/") ? 1 : 0);
  return secretPatterns.some((pattern) => {
    const asked = pattern.split("/").slice(1);
    return (asked[0] !== "**" || /^\/\*\*\/\./.test(pattern)) && canMeet(parts, asked);
  });
}

/** Whether secrets are kept below a folder, as a pattern of its own says; of those that may be anywhere none counts. */
export function holdsSecrets(arg: Arg, cwd: string | undefined): boolean {
  const path = throughRoot(normalise(arg.text, cwd));
  if (/^\/(root|home(\/[^/]+)?)?$/.test(path)) return true;
  const parts = [...path.split("/").slice(1), "**"];
  return (
    path.startsWith("/") &&
    parts.length <= maxParts &&
    secretPatterns.some((pattern) => !pattern.startsWith("/**") && canMeet(parts, pattern.split("/").slice(1)))
  );
}

/** Whether any path fits both globs, part by part; `**` stands for any number of parts. */
function canMeet(a: readonly string[], b: readonly string[]): boolean {
  const [first, ...rest] = a;
  const [other, ...others] = b;
  if (first === undefined || other === undefined) return [...a, ...b].every((part) => part === "**");
  if (first === "**") return canMeet(rest, b) || canMeet(a, others);
  if (other === "**") return canMeet(a, others) || canMeet(rest, b);
  return canMeetIn(first, other) && canMeet(rest, others);
}

/** The same within a part; a star at its beginning stands for no dot, as in a shell. */
function canMeetIn(a: string, b: string): boolean {
  if (/^[*?[]/.test(a) && b.startsWith(".")) return false;
  const meet = (i: number, k: number): boolean => {
    const [x, y] = [a[i], b[k]];
    if (x === undefined && y === undefined) return true;
    if (x === "*") return meet(i + 1, k) || (y !== undefined && meet(i, k + 1));
    if (y === "*") return meet(i, k + 1) || (x !== undefined && meet(i + 1, k));
    return x !== undefined && y !== undefined && (x === y || x === "?" || y === "?") && meet(i + 1, k + 1);
  };
  return meet(0, 0);
}

/** True where deleting the path, or everything in it, takes a system root with it. */
export function isRootTarget(arg: Arg, cwd: string | undefined, protectedPaths: readonly string[]): boolean {
  const path = throughRoot(normalise(arg.text, cwd));
  if (!path.startsWith("/")) return false;
  const folder = path.replace(/\/(\*\*?|\.\*|\.\[.*|\{.*|\.\?\?\*|\*\.\*|\?\*)$/, "") || "/";
  const isKept = protectedPaths.some((p) => p === folder || p.startsWith(`${folder === "/" ? "" : folder}/`));
  if (isKept) return true;
  const whole = { ...arg, text: folder, glob: arg.glob && /[*?[]/.test(folder) };
  return classesOf(whole, undefined).has("root") && !isHarmlessRoot(folder);
}

/** Pseudo files below /proc and /sys cannot be deleted; a temporary or log path of one program is not the system. */
const isHarmlessRoot = (path: string): boolean => /^\/(proc|sys)\/./.test(path) || path.includes(hole);
