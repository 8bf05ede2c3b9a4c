import { clean } from "./clean.ts";
import { inertLine } from "./fence.ts";

/** An http(s) address without credentials, written so that Markdown cannot end it early; nothing for any other. */
export function httpAddress(url: string): URL | undefined {
  // What the URL parser would silently drop or turn round could look like another address to the reader.
  if (/[\s\\<>`]/.test(url) || clean(url) !== url || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const isWeb = parsed.protocol === "https:" || parsed.protocol === "http:";
  return isWeb && parsed.username === "" && parsed.password === "" && parsed.hostname !== "" ? parsed : undefined;
}

/** A path inside the repository, relative to its root; nothing where it would leave it. */
export function repoPath(url: string): string | undefined {
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

/** A Markdown link with an inert label. */
export const writeLink = (label: string, address: string): string => `[${label}](${inParentheses(address)})`;

/**
 * A runbook link (AR-20): http(s), or a path in the repository put behind `blobUrl`. Nothing where the address is
 * neither, or is relative and there is nothing to put it behind.
 */
export function safeLink(
  label: string,
  url: string,
  { blobUrl }: { readonly blobUrl?: string | undefined },
): string | undefined {
  const inert = inertLine(clean(label).replace(/\s+/g, " ").trim()) || "link";
  const address = httpAddress(url);
  if (address) return writeLink(inert, address.href);
  const path = repoPath(url);
  return path !== undefined && blobUrl !== undefined
    ? writeLink(inert, `${blobUrl.replace(/\/+$/, "")}/${path}`)
    : undefined;
}
