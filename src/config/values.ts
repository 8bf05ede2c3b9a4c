/** The config as the program sees it: its type, and look-ups in it (SR-07, SR-54, SR-55). */

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
  /** One, or two while it is being changed; none if this process takes no alerts. */
  readonly secrets: readonly string[];
};
type Repository = FileSide["github"]["repositories"][number];
export type Policy = Omit<FileSide["policy"], "approvers"> & {
  /** With the agents, because no setting makes them approvers. */
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
  /** What this process does; it holds the secrets of these roles alone. */
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

/** How much of an output is kept: half of it the head, half the tail. */
export const storedOutputBytes = ({ execution }: Config): number => execution.storedOutputMb * 1024 * 1024;

/** The operator's entry of a repository; undefined for one that the bot does not serve. */
export function repositoryIn({ repositories }: Pick<Config, "repositories">, repo: string): Repository | undefined {
  const wanted = repo.toLowerCase();
  return repositories.find(({ name }) => name.toLowerCase() === wanted);
}

/** The servers that a repository may reach, in the inventory's order; none if it is not in the file. */
export function serversFor(config: Pick<Config, "repositories" | "servers">, repoFullName: string): readonly Server[] {
  const repository = repositoryIn(config, repoFullName);
  return repository ? selectServers([...config.servers.values()], repository.servers) : [];
}

export function selectServers(servers: readonly Server[], names: readonly string[]): readonly Server[] {
  return servers.filter(({ name, groups }) => [name, ...groups].some((it) => names.includes(it)));
}

/** Whether GitHub calls the bot. */
export const takesWebhooks = ({ github }: Pick<Config, "github">): boolean => github.mode !== "poll";

/** Whether the bot asks GitHub for news. */
export const polls = ({ github }: Pick<Config, "github">): boolean => github.mode !== "webhook";
