import type { Client } from "../client.ts";

/** The App's slug. Throws if GitHub does not say. */
export type FetchOwnName = () => Promise<string>;

/** Remembers the name; reads it again only after a failure. */
export function createFetchOwnName(client: Pick<Client, "probot">): FetchOwnName {
  let known: Promise<string> | undefined;
  const fetch = async (): Promise<string> => {
    const octokit = await client.probot.auth();
    const { data } = await octokit.rest.apps.getAuthenticated();
    if (!data?.slug) throw new Error("GitHub does not name this App");
    return data.slug;
  };
  return () => {
    known ??= fetch().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
