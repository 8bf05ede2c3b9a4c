import { createQuietOctokit } from "./access.ts";

/** The networks that GitHub sends webhooks from (`GET /meta`). Throws if it names none, as GitHub Enterprise Server does. */
export async function fetchHookAddresses(apiUrl: string): Promise<readonly string[]> {
  const { data } = await createQuietOctokit({ apiUrl, timeoutMs: 10_000 }).rest.meta.get();
  if (!data.hooks || data.hooks.length === 0)
    throw new Error(`${apiUrl} names no addresses that it sends webhooks from`);
  return data.hooks;
}
