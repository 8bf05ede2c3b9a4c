import type { PersonIdentity } from "./interface.ts";

/** GitHub's JSON of a user, as it stands in every issue, comment and payload. */
export function userJson(
  base: string,
  person: PersonIdentity & { readonly type: string },
): Readonly<Record<string, unknown>> {
  const url = `${base}/users/${encodeURIComponent(person.login)}`;
  const isBot = person.type === "Bot";
  return {
    login: person.login,
    id: person.id,
    node_id: person.nodeId,
    avatar_url: `${base}/avatars/u/${person.id}`,
    gravatar_id: "",
    url,
    html_url: isBot ? `${base}/apps/${person.login.replace(/\[bot\]$/, "")}` : `${base}/${person.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: person.type,
    user_view_type: "public",
    site_admin: false,
  };
}
