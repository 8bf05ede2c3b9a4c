import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseJson } from "../base/json.ts";
import { loadTemplate, readTemplate } from "../base/template.ts";
import { readBody } from "./places.ts";
import { sendAnswer } from "./server.ts";

/** `shut` can no longer be used. */
type PasskeyPage =
  | { readonly kind: "shut"; readonly reason: string }
  | {
      readonly kind: "open";
      readonly does: string;
      readonly title: string;
      readonly rows: readonly (readonly [string, string])[];
      readonly command: string | undefined;
      readonly button: string;
      readonly endsAt: Date;
      readonly options: object;
    };

interface PasskeyDoorOptions {
  readonly isOn: () => boolean;
  readonly view: (id: string) => Promise<PasskeyPage>;
  readonly take: (id: string, body: unknown) => Promise<{ readonly ok: boolean; readonly words: string }>;
  /** Gets no text of the sender. */
  readonly log: (event: { readonly status: number; readonly ok: boolean }) => void;
}

/** No other page can show or change this one. */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
} as const;

const bodyCapBytes = 32 * 1024;
/** Anyone can call, and each call reads the store. */
const mostAtOnce = 8;
const mostWaitMs = 5_000;
const tooMany = "too many at once";
const path = /^\/k\/([0-9a-f]{64})$/;

/** Serves `/k/<id>` with its script and style (PK-03). Returns false for other addresses. */
export function createPasskeyDoor(
  options: PasskeyDoorOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  let files: ReturnType<typeof readFiles> | undefined;
  const page = loadTemplate("passkey/page.html");
  const blank = { does: "", options: "{}", ends: "", rows: "", command: "", button: "", scripts: "" };
  const render = (shown: PasskeyPage): string => {
    if (shown.kind === "shut") return page({ ...blank, title: "Passkey", status: escaped(shown.reason) });
    const { does, title, rows, command, button, endsAt, options } = shown;
    const cells = rows.map(([term, value]) => `<dt>${escaped(term)}</dt><dd>${escaped(value)}</dd>`).join("");
    return page({
      does,
      title: escaped(title),
      options: escaped(JSON.stringify(options)),
      ends: endsAt.toISOString(),
      rows: `<dl>${cells}</dl>`,
      // HTML drops a line end right after the tag, and a command may begin with one.
      command: command === undefined ? "" : `<pre>\n${escaped(command)}</pre>`,
      button: `<button type="button">${escaped(button)}</button>`,
      status: "",
      scripts: '<script src="/k/webauthn.js"></script><script src="/k/page.js"></script>',
    });
  };

  let free = mostAtOnce;
  const waiting = new Set<() => void>();
  /** Undefined for a caller that waited too long. */
  const ask = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (free > 0) free--;
    else {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const turn = (): void => resolve(true);
      waiting.add(turn);
      const late = setTimeout(() => waiting.delete(turn) && resolve(false), mostWaitMs);
      const isTurn = await promise;
      clearTimeout(late);
      if (!isTurn) return undefined;
    }
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else free++;
    }
  };

  const serve = async (request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    files ??= readFiles();
    const file = files.get(pathname);
    const id = path.exec(pathname)?.[1];
    if (request.method === "GET" && file) {
      response.setHeader("content-type", file.type);
      sendAnswer(response, 200, file.text);
    } else if (request.method === "GET" && id) {
      const shown = await ask(() => options.view(id));
      if (!shown) return sendAnswer(response, 503, tooMany);
      response.setHeader("content-type", "text/html; charset=utf-8");
      sendAnswer(response, shown.kind === "open" ? 200 : 410, render(shown));
    } else if (request.method === "POST" && id) {
      const body = await readBody(request, bodyCapBytes);
      if (body === "cut off") return;
      const result =
        typeof body === "string"
          ? { ok: false, words: body }
          : await ask(() => options.take(id, parseJson(body.toString("utf8"))));
      if (!result) return sendAnswer(response, 503, tooMany);
      const status = result.ok ? 200 : 400;
      options.log({ status, ok: result.ok });
      response.setHeader("content-type", "text/plain; charset=utf-8");
      sendAnswer(response, status, result.words);
    } else sendAnswer(response, 404, "not found");
  };

  return async (request, response) => {
    const [pathname = ""] = (request.url ?? "").split("?", 1);
    if (!pathname.startsWith("/k/") || !options.isOn()) return false;
    await serve(request, response, pathname);
    return true;
  };
}

function readFiles(): ReadonlyMap<string, { readonly type: string; readonly text: string }> {
  const bundle = new URL("../dist/bundle/index.umd.min.js", import.meta.resolve("@simplewebauthn/browser"));
  const script = "text/javascript; charset=utf-8";
  return new Map([
    ["/k/page.css", { type: "text/css; charset=utf-8", text: readTemplate("passkey/page.css") }],
    ["/k/page.js", { type: script, text: readTemplate("passkey/page.js") }],
    ["/k/webauthn.js", { type: script, text: readFileSync(bundle, "utf8") }],
  ]);
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
