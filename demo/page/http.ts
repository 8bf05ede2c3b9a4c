import type { IncomingMessage, ServerResponse } from "node:http";

const maxBodyBytes = 256 * 1024;

/** Nothing external, nothing inline: what a comment smuggles in cannot run even if the sanitizer failed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
} as const;

export const sendText = (response: ServerResponse, type: string, text: string | Buffer): void => {
  response.writeHead(200, { ...headers, "content-type": type }).end(text);
};

export const sendJson = (response: ServerResponse, status: number, value: unknown): void => {
  response
    .writeHead(status, { ...headers, "content-type": "application/json; charset=utf-8" })
    .end(JSON.stringify(value));
};

/** A JSON object of at most 256 KB; undefined where it is none. */
export const readJson = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined; // Answered with 400 by the caller.
  }
};

const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Only a page of ours may act as one of the four: another site's form, or a name that points here, may not. */
export const isFromHere = (request: IncomingMessage): boolean => {
  const { host = "", origin } = request.headers;
  if (!localHost.test(host)) return false;
  if (request.method === "GET") return true;
  const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
  return isJson && (origin === undefined || origin === `http://${host}`);
};
