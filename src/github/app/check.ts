import type { Octokit } from "@octokit/rest";
import { counted } from "../../base/counted.ts";
import type { Problem } from "../../base/errors.ts";
import { type AppKey, asApp, type Listening } from "./access.ts";
import { type Approvers, lookAtInstallations, type Repository } from "./installations.ts";

export interface AppCheck {
  readonly app: AppKey;
  /** By webhooks, unless said otherwise. */
  readonly mode?: Listening;
  /** What polling takes of the rate limit in an hour, at most. */
  readonly mostPolled?: number;
  readonly repositories: readonly Repository[];
  /** Who may approve by the policy. */
  readonly approvers: Approvers;
  /** Webhook calls that failed since then are missed ones. */
  readonly since: Date;
  readonly now: () => Date;
}

export interface AppLook {
  readonly name: "webhook" | "deliveries" | "polling" | "installed" | "repositories" | "approvers" | "clock";
  /** What was seen, in a few words. */
  readonly said: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The paths at which the front takes webhooks. */
const hookPaths = ["/", "/api/github/webhooks"];
const mostSecondsOff = 60;

/**
 * What can be wrong at GitHub beside the App's own rights: where webhooks go, which of them failed, whether the App is installed on
 * the repositories of the config with all it needs, what they and the approvers are, and whether the clocks agree. Throws where GitHub does not answer at all.
 */
export async function checkApp({ app, since, now, ...named }: AppCheck): Promise<readonly AppLook[]> {
  const octokit = asApp(app, 60_000);
  const { headers } = await octokit.rest.apps.getAuthenticated();
  const offBy = headers.date ? Math.round((now().getTime() - Date.parse(headers.date)) / 1000) : 0;
  return [
    ...(named.mode === "poll" ? [] : await lookAtWebhook(octokit, since)),
    ...(await lookAtInstallations(octokit, { apiUrl: app.apiUrl, ...named })),
    { name: "clock", said: `${Math.abs(offBy)} s from GitHub's`, problems: clockProblems(offBy), warnings: [] },
  ];
}

async function lookAtWebhook(octokit: Octokit, since: Date): Promise<readonly AppLook[]> {
  const { data } = await octokit.rest.apps.getWebhookConfigForApp();
  const failed = await failedSince(octokit, since);
  return [
    { name: "webhook", said: data.url ?? "no address", problems: hookProblems(data), warnings: [] },
    { name: "deliveries", ...failed, problems: [] },
  ];
}

function hookProblems({
  url,
  content_type: type,
  insecure_ssl: insecure,
}: {
  url?: string;
  content_type?: string;
  insecure_ssl?: string | number;
}): readonly Problem[] {
  const place = "the App's webhook";
  const remedy = "correct it on the App's settings page, under Webhook";
  if (!url || !URL.canParse(url)) return [{ place, message: "has no address: nothing is ever delivered", remedy }];
  const { protocol, hostname, pathname } = new URL(url);
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return [
    ...(protocol === "https:" || local
      ? []
      : [{ place, message: `${url} is not https: anybody on the way reads it`, remedy }]),
    ...(hookPaths.includes(pathname)
      ? []
      : [{ place, message: `${url} is answered with 404: webhooks are taken at ${hookPaths.join(" and ")}`, remedy }]),
    ...(type === "json"
      ? []
      : [{ place, message: `the content type is ${type ?? "form"}; the bot reads json`, remedy }]),
    ...(String(insecure ?? "0") === "0" ? [] : [{ place, message: "the certificate is not verified", remedy }]),
  ];
}

/** What is past is no fault of the config: the first calls of a fresh App fail, since nobody was there to take them. */
async function failedSince(octokit: Octokit, since: Date): Promise<Pick<AppLook, "said" | "warnings">> {
  const { data } = await octokit.rest.apps.listWebhookDeliveries({ per_page: 100, status: "failure" });
  const failed = data.filter(({ delivered_at: at }) => new Date(at) >= since);
  const said = `${failed.length} failed in the last three days`;
  const [newest] = failed;
  if (!newest) return { said, warnings: [] };
  const message = `${counted(failed.length, "webhook call")} failed in the last three days, the newest at ${newest.delivered_at}: ${newest.status}`;
  const remedy =
    "nothing to do before the first start, which asks for them again; later, check that the bot is up, its address reachable, and the webhook secret the same at GitHub";
  return { said, warnings: [{ place: "the App's deliveries", message, remedy }] };
}

function clockProblems(offBy: number): readonly Problem[] {
  if (Math.abs(offBy) <= mostSecondsOff) return [];
  const message = `this machine's clock is ${Math.abs(offBy)} s ${offBy > 0 ? "ahead of" : "behind"} GitHub's`;
  return [{ place: "the clock", message, remedy: "switch time synchronization on (timedatectl set-ntp true)" }];
}
