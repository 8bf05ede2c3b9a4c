import { teamsOf } from "../../approval/place.ts";
import type { ProcessRole } from "../../base/roles.ts";
import { counted } from "../../base/words.ts";
import { polls } from "../../config/values.ts";
import { usualPace } from "../../features/poll/pace.ts";
import { answerWords, checkAppAccess, fetchHookAddresses, refusalProblem } from "../../github/app/access.ts";
import { checkApp } from "../../github/app/check.ts";
import { type CheckLook, type ConfigLookKind, type KnownConfig, waitsFor } from "./look.ts";

const threeDaysMs = 3 * 24 * 3_600_000;

export const gitHubLook: ConfigLookKind = {
  name: "GitHub",
  restsOn: ["github", "github.app_id", "github.private_key_file"],
  look: (known) => lookAtGitHub(known),
};

/** Checks the App's key, rights, webhook and installations. Never throws. */
export async function lookAtGitHub({ config, gaps }: KnownConfig): Promise<readonly CheckLook[]> {
  const usesTeams = gaps.has("policy") ? "unknown" : teamsOf(config.policy).length > 0;
  const usesServices = Object.keys(config.context.services).length > 0;
  const access = await checkAppAccess({ ...config.github, usesTeams, usesServices });
  const who = access.ok ? `App ${access.slug}` : "not signed in";
  const { problems } = access;
  const row = { name: "GitHub", said: `${who} at ${config.github.apiUrl}`, problems };
  if (!access.ok) return [row];
  const signedIn = { ...row, warnings: access.warnings };
  const { github: app, repositories, roles } = config;
  const { mode } = app;
  const mostPolled = polls(config) ? { mostPolled: usualPace.mostCountedPerHour } : {};
  const isKnown = !gaps.has("policy");
  const placed = config.policy.for.flatMap(({ approvers: named }, index) =>
    named ? [{ ...named, place: `policy.for.${index}.approvers` }] : [],
  );
  const approvers = isKnown ? { ...config.policy.approvers, placed } : { teams: [], users: [] };
  const since = new Date(Date.now() - threeDaysMs);
  try {
    const all = await checkApp({ app, mode, ...mostPolled, repositories, approvers, since, now: () => new Date() });
    const looks = all
      .filter(({ name }) => needed[name]?.some((role) => roles.includes(role)) ?? true)
      .map((look) => (look.name === "approvers" && !isKnown ? waitsFor(look.name, ["policy"]) : look));
    return [signedIn, ...looks];
  } catch (error) {
    const { message, ...problem } = refusalProblem(app.apiUrl, error);
    const faults = [{ ...problem, message: `webhook and installation were not looked at: ${message}` }];
    return [signedIn, { name: "webhook", said: "not looked at", problems: faults }];
  }
}

/** By default all (SR-55). */
const needed: Readonly<Record<string, readonly ProcessRole[]>> = {
  webhook: ["web"],
  deliveries: ["web"],
  polling: ["agent"],
  approvers: ["agent", "runner"],
};

/** Without this list the bot refuses GitHub's webhooks (SR-05). */
export const addressesLook: ConfigLookKind = {
  name: "addresses",
  roles: ["web"],
  restsOn: ["github", "server"],
  look: async ({ config: { github, server } }) => {
    const name = "addresses";
    if (!server.allowFrom?.includes("github")) return [];
    try {
      const networks = await fetchHookAddresses(github.apiUrl);
      return [{ name, said: `${counted(networks.length, "network")} of GitHub's webhooks` }];
    } catch (error) {
      const remedy = "name the addresses instead of `github`, or leave the key out";
      const problems = [{ place: "server.allow_from", message: answerWords(error), remedy }];
      return [{ name, said: "not told", problems }];
    }
  },
};
