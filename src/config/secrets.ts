/** Secrets, from files that only their owner can read (SR-56) or, for trying, from the environment. */

import { createPrivateKey } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { messageOf } from "../base/errors.ts";
import type { SchemaFinding } from "../base/problems.ts";
import { processRoles as allRoles, type ProcessRole } from "../base/roles.ts";
import { passwordFileOf, passwordIn, passwordsOf } from "./database.ts";
import type { ParsedFile } from "./schema.ts";
import { resolvePath } from "./shape.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

interface Secrets {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  /** One, or two while the secret is being changed. */
  readonly webhookSecrets: readonly string[];
  /** One for each model endpoint, in order. */
  readonly apiKeys: readonly (string | undefined)[];
  /** Of the database, from wherever its driver takes them. */
  readonly storePasswords: readonly string[];
  /** The files they were read from, or were to be. */
  readonly files: readonly string[];
  readonly findings: readonly SchemaFinding[];
  /** What rests on a secret that is not there: a key of the App, or the section of the model. */
  readonly gaps: readonly string[];
  /** What works, but should not stay: secrets in the environment are readable in /proc. */
  readonly warnings: readonly SchemaFinding[];
}

interface Secret {
  readonly text: string;
  readonly path: readonly PropertyKey[];
  readonly variable?: string;
}

/** Reads every secret the file or the environment names. Never throws: what cannot be read or is too weak is a finding. */
export function readSecrets(
  parsed: ParsedFile,
  file: string,
  env: Environment,
  /** Secrets of other roles are not read, and not missed (SR-55). */
  roles: readonly ProcessRole[] = allRoles,
): Secrets {
  const findings: SchemaFinding[] = [];
  const warnings: SchemaFinding[] = [];
  const files: string[] = [];

  const fromFile = (setting: string, path: readonly PropertyKey[]): Secret | undefined => {
    const secretFile = resolvePath(setting, file);
    files.push(secretFile);
    findings.push(...openToOthers(secretFile, path));
    try {
      return { text: readFileSync(secretFile, "utf8"), path };
    } catch (error) {
      findings.push({ path, message: `cannot be read: ${messageOf(error)}`, remedy: "create it, or correct the path" });
      return undefined;
    }
  };
  const fromEnv = (
    variable: string,
    path: readonly PropertyKey[],
    remedy = "put it in a file with mode 0600 and name that in the config",
  ): Secret | undefined => {
    const text = env[variable];
    if (!text) return undefined;
    const message = "a secret in the environment is for trying only: other programs can read it in /proc (SR-56)";
    warnings.push({ path, variable, message, remedy });
    return { text, path, variable };
  };

  const { github, model, store } = parsed;
  const keyPath = ["github", "private_key_file"];
  const keyFile = github.private_key_file ?? (env.PRIVATE_KEY ? undefined : env.PRIVATE_KEY_PATH);
  const key = keyFile ? fromFile(keyFile, keyPath) : fromEnv("PRIVATE_KEY", keyPath);
  if (!key && !keyFile) {
    findings.push(
      missing(keyPath, "PRIVATE_KEY or PRIVATE_KEY_PATH", "`countersign register` makes the App and writes it"),
    );
  }
  const pem = key ? toPem(key.text) : "";
  const privateKey = isPrivateKey(pem) ? pem : "";
  if (key && privateKey === "") {
    findings.push({
      ...key,
      message: "the App's private key is no PEM private key",
      remedy: "download it anew from the App's settings page",
    });
  }

  const hookPath = ["github", "webhook_secret_file"];
  const isWeb = roles.includes("web");
  const hookOf = (setting: string | undefined) =>
    setting ? fromFile(setting, hookPath) : fromEnv("WEBHOOK_SECRET", hookPath);
  const hook = isWeb ? hookOf(github.webhook_secret_file) : undefined;
  if (isWeb && !hook && !github.webhook_secret_file) findings.push(missing(hookPath, "WEBHOOK_SECRET", newSecret));
  const webhookSecrets =
    hook?.text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== "") ?? [];
  if (hook)
    findings.push(...webhookProblems(webhookSecrets).map((message) => ({ ...hook, message, remedy: newSecret })));

  const appId = github.app_id ?? Number(env.APP_ID);
  const isApp = Number.isSafeInteger(appId) && appId > 0;
  if (!isApp) {
    findings.push(missing(["github", "app_id"], "APP_ID", "it is the number on the App's settings page"));
  }

  const isAgent = roles.includes("agent");
  const apiKeys = model.endpoints.map((endpoint, index) => {
    if (!isAgent) return undefined;
    const path = ["model", "endpoints", index, endpoint.api_key_file ? "api_key_file" : "api_key_env"];
    if (endpoint.api_key_file) return fromFile(endpoint.api_key_file, path)?.text.trim();
    if (!endpoint.api_key_env) return undefined;
    const secret = fromEnv(endpoint.api_key_env, path);
    if (!secret) {
      const message = `the environment has no ${endpoint.api_key_env}`;
      findings.push({
        path,
        message,
        remedy: "set it, use api_key_file, or leave both out for an endpoint without a key",
      });
    }
    return secret?.text.trim();
  });
  const lacksKey = model.endpoints.some(
    ({ api_key_file, api_key_env }, index) =>
      isAgent && (api_key_file ?? api_key_env) !== undefined && apiKeys[index] === undefined,
  );

  const storePath = ["store", "url"];
  const passwordFile = passwordFileOf(env);
  const besideUrl = "put it in a file with mode 0600 and name that in PGPASSFILE";
  /** In the driver's order; an embedded store has none. */
  const storePasswords = (): readonly string[] => {
    if (store.url.startsWith("file:")) return [];
    const inEnv = fromEnv("PGPASSWORD", storePath, besideUrl);
    const own = [...passwordIn(store.url), ...(inEnv ? [inEnv.text] : [])];
    if (own.length > 0 || !passwordFile || !existsSync(passwordFile)) return own;
    return passwordsOf(fromFile(passwordFile, storePath)?.text ?? "");
  };
  return {
    appId,
    privateKey,
    webhookSecrets,
    apiKeys,
    storePasswords: storePasswords(),
    files,
    findings: findings.map(withoutText),
    gaps: [
      ...(isApp ? [] : ["github.app_id"]),
      ...(privateKey !== "" ? [] : ["github.private_key_file"]),
      ...(lacksKey ? ["model"] : []),
    ],
    warnings: warnings.map(withoutText),
  };
}

/** A file that must be its owner's alone (SR-56). Windows has no such bits. A missing file is not this check's matter. */
export function openToOthers(secretFile: string, path: readonly PropertyKey[]): readonly SchemaFinding[] {
  if (process.platform === "win32") return [];
  const stat = statSync(secretFile, { throwIfNoEntry: false });
  if (!stat?.isFile() || (stat.mode & 0o077) === 0) return [];
  const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
  return [
    { path, message: `${secretFile} has mode ${mode}: others can read it (SR-56)`, remedy: `chmod 600 ${secretFile}` },
  ];
}

const newSecret = "make one with `openssl rand -hex 32` and set the same in the App's settings";
const weakWords =
  /^(?=.*[a-z])(development|secret|change-?me|password|webhook|github|probot|example|placeholder|default|test|admin|letmein|qwerty|abc|[\W_\d])+$/i;

/** SR-01: a secret that can be guessed lets anybody write deliveries. */
function webhookProblems(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) return ["the webhook secret is empty (SR-01)"];
  if (secrets.length > 2)
    return [`there are ${secrets.length} webhook secrets; two lines at most, the new one and the old one`];
  return secrets.flatMap((secret, index) => {
    const which = secrets.length === 1 ? "the webhook secret" : `line ${index + 1} of the webhook secrets`;
    const distinct = new Set(secret).size;
    if (weakWords.test(secret)) return [`${which} is made of well-known words or digits (SR-01)`];
    if (secret.length < 32) return [`${which} has ${secret.length} characters, at least 32 are needed (SR-01)`];
    if (distinct < 10) return [`${which} has ${distinct} different characters, at least 10 are needed (SR-01)`];
    return [];
  });
}

const missing = (path: readonly PropertyKey[], variable: string, remedy: string): SchemaFinding => ({
  path,
  message: `\`${path.join(".")}\` is missing, and the environment has no ${variable}`,
  remedy,
});

/** A key in a variable often comes with `\n` for its line ends, or in base64. */
function toPem(text: string): string {
  const lines = text.replaceAll("\\n", "\n").trim();
  return lines.includes("-----BEGIN") ? lines : Buffer.from(lines, "base64").toString("utf8").trim();
}

function isPrivateKey(pem: string): boolean {
  try {
    createPrivateKey(pem);
    return true;
  } catch {
    return false;
  }
}

/** Findings are printed and logged, so they carry no secret along. */
const withoutText = ({ path, variable, message, remedy }: SchemaFinding): SchemaFinding => ({
  path,
  variable,
  message,
  remedy,
});
