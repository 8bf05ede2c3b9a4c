/** The config in the program (SR-07, SR-54, SR-55). */

import type { PagerName } from "../alert/pagers.ts";
import type { Problem } from "../base/errors.ts";
import type { ProcessRole } from "../base/roles.ts";
import type { Server } from "../base/server.ts";
import type { OnCallConfig } from "./oncall.ts";
import type { ParsedFile } from "./schema.ts";
import type { Camel } from "./shape.ts";

export type FileSide = Camel<ParsedFile>;

type Endpoint = FileSide["model"]["endpoints"][number] & { readonly apiKey: string | undefined };
export type AlertSource = Omit<FileSide["alerts"]["sources"][string], "answer" | "auth" | "secretFile"> & {
  readonly auth: "bearer" | "basic" | "hmac";
  /** Two while it changes; none if this process takes no alerts. */
  readonly secrets: readonly string[];
  /** Undefined if nobody hears back, or not from this process. */
  readonly answer:
    | { readonly pager: PagerName; readonly url: string; readonly secret: string; readonly resolve: boolean }
    | undefined;
};
type Repository = FileSide["github"]["repositories"][number];
export type Policy = Omit<FileSide["policy"], "approvers"> & {
  /** With the agents, which no setting makes approvers. */
  readonly approvers: FileSide["policy"]["approvers"] & Partial<Pick<FileSide["policy"], "proposers">>;
};

export type McpCaller = Policy["proposers"]["mcp"][string];

/** Deeply frozen, with defaults. */
export type Config = Omit<
  FileSide,
  "alerts" | "audit" | "github" | "model" | "oncall" | "patches" | "policy" | "servers" | "sources"
> & {
  readonly oncall: OnCallConfig;
  readonly policy: Policy;
  readonly audit: FileSide["audit"] & { readonly signingKeySha256?: string | undefined };
  readonly alerts: { readonly sources: Readonly<Record<string, AlertSource>> };
  /** Absolute. */
  readonly file: string;
  /** Of its text, hex. */
  readonly fileSha256: string;
  readonly github: {
    readonly mode: FileSide["github"]["mode"];
    readonly appId: number;
    readonly apiUrl: string;
    readonly writesPerMinute: number;
    readonly privateKey: string;
    /** The second App, for patches; the key is empty if this process proposes and follows none. */
    readonly patchesApp?: { readonly appId: number; readonly privateKey: string } | undefined;
    /** Two while it changes; all are valid. */
    readonly webhookSecrets: readonly string[];
  };
  /** Other roles' secrets are absent. */
  readonly roles: readonly ProcessRole[];
  readonly storePasswords: readonly string[];
  /** Including the sources' CAs. */
  readonly secretFiles: readonly string[];
  readonly repositories: readonly Repository[];
  readonly servers: ReadonlyMap<string, Server>;
  readonly model: Omit<FileSide["model"], "endpoints"> & { readonly endpoints: readonly Endpoint[] };
  /** `start` logs them and `check` prints them. */
  readonly warnings: readonly Problem[];
};

/** Half is the head, half the tail. */
export const storedOutputBytes = ({ execution }: Config): number => execution.storedOutputMb * 1024 * 1024;

/** Undefined if it is not served. */
export function repositoryIn({ repositories }: Pick<Config, "repositories">, repo: string): Repository | undefined {
  const wanted = repo.toLowerCase();
  return repositories.find(({ name }) => name.toLowerCase() === wanted);
}

/** In the inventory's order. */
export function serversFor(config: Pick<Config, "repositories" | "servers">, repoFullName: string): readonly Server[] {
  const repository = repositoryIn(config, repoFullName);
  return repository ? selectServers([...config.servers.values()], repository.servers) : [];
}

export function selectServers(servers: readonly Server[], names: readonly string[]): readonly Server[] {
  return servers.filter(({ name, groups }) => [name, ...groups].some((it) => names.includes(it)));
}

export const takesWebhooks = ({ github }: Pick<Config, "github">): boolean => github.mode !== "poll";

export const polls = ({ github }: Pick<Config, "github">): boolean => github.mode !== "webhook";
