import { clean } from "./read/clean.ts";

/** An http(s) address without credentials; undefined for any other. */
export function httpAddress(url: string): URL | undefined {
  // The URL parser silently drops or changes these characters, so a reader could see another address.
  if (/[\s\\<>`]/.test(url) || clean(url) !== url || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const isWeb = parsed.protocol === "https:" || parsed.protocol === "http:";
  return isWeb && parsed.username === "" && parsed.password === "" && parsed.hostname !== "" ? parsed : undefined;
}

/** A path inside the repository, relative to its root; undefined if it would leave it. */
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

/** The address for the parentheses of a Markdown link. */
const inParentheses = (address: string): string =>
  address.replace(/[()*_~@]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/**
 * The target of a link in a comment: http(s), or a path in the repository after `blobUrl`. Undefined for any other address, and for a path
 * without `blobUrl`, because GitHub would resolve it below `/issues/` (AR-20, DC-5).
 */
export function absoluteAddress(url: string, blobUrl: string | undefined): string | undefined {
  const address = httpAddress(url);
  if (address) return address.href;
  const path = repoPath(url);
  return path === undefined || blobUrl === undefined ? undefined : `${blobUrl}/${path}`;
}

/** The only writer of Markdown links. Writes only the words if the address is invalid. `label` must be inert. */
export function writeLink(label: string, url: string): string {
  const address = httpAddress(url);
  return address ? `[${label}](${inParentheses(address.href)})` : label;
}
