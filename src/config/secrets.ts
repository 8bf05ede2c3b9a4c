import { createPrivateKey } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import type { SchemaFinding } from "../base/problems.ts";
import { processRoles as allRoles, type ProcessRole } from "../base/roles.ts";
import type { ParsedFile } from "./schema.ts";
import { resolvePath } from "./shape.ts";

/** From files that only their owner can read or, for trials, from the environment (SR-01, SR-55, SR-56). */

export type Environment = Readonly<Record<string, string | undefined>>;

interface Secrets {
  readonly appId: number;
  readonly privateKey: string;
  /** Of the App for patches; empty if there is none. */
  readonly patchesKey: string;
  /** Two while the secret changes. */
  readonly webhookSecrets: readonly string[];
  /** One for each model endpoint. */
  readonly apiKeys: readonly (string | undefined)[];
  readonly storePasswords: readonly string[];
  /** Including unreadable ones. */
  readonly files: readonly string[];
  readonly findings: readonly SchemaFinding[];
  /** Keys and sections without their secret: `github.app_id`, `model`. */
  readonly gaps: readonly string[];
  /** Others can read the environment in /proc. */
  readonly warnings: readonly SchemaFinding[];
}

/** Never throws: unreadable and weak secrets are findings. */
export function readSecrets(
  { github, model, store }: ParsedFile,
  file: string,
  env: Environment,
  /** Secrets of other roles are neither read nor missed. */
  roles: readonly ProcessRole[] = allRoles,
): Secrets {
  const sources = { file, env };
  const isAgent = roles.includes("agent");
  // Without a role a process does nothing at GitHub.
  const privateKey = roles.length > 0 ? readPrivateKey(github.private_key_file, sources) : note("");
  // The web role takes webhooks, and needs no key to a repository.
  const usesPatches = isAgent || roles.includes("runner");
  const patchesFile = usesPatches ? github.patches_app?.private_key_file : undefined;
  const patches =
    patchesFile === undefined
      ? note(undefined)
      : fromFile(patchesFile, ["github", "patches_app", "private_key_file"], sources);
  const patchesKey = patches.value ? keyIn(patches, patches.value) : note("", patches);
  const isVerifier = roles.includes("web") && github.mode !== "poll";
  const webhookSecrets = isVerifier ? readWebhookSecrets(github.webhook_secret_file, sources) : note([]);
  const given = github.app_id ?? Number(env.APP_ID);
  const appId =
    Number.isSafeInteger(given) && given > 0
      ? note(given)
      : note(given, nothingNoted, [
          missing(["github", "app_id"], "APP_ID", "it is the number on the App's settings page"),
        ]);
  const apiKeys = model.endpoints.map((endpoint, index) =>
    isAgent ? readApiKey(endpoint, index, sources) : note(undefined),
  );
  const storePasswords = readStorePasswords(store.url, sources);
  const lacksKey = model.endpoints.some(
    ({ api_key_file, api_key_env }, index) =>
      isAgent && (api_key_file ?? api_key_env) !== undefined && !apiKeys[index]?.value,
  );
  const all: readonly Notes[] = [privateKey, patchesKey, webhookSecrets, appId, ...apiKeys, storePasswords];
  return {
    appId: appId.value,
    privateKey: privateKey.value,
    patchesKey: patchesKey.value,
    webhookSecrets: webhookSecrets.value,
    apiKeys: apiKeys.map(({ value }) => value),
    storePasswords: storePasswords.value,
    files: all.flatMap(({ files }) => files),
    findings: all.flatMap(({ findings }) => findings),
    gaps: [
      ...(appId.findings.length === 0 ? [] : ["github.app_id"]),
      ...(privateKey.value !== "" ? [] : ["github.private_key_file"]),
      ...(patchesFile === undefined || patchesKey.value !== "" ? [] : ["github.patches_app"]),
      ...(lacksKey ? ["model"] : []),
    ],
    warnings: all.flatMap(({ warnings }) => warnings),
  };
}

export interface Sources {
  readonly file: string;
  readonly env: Environment;
}

export type Notes = Pick<Secrets, "files" | "findings" | "warnings">;
type WithNotes<T> = Notes & { readonly value: T };

interface Secret {
  readonly text: string;
  /** Findings are printed and logged, so they name the origin only. */
  readonly from: Pick<SchemaFinding, "path" | "variable">;
}

const nothingNoted: Notes = { files: [], findings: [], warnings: [] };

const note = <T>(value: T, before = nothingNoted, findings: readonly SchemaFinding[] = []): WithNotes<T> => ({
  value,
  files: before.files,
  findings: [...before.findings, ...findings],
  warnings: before.warnings,
});

/** Never throws: mistakes are findings. */
export function fromFile(
  setting: string,
  path: readonly PropertyKey[],
  { file }: Sources,
): WithNotes<Secret | undefined> {
  const secretFile = resolvePath(setting, file);
  const notes = { files: [secretFile], findings: openToOthers(secretFile, path), warnings: [] };
  try {
    return note({ text: readFileSync(secretFile, "utf8"), from: { path } }, notes);
  } catch (error) {
    const message = `${secretFile} cannot be read: ${messageOf(error, secretFile)}`;
    return note(undefined, notes, [{ path, message, remedy: "create it, or correct the path" }]);
  }
}

export function fromEnv(
  variable: string,
  path: readonly PropertyKey[],
  { env }: Sources,
  remedy = "put it in a file with mode 0600 and name that in the config",
): WithNotes<Secret | undefined> {
  const text = env[variable];
  if (!text) return note(undefined);
  const message = "a secret in the environment is for trying only: other programs can read it in /proc";
  const from = { path, variable };
  return note({ text, from }, { ...nothingNoted, warnings: [{ ...from, message, remedy }] });
}

/** Empty if there is no usable key. */
function readPrivateKey(setting: string | undefined, sources: Sources): WithNotes<string> {
  const { env } = sources;
  const path = ["github", "private_key_file"];
  const keyFile = setting ?? (env.PRIVATE_KEY ? undefined : env.PRIVATE_KEY_PATH);
  const read = keyFile ? fromFile(keyFile, path, sources) : fromEnv("PRIVATE_KEY", path, sources);
  if (!read.value) {
    const remedy = "`countersign register` makes the App and writes it";
    return note("", read, keyFile ? [] : [missing(path, "PRIVATE_KEY or PRIVATE_KEY_PATH", remedy)]);
  }
  return keyIn(read, read.value);
}

/** Empty if it is no key. */
function keyIn(read: Notes, secret: Secret): WithNotes<string> {
  // A key in a variable often has `\n` for line ends, or is in base64.
  const lines = secret.text.replaceAll("\\n", "\n").trim();
  const pem = lines.includes("-----BEGIN") ? lines : Buffer.from(lines, "base64").toString("utf8").trim();
  try {
    createPrivateKey(pem);
    return note(pem, read);
  } catch {
    const message = "the App's private key is no PEM private key";
    const remedy = "download it again from the App's settings page";
    return note("", read, [{ ...secret.from, message, remedy }]);
  }
}

function readWebhookSecrets(setting: string | undefined, sources: Sources): WithNotes<readonly string[]> {
  const path = ["github", "webhook_secret_file"];
  const read = setting ? fromFile(setting, path, sources) : fromEnv("WEBHOOK_SECRET", path, sources);
  if (!read.value) return note([], read, setting ? [] : [missing(path, "WEBHOOK_SECRET", orPoll)]);
  return readLines(read, read.value);
}

/** One secret a line; two while it changes. */
export function readLines(read: Notes, { text, from }: Secret, what = ofApp): WithNotes<readonly string[]> {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return note(
    lines,
    read,
    webhookProblems(lines, what.name).map((message) => ({ ...from, message, remedy: newSecret(what.where) })),
  );
}

function readApiKey(
  { api_key_file, api_key_env }: ParsedFile["model"]["endpoints"][number],
  index: number,
  sources: Sources,
): WithNotes<string | undefined> {
  const path = ["model", "endpoints", index, api_key_file ? "api_key_file" : "api_key_env"];
  if (!api_key_file && !api_key_env) return note(undefined);
  const read = api_key_file ? fromFile(api_key_file, path, sources) : fromEnv(api_key_env ?? "", path, sources);
  const key = read.value?.text.trim();
  if (key !== undefined || api_key_file) return note(key, read, key === "" ? [{ path, message: "it is empty" }] : []);
  const message = `the environment has no ${api_key_env}`;
  const remedy = "set it, use api_key_file, or leave both out for an endpoint without a key";
  return note(undefined, read, [{ path, message, remedy }]);
}

/** None for an embedded store. */
function readStorePasswords(url: string, sources: Sources): WithNotes<readonly string[]> {
  if (url.startsWith("file:")) return note([]);
  const path = ["store", "url"];
  const remedy = "put it in a file with mode 0600 and name that in PGPASSFILE";
  const inEnv = fromEnv("PGPASSWORD", path, sources, remedy);
  const address = parsed(url);
  // Before the host and in the query.
  const inUrl = address ? [decoded(address.password), ...address.searchParams.getAll("password")] : [];
  const own = [...inUrl.filter((text) => text !== ""), ...(inEnv.value ? [inEnv.value.text] : [])];
  const { PGPASSFILE, HOME } = sources.env;
  const passwordFile = PGPASSFILE || (HOME ? join(HOME, ".pgpass") : undefined);
  if (own.length > 0 || !passwordFile || !existsSync(passwordFile)) return note(own, inEnv);
  const read = fromFile(passwordFile, path, sources);
  return note(passwordsOf(read.value?.text ?? ""), read);
}

/** Finds missing files, and secrets that others can read. */
export function checkFiles(
  { servers, sources, signer, audit, system_prompt: prompt }: ParsedFile,
  file: string,
): readonly SchemaFinding[] {
  const secret = (setting: string | undefined, path: readonly PropertyKey[]): readonly SchemaFinding[] =>
    setting === undefined ? [] : openToOthers(resolvePath(setting, file), path);
  const identity = prompt.identity_file === undefined ? undefined : resolvePath(prompt.identity_file, file);
  return [
    ...Object.entries(servers).flatMap(([name, server]) => [
      ...(server.kind === "kubernetes" ? secret(server.kubeconfig_file, ["servers", name, "kubeconfig_file"]) : []),
      ...secret(server.key_file, ["servers", name, "key_file"]),
      ...secret(server.key_passphrase_file, ["servers", name, "key_passphrase_file"]),
    ]),
    ...Object.entries(sources).flatMap(([name, source]) => secret(source.token_file, ["sources", name, "token_file"])),
    ...(identity === undefined || existsSync(identity)
      ? []
      : [
          {
            path: ["system_prompt", "identity_file"],
            message: `there is no ${identity}`,
            remedy: "create it, or leave the key out for the default",
          },
        ]),
    ...secret(audit.signing_key_file, ["audit", "signing_key_file"]),
    ...secret(signer?.key_file, ["signer", "key_file"]),
  ];
}

/** Windows has no mode bits. */
function openToOthers(secretFile: string, path: readonly PropertyKey[]): readonly SchemaFinding[] {
  if (process.platform === "win32") return [];
  const stat = statSync(secretFile, { throwIfNoEntry: false });
  if (!stat?.isFile() || (stat.mode & 0o077) === 0) return [];
  const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
  return [{ path, message: `${secretFile} has mode ${mode}: others can read it`, remedy: `chmod 600 ${secretFile}` }];
}

const ofApp = { name: "webhook secret", where: "in the App's settings" };
const newSecret = (where: string): string => `make one with \`openssl rand -hex 32\` and set the same ${where}`;
const orPoll = `${newSecret(ofApp.where)}, or write \`mode: poll\`, which needs none`;
const weakWords =
  /^(?=.*[a-z])(development|secret|change-?me|password|webhook|github|probot|example|placeholder|default|test|admin|letmein|qwerty|abc|[\W_\d])+$/i;

/** A guessed secret lets anyone write deliveries. */
function webhookProblems(secrets: readonly string[], name: string): readonly string[] {
  if (secrets.length === 0) return [`the ${name} is empty`];
  if (secrets.length > 2)
    return [`there are ${secrets.length} ${name}s; two lines at most, the new one and the old one`];
  return secrets.flatMap((secret, index) => {
    const which = secrets.length === 1 ? `the ${name}` : `line ${index + 1} of the ${name}s`;
    const distinct = new Set(secret).size;
    if (weakWords.test(secret)) return [`${which} is made of well-known words or digits`];
    if (secret.length < 32) return [`${which} has ${secret.length} characters, at least 32 are needed`];
    if (distinct < 10) return [`${which} has ${distinct} different characters, at least 10 are needed`];
    return [];
  });
}

const missing = (path: readonly PropertyKey[], variable: string, remedy: string): SchemaFinding => ({
  path,
  message: `\`${path.join(".")}\` is missing, and the environment has no ${variable}`,
  remedy,
});

/** Where PostgreSQL's driver reads passwords, so that none is shown (SR-47). */

/** The driver needs no host. */
const parsed = (url: string): URL | null => URL.parse(url) ?? URL.parse(url.replace("@/", "@socket/"));

/** The driver, too, keeps a `%` that begins no code. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, "%25"));
  } catch {
    return text;
  }
}

export function withoutPassword(url: string): string {
  const address = url.startsWith("file:") ? null : parsed(url);
  if (!address) return url.startsWith("file:") ? url : "an address that cannot be read";
  address.password = "";
  if (address.searchParams.has("password")) address.searchParams.delete("password");
  return URL.canParse(url) ? address.href : address.href.replace("@socket/", "@/");
}

/** Lines are `host:port:database:user:password`, with `\` before a literal `:` or `\`. */
export const passwordsOf = (text: string): readonly string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const match = line.startsWith("#") ? null : /^(?:(?:[^:\\]|\\.)*:){4}(.+)$/.exec(line);
    return match?.[1] === undefined ? [] : [match[1].replace(/\\([:\\])/g, "$1")];
  });
