import { clean } from "./read/clean.ts";

/** Undefined unless the address is http(s) without credentials. */
export function httpAddress(url: string): URL | undefined {
  // The URL parser silently drops or changes these, so a reader could see another address.
  if (/[\s\\<>`]/.test(url) || clean(url) !== url || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const isWeb = parsed.protocol === "https:" || parsed.protocol === "http:";
  return isWeb && parsed.username === "" && parsed.password === "" && parsed.hostname !== "" ? parsed : undefined;
}

/** A path from the repository's root; undefined if it leaves it. */
function repoPath(url: string): string | undefined {
  if (url === "" || /^[a-z][a-z0-9+.-]*:|^\/\/|[\s\\<>`]/i.test(url) || clean(url) !== url) return undefined;
  const [path = "", fragment] = url.split("#", 2);
  let decoded: string;
  try {
    decoded = decodeURIComponent(path.split("?", 1)[0] ?? "");
  } catch {
    return undefined;
  }
  const segments = decoded.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length === 0 || segments.includes("..")) return undefined;
  return segments.map(encodeURIComponent).join("/") + (fragment ? `#${encodeURIComponent(fragment)}` : "");
}

/**
 * A comment's link target: http(s), or a repository path after `blobUrl`; otherwise undefined, because GitHub resolves relative paths below
 * `/issues/` (AR-20, DC-5).
 */
export function absoluteAddress(url: string, blobUrl: string | undefined): string | undefined {
  const address = httpAddress(url);
  if (address) return address.href;
  const path = repoPath(url);
  return path === undefined || blobUrl === undefined ? undefined : `${blobUrl}/${path}`;
}

/** The only writer of links. An invalid address leaves only `label`, which must be inert. */
export function writeLink(label: string, url: string): string {
  const address = httpAddress(url);
  return address
    ? `[${label}](${address.href.replace(/[()*_~@]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)})`
    : label;
}
