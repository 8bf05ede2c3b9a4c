import { messageOf, OperatorError } from "../../base/errors.ts";
import { createQuietOctokit } from "./access.ts";
import { unreached } from "./unreached.ts";

/** app.yml, with the addresses filled in. */
export interface Manifest {
  readonly name: string;
  readonly url: string;
  readonly redirect_url: string;
  readonly hook_attributes: { readonly url: string; readonly active: boolean };
  readonly public: boolean;
  readonly default_permissions: Readonly<Record<string, string>>;
  readonly default_events: readonly string[];
  readonly [other: string]: unknown;
}

/** GitHub shows the key and the secret only once. */
export interface AppCredentials {
  readonly appId: number;
  readonly slug: string;
  readonly htmlUrl: string;
  /** Undefined if GitHub does not say. */
  readonly owner: { readonly login: string; readonly id: number } | undefined;
  readonly pem: string;
  /** Undefined without a webhook. */
  readonly webhookSecret: string | undefined;
}

/** GitHub's address in a browser. GitHub Enterprise Server has both on one host. */
export function webUrlOf(apiUrl: string): string {
  const url = new URL(apiUrl);
  if (url.host === "api.github.com") return "https://github.com";
  return `${url.origin}${url.pathname.replace(/\/api\/v3\/?$/, "").replace(/\/$/, "")}`;
}

/** Where the browser of the App's owner posts the manifest. */
export function newAppUrl(webUrl: string, organization: string | undefined, state: string): string {
  const owner = organization === undefined ? "" : `/organizations/${encodeURIComponent(organization)}`;
  return `${webUrl}${owner}/settings/apps/new?state=${state}`;
}

/** Exchanges the code, which works once and for an hour. Throws an `OperatorError` if GitHub refuses it. */
export async function exchangeCode(apiUrl: string, code: string, hasWebhook = true): Promise<AppCredentials> {
  const octokit = createQuietOctokit({ apiUrl, timeoutMs: 30_000 });
  try {
    const { data } = await octokit.rest.apps.createFromManifest({ code });
    if (!data.pem || (hasWebhook && !data.webhook_secret))
      throw new Error("the answer has no private key or no webhook secret");
    return {
      appId: data.id,
      slug: data.slug ?? data.name,
      htmlUrl: data.html_url,
      owner: data.owner && "login" in data.owner ? { login: data.owner.login, id: data.owner.id } : undefined,
      pem: data.pem,
      webhookSecret: hasWebhook ? (data.webhook_secret ?? undefined) : undefined,
    };
  } catch (error) {
    const away = unreached(apiUrl, error);
    if (away) throw new OperatorError([{ ...away, place: "--api" }]);
    const message = `GitHub did not give the App's credentials for the code: ${messageOf(error)}`;
    throw new OperatorError([
      { place: apiUrl, message, remedy: "run `countersign register` again; a code is good once" },
    ]);
  }
}
