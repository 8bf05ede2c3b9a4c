import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { hostname, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { messageOf, OperatorError } from "../base/errors.ts";
import { patchRights } from "../base/github.ts";
import { listenAt } from "../base/listen.ts";
import { parseYaml } from "../base/yaml.ts";
import { environment } from "../config/load.ts";
import { type AppCredentials, exchangeCode, type Manifest, newAppUrl, webUrlOf } from "../github/app/access.ts";
import { firstThere } from "./check/machine.ts";

export interface RegisterOptions {
  /** Where GitHub reaches the bot; none if it polls. */
  readonly url?: string | undefined;
  readonly poll?: boolean | undefined;
  /** Makes the second App, which proposes patches and hears nothing. */
  readonly patches?: boolean | undefined;
  /** GitHub Enterprise Server has its own API address. */
  readonly api: string;
  /** By default the browser's account. */
  readonly organization?: string | undefined;
  readonly name?: string | undefined;
  /** 0 for any free port. */
  readonly port: number;
  readonly out: string;
}

const patienceMs = 15 * 60_000;

/**
 * Creates the GitHub App (CONFIG): a local page sends the manifest with a secret state, GitHub returns a code, and the code becomes files
 * of mode 0600. Never overwrites a file, and checks that before it creates anything. Throws an `OperatorError` on failure.
 */
export async function register(
  options: RegisterOptions,
  print: (line: string) => void,
): Promise<{ readonly files: readonly string[] }> {
  if (options.patches && options.url !== undefined) {
    const remedy = "leave one of the two out: the App for patches has no webhook";
    throw new OperatorError({ place: "--url", message: "means nothing beside --patches", remedy });
  }
  if (options.url === undefined && !hasNoHook(options)) {
    const remedy = "add --poll for a bot that asks GitHub and needs no address, or --url https://…";
    throw new OperatorError({ place: "--url", message: "where GitHub reaches the bot is not said", remedy });
  }
  const place = placesIn(resolve(options.out), options.patches ? "patches.pem" : "app.pem");
  const state = randomBytes(32).toString("base64url");
  const code = Promise.withResolvers<string>();
  let port = options.port;
  const server = createServer((request, response) => {
    const { page, found } = answerTo(request, port);
    if (found !== undefined) code.resolve(found);
    send(response, page);
  });

  /** `found` is GitHub's code. */
  function answerTo(request: IncomingMessage, ours: number): { readonly page: RegisterPage; readonly found?: string } {
    // DNS rebinding: a foreign page whose name resolves to this machine must not read the state.
    if (request.headers.host !== `127.0.0.1:${ours}`) return { page: told(403, "Open the printed address.") };
    // Any page in that browser can request `//`, which is no URL.
    const { pathname, searchParams } = URL.parse(request.url ?? "/", `http://127.0.0.1:${ours}`) ?? nowhere;
    if (pathname === "/") return { page: formOf(options, { folder: place.folder, state, port: ours }) };
    if (pathname === "/page.css") return { page: { status: 200, style: readFileSync(look, "utf8") } };
    if (pathname !== "/made") return { page: told(404, "There is no such page.") };
    if (!isSame(searchParams.get("state") ?? "", state))
      return { page: told(400, "Nothing was done: this does not come from the page that asked for it.") };
    const given = searchParams.get("code") ?? "";
    if (!/^[\w-]{1,200}$/.test(given)) return { page: told(400, "Nothing was done: GitHub sent no code.") };
    return { page: told(200, "Go back to the terminal: it says what to do next."), found: given };
  }

  const remedy = "name another port, or leave --port out: then any free one is taken";
  port = await listenAt(server, { host: "127.0.0.1", port, place: "--port", remedy });
  print(`Open http://127.0.0.1:${port}/ in a browser where you are signed in to ${webUrlOf(options.api)}.`);
  print(
    `If that browser is on another machine, run there first, and leave it open: ssh -N -L ${port}:127.0.0.1:${port} ${userInfo().username}@${hostname()}`,
  );
  const late = setTimeout(() => {
    const message = "nobody came back from GitHub within 15 minutes";
    code.reject(new OperatorError({ place: "register", message, remedy: "run it again" }));
  }, patienceMs);
  try {
    const made = await exchangeCode(options.api, await code.promise, !hasNoHook(options));
    const files = writeAll(place, made, options);
    for (const file of files) print(`wrote ${file}`);
    for (const line of whatNext(options, made, files.includes(place.config))) print(line);
    return { files };
  } finally {
    clearTimeout(late);
    server.closeAllConnections();
    server.close();
  }
}

const hasNoHook = ({ poll, patches }: Pick<RegisterOptions, "poll" | "patches">): boolean =>
  poll === true || patches === true;

const nowhere = new URL("http://127.0.0.1/nowhere");

function whatNext(
  options: RegisterOptions,
  { htmlUrl, appId, owner }: AppCredentials,
  wrote: boolean,
): readonly string[] {
  const config = join(options.out, "countersign.yml");
  const { npm_lifecycle_event: script, npm_lifecycle_script: line = "" } = environment();
  const isNpx = script === "npx" && line.includes("countersign");
  const us = script === "countersign" ? "npm run --silent countersign --" : isNpx ? "npx countersign" : "countersign";
  if (options.patches)
    return [
      `1. Install the App on the repositories that patches are for, and on no others: ${htmlUrl}/installations/new`,
      `2. Write into ${config}: github: { patches_app: { app_id: ${appId}, private_key_file: ./patches.pem } } and patches: { NAME: { repository: OWNER/NAME, paths: ["k8s/**"] } }`,
      `3. ${us} check --config ${config}`,
    ];
  return [
    `1. Install the App on your repositories: ${htmlUrl}/installations/new`,
    `2. ${wrote ? "" : `${config} was there already: set github.app_id to ${appId}. `}Name repositories, servers and approvers in ${config}.`,
    ...(options.organization === undefined && owner !== undefined
      ? [
          `   A personal account has no teams, so name people. For yourself: policy: { approvers: { users: [{ login: ${owner.login}, id: ${owner.id} }] } }`,
        ]
      : []),
    `3. ${us} check --config ${config}`,
  ];
}

interface CredentialFiles {
  readonly folder: string;
  readonly key: string;
  readonly secret: string;
  readonly config: string;
}

function placesIn(folder: string, keyName: string): CredentialFiles {
  // Before anything is created, because GitHub shows the key only once.
  const probe = join(folder, `.countersign-${randomBytes(8).toString("hex")}`);
  try {
    accessSync(firstThere(folder), constants.W_OK);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(probe, Buffer.alloc(roomBytes), { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    const message = `cannot be written to: ${messageOf(error, folder).replace(`${probe}: `, "")}`;
    throw new OperatorError({ place: folder, message, remedy: "name another folder with --out" });
  } finally {
    if (existsSync(probe)) rmSync(probe);
  }
  const place = { folder, key: join(folder, keyName), secret: join(folder, "hook.secret") };
  // The second App stands beside the first, and has no secret.
  const own = keyName === "app.pem" ? [place.key, place.secret] : [place.key];
  const taken = own.filter((file) => existsSync(file));
  if (taken.length > 0)
    throw new OperatorError(
      taken.map((file) => ({
        place: file,
        message: "exists already, and may be the only copy of a key",
        remedy: "move it away, or name another folder with --out",
      })),
    );
  return { ...place, config: join(folder, "countersign.yml") };
}

/** More than all files need. */
const roomBytes = 65_536;

/** The key first, because GitHub shows it only once. */
function writeAll(
  place: CredentialFiles,
  made: AppCredentials,
  { api, poll, patches }: RegisterOptions,
): readonly string[] {
  const write = (file: string, text: string): string => {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
    return file;
  };
  const { webhookSecret } = made;
  const key = write(place.key, made.pem);
  const files = [key, ...(webhookSecret === undefined ? [] : [write(place.secret, `${webhookSecret}\n`)])];
  const config = [
    "github:",
    `  app_id: ${made.appId}`,
    "  private_key_file: ./app.pem",
    poll ? "  mode: poll" : "  webhook_secret_file: ./hook.secret",
    `  api_url: ${api}`,
    "  repositories: []",
    "",
  ].join("\n");
  if (patches || existsSync(place.config)) return files;
  return [...files, write(place.config, config)];
}

const shipped = new URL("../../app.yml", import.meta.url);

/** app.yml with the operator's addresses, or without a webhook. Only organizations have teams, so other Apps need no right to members. */
function manifestFor(
  options: Pick<RegisterOptions, "url" | "poll" | "patches" | "api" | "name" | "organization">,
  port: number,
): Manifest {
  const { url, patches, api, name, organization } = options;
  const yaml = parseYaml(readFileSync(shipped, "utf8"), "app.yml");
  if (!yaml.ok) throw new OperatorError(yaml.problems);
  // GitHub requires a home page and a webhook's address, even if unused.
  const base = (url ?? [webUrlOf(api), organization ?? []].flat().join("/")).replace(/\/+$/, "");
  const app = yaml.value as Manifest;
  const { members: _, ...ofAccount } = app.default_permissions;
  return {
    ...app,
    ...(organization === undefined ? { default_permissions: ofAccount } : {}),
    ...(patches ? patchesApp : {}),
    ...(name === undefined ? {} : { name }),
    url: base,
    redirect_url: `http://127.0.0.1:${port}/made`,
    hook_attributes: { url: `${base}/api/github/webhooks`, active: !hasNoHook(options) },
    default_events: hasNoHook(options) ? [] : app.default_events,
  };
}

const patchesApp = {
  name: "Countersign Patches",
  description: "Proposes approved patches as draft pull requests. Install it only where they are for.",
  default_permissions: patchRights,
} as const;

const createApp = "Create the GitHub App";

function formOf(
  options: RegisterOptions,
  { folder, state, port }: { readonly folder: string; readonly state: string; readonly port: number },
): RegisterPage {
  const action = newAppUrl(webUrlOf(options.api), options.organization, state);
  const manifest = manifestFor(options, port);
  const rights = Object.entries(manifest.default_permissions).map(([right, level]) => `${right}: ${level}`);
  const { url, active } = manifest.hook_attributes;
  const rows = {
    Name: manifest.name,
    Owner: options.organization ?? "the account that is signed in",
    Permissions: rights.join(", "),
    Webhook: active ? url : options.patches ? "none" : "none: the bot asks GitHub",
    Files: folder,
  };
  return {
    status: 200,
    title: createApp,
    body: [
      `<p>GitHub shows the App to you once more, creates it when you confirm, and sends this browser back here with a code. \
This program exchanges the code for the App's private key${active ? " and webhook secret" : ""} and writes ${active ? "them" : "it"} to files on this machine that only your account can read.</p>`,
      `<dl>${Object.entries(rows)
        .map(([name, value]) => `<dt>${name}</dt><dd>${attribute(value)}</dd>`)
        .join("")}</dl>`,
      `<form action="${attribute(action)}" method="post">`,
      `<input type="hidden" name="manifest" value="${attribute(JSON.stringify(manifest))}">`,
      `<button>${createApp}</button></form>`,
    ].join("\n"),
  };
}

const look = new URL("../../templates/passkey/page.css", import.meta.url);

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  '"': "&quot;",
  "'": "&#39;",
  "<": "&lt;",
  ">": "&gt;",
};
const attribute = (text: string): string => text.replace(/[&"'<>]/g, (letter) => entities[letter] ?? letter);

const isSame = (given: string, wanted: string): boolean => timingSafeEqual(hashOf(given), hashOf(wanted));
const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

type RegisterPage =
  | { readonly status: number; readonly title: string; readonly body: string }
  | { readonly status: number; readonly style: string };

const told = (status: number, text: string): RegisterPage => ({
  status,
  title: status === 200 ? "The App is being created" : createApp,
  body: `<p>${text}</p>`,
});

function send(response: ServerResponse, page: RegisterPage): void {
  response.writeHead(page.status, {
    "content-type": `${"style" in page ? "text/css" : "text/html"}; charset=utf-8`,
    "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
  response.end("style" in page ? page.style : htmlOf(page));
}

const htmlOf = ({ title, body }: Extract<RegisterPage, { body: string }>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Countersign</title>
<link rel="stylesheet" href="/page.css">
</head>
<body>
<main>
<p class="brand"><svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true"><rect width="24" height="24" rx="7"/><path d="M6.5 12.6l3.6 3.6 7.4-8"/></svg> Countersign</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
