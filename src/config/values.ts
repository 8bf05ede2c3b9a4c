/** The config as the program sees it: its type, and look-ups in it. */

import type { Problem } from "../base/errors.ts";
import type { ProcessRole } from "../base/roles.ts";
import type { Server } from "../base/server.ts";
import type { OnCallConfig } from "./oncall.ts";
import type { ParsedFile } from "./schema.ts";
import type { Camel } from "./shape.ts";

/** The camelCase side of the file before secrets and the inventory are put in. */
export type FileSide = Camel<ParsedFile>;

type Endpoint = FileSide["model"]["endpoints"][number] & { readonly apiKey: string | undefined };
/** One source of alerts. */
export type AlertSource = Omit<FileSide["alerts"]["sources"][string], "auth" | "secretFile"> & {
  readonly auth: "bearer" | "basic" | "hmac";
  /** One, or two while it is being changed; none where this process does not take alerts in (SR-55). */
  readonly secrets: readonly string[];
};
type Repository = FileSide["github"]["repositories"][number];
export type Policy = Omit<FileSide["policy"], "approvers"> & {
  /** With the agents, whom nothing makes an approver. */
  readonly approvers: FileSide["policy"]["approvers"] & Partial<Pick<FileSide["policy"], "proposers">>;
};

/** An agent that proposes by MCP. */
export type McpCaller = Policy["proposers"]["mcp"][string];

/** Everything the operator decided. Deeply frozen; sections left out of the file are present with their defaults. */
export type Config = Omit<
  FileSide,
  "alerts" | "audit" | "github" | "model" | "oncall" | "policy" | "servers" | "sources"
> & {
  readonly oncall: OnCallConfig;
  readonly policy: Policy;
  readonly audit: FileSide["audit"] & { readonly signingKeySha256?: string | undefined };
  readonly alerts: { readonly sources: Readonly<Record<string, AlertSource>> };
  /** Absolute path of the file this came from. */
  readonly file: string;
  readonly github: {
    readonly mode: FileSide["github"]["mode"];
    readonly appId: number;
    readonly apiUrl: string;
    readonly writesPerMinute: number;
    /** PEM. */
    readonly privateKey: string;
    /** One, or two while it is being changed; each is valid. */
    readonly webhookSecrets: readonly string[];
  };
  /** What this process does; it holds the secrets of these roles alone (SR-55). */
  readonly roles: readonly ProcessRole[];
  /** Passwords of the database. */
  readonly storePasswords: readonly string[];
  /** The files that the App's key, webhook secrets, API keys, passwords and the sources' authorities were read from. */
  readonly secretFiles: readonly string[];
  readonly repositories: readonly Repository[];
  readonly servers: ReadonlyMap<string, Server>;
  readonly model: Omit<FileSide["model"], "endpoints"> & { readonly endpoints: readonly Endpoint[] };
  /** What works but should be fixed; `start` logs them and `check` prints them. */
  readonly warnings: readonly Problem[];
};

/** How much of an output is kept: its head and its tail, a half each (SR-54). */
export const storedOutputBytes = ({ execution }: Config): number => execution.storedOutputMb * 1024 * 1024;

/** What the operator's file says of a repository; nothing of one that is not in it (SR-07). */
export function repositoryIn({ repositories }: Pick<Config, "repositories">, repo: string): Repository | undefined {
  const wanted = repo.toLowerCase();
  return repositories.find(({ name }) => name.toLowerCase() === wanted);
}

/** The servers a repo may reach, in the inventory's order; none for a repo that is not in the file (SR-07). */
export function serversFor(config: Pick<Config, "repositories" | "servers">, repoFullName: string): readonly Server[] {
  const repository = repositoryIn(config, repoFullName);
  return repository ? selectServers([...config.servers.values()], repository.servers) : [];
}

/** Those of `servers` that a list of server and group names means. */
export function selectServers(servers: readonly Server[], names: readonly string[]): readonly Server[] {
  return servers.filter(({ name, groups }) => [name, ...groups].some((it) => names.includes(it)));
}

/** Whether GitHub calls the bot, and its webhooks are taken. */
export const takesWebhooks = ({ github }: Pick<Config, "github">): boolean => github.mode !== "poll";

/** Whether the bot asks GitHub again and again what has happened. */
export const polls = ({ github }: Pick<Config, "github">): boolean => github.mode !== "webhook";
