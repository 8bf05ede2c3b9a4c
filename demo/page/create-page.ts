import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { slashNames } from "../../src/slash/verbs.ts";
import type { DemoIncident } from "../incidents.ts";
import { createReader, type PageGitHub } from "./github.ts";
import { isFromHere, readJson, sendJson, sendText } from "./http.ts";
import { createLive } from "./live.ts";

/** One of those a visitor may act as. */
export interface PagePerson {
  readonly login: string;
  /** In a word: approver, teammate, stranger. */
  readonly role: string;
  /** What they may, in a line. */
  readonly may: string;
}

export interface PageOptions {
  readonly github: PageGitHub;
  readonly incidents: readonly DemoIncident[];
  /** The first one is also the one the page reads as. */
  readonly people: readonly PagePerson[];
  /** `owner/name` */
  readonly repo: string;
  /** The repository whose pull requests the page shows. */
  readonly patches?: string | undefined;
  /** Puts the sandbox's servers back into their incidents; without it the page offers no such button. */
  readonly reset?: (() => Promise<void> | void) | undefined;
}

export interface Page {
  /** Answers a request and says true, or says false for a path that is not the page's. */
  (request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Ends what open pages listen to: they would hold the server for as long as they are open. */
  readonly close: () => void;
}

const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";
const scripts = ["page", "view", "list", "issue", "pull", "compose", "wire"];
const styles = ["page", "parts", "list", "issue", "pull", "compose", "wire", "emoji", "narrow"];
const own = (file: string): string => new URL(`./static/${file}`, import.meta.url).href;
const assets: Readonly<Record<string, { readonly url: () => string; readonly type: string }>> = {
  ...Object.fromEntries(scripts.map((name) => [`/page/${name}.js`, { url: () => own(`${name}.js`), type: script }])),
  ...Object.fromEntries(styles.map((name) => [`/page/${name}.css`, { url: () => own(`${name}.css`), type: style }])),
  "/page/markdown.css": {
    url: () => import.meta.resolve("github-markdown-css/github-markdown.css"),
    type: style,
  },
};
/** A file of the repository at a commit: `/blob/1a2b3c4/docs/disk.md`. */
const filePath = /^\/blob\/([0-9a-f]{7,40})\/([\w./%-]+)$/;
const isDocument = (path: string): boolean => path === "/" || path === "/new" || /^\/(?:issues|pulls)\/\d+$/.test(path);

const load = (url: string): Promise<Buffer> => readFile(fileURLToPath(url));

/** What a button of the page does on GitHub: a method and a path for a body that was checked. */
const writes: Readonly<
  Record<
    string,
    (
      repo: string,
      body: Readonly<Record<string, unknown>>,
    ) => readonly [method: string, path: string, body: unknown] | undefined
  >
> = {
  "/page/open": (repo, { title, body, labels }) => ["POST", `/repos/${repo}/issues`, { title, body, labels }],
  "/page/comment": (repo, { issue, body }) =>
    Number.isInteger(issue) ? ["POST", `/repos/${repo}/issues/${issue}/comments`, { body }] : undefined,
  "/page/edit": (repo, { issue, comment, body }) =>
    comment === "body" && Number.isInteger(issue)
      ? ["PATCH", `/repos/${repo}/issues/${issue}`, { body }]
      : /^\d+$/.test(String(comment))
        ? ["PATCH", `/repos/${repo}/issues/comments/${comment}`, { body }]
        : undefined,
  "/page/state": (repo, { issue, state }) =>
    Number.isInteger(issue) && (state === "open" || state === "closed")
      ? ["PATCH", `/repos/${repo}/issues/${issue}`, { state }]
      : undefined,
};

/** The page that looks and reads like a GitHub issue. It holds no state: everything is read from GitHub and told live. */
export const createPage = ({ github, incidents, people, repo, patches, reset }: PageOptions): Page => {
  const viewer = people[0]?.login ?? "";
  const logins = people.map((person) => person.login);
  const reader = createReader(github, viewer, repo, patches);
  const live = createLive({ github, reader, people: logins });

  const write = async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readJson(request);
    const login = body?.as;
    const call = body && writes[path]?.(repo, body);
    if (!call || typeof login !== "string" || !logins.includes(login)) {
      return sendJson(response, 400, { message: "The page sent something that cannot be read." });
    }
    const answered = await github.as(login)(...call);
    sendJson(response, answered.status, answered.body ?? {});
  };

  /** A draft is made ready first, as its maintainer would. */
  const merge = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pull } = (await readJson(request)) ?? {};
    if (patches === undefined || !Number.isInteger(pull))
      return sendJson(response, 400, { message: "The page sent something that cannot be read." });
    const [asMaintainer, path] = [github.as(viewer), `/repos/${patches}/pulls/${pull}`];
    const ready = await asMaintainer("PATCH", path, { draft: false });
    const answered = ready.status === 200 ? await asMaintainer("PUT", `${path}/merge`, {}) : ready;
    sendJson(response, answered.status, answered.body ?? {});
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const path = url.pathname;
    const asset = assets[path];
    const isOurs = isDocument(path) || path.startsWith("/page/") || filePath.test(path);
    if (!isOurs) return false;
    if (!isFromHere(request)) {
      const address = `http://127.0.0.1:${request.socket.localPort}`;
      sendJson(response, 403, {
        message: `Only the page itself may ask for that; open it at ${address} (from afar, through a tunnel).`,
      });
    } else if (request.method === "POST" && path === "/page/reset" && reset) {
      await reset();
      sendJson(response, 200, {});
    } else if (request.method === "POST" && path === "/page/merge") {
      await merge(request, response);
    } else if (request.method === "POST" && writes[path]) {
      await write(path, request, response);
    } else if (request.method !== "GET") {
      sendJson(response, 405, { message: "Not that way." });
    } else if (isDocument(path)) {
      sendText(response, "text/html; charset=utf-8", await load(own("index.html")));
    } else if (filePath.test(path)) {
      const [, commit = "", file = ""] = filePath.exec(path) ?? [];
      const shown = await reader.file(commit, file);
      if (shown === undefined) sendJson(response, 404, { message: "There is no such file." });
      else sendText(response, "text/plain; charset=utf-8", shown);
    } else if (asset) {
      sendText(response, asset.type, await load(asset.url()));
    } else if (path === "/page/pull") {
      const pull = await reader.pull(Number(url.searchParams.get("number")));
      if (pull === undefined) sendJson(response, 404, { message: "There is no such pull request." });
      else sendJson(response, 200, pull);
    } else if (path === "/page/setup") {
      sendJson(response, 200, { repo, patches, people, incidents, verbs: slashNames, canReset: reset !== undefined });
    } else if (path === "/page/events") {
      const issue = Number(url.searchParams.get("issue") ?? Number.NaN);
      live.attach(response, Number.isInteger(issue) ? issue : undefined);
    } else {
      sendJson(response, 404, { message: "The page has nothing there." });
    }
    return true;
  };
  return Object.assign(answer, { close: live.close });
};
