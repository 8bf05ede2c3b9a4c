import { clean } from "./read/clean.ts";

/** An http(s) address without credentials, written so that Markdown cannot end it early; nothing for any other. */
export function httpAddress(url: string): URL | undefined {
  // What the URL parser would silently drop or turn round could look like another address to the reader.
  if (/[\s\\<>`]/.test(url) || clean(url) !== url || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const isWeb = parsed.protocol === "https:" || parsed.protocol === "http:";
  return isWeb && parsed.username === "" && parsed.password === "" && parsed.hostname !== "" ? parsed : undefined;
}

/** A path inside the repository, relative to its root; nothing where it would leave it. */
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

/** The address as it can stand between the parentheses of a Markdown link. */
const inParentheses = (address: string): string =>
  address.replace(/[()*_~@]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/**
 * Where a link of a comment may lead: http(s), or a path in the repository behind `blobUrl`. Undefined for any other address, and
 * for a path with nothing to put it behind: GitHub would look for it below `/issues/` (AR-20, DC-5).
 */
export function absoluteAddress(url: string, blobUrl: string | undefined): string | undefined {
  const address = httpAddress(url);
  if (address) return address.href;
  const path = repoPath(url);
  return path === undefined || blobUrl === undefined ? undefined : `${blobUrl}/${path}`;
}

/** Writes a Markdown link; no other place writes one. The words alone where the address is none. `label` is inert already. */
export function writeLink(label: string, url: string): string {
  const address = httpAddress(url);
  return address ? `[${label}](${inParentheses(address.href)})` : label;
}
