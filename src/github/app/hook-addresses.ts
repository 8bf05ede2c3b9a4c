import { createQuietOctokit } from "./access.ts";

/** Reads `GET /meta`. Throws if it names no networks, as on GitHub Enterprise Server. */
export async function fetchHookAddresses(apiUrl: string): Promise<readonly string[]> {
  const { data } = await createQuietOctokit({ apiUrl, timeoutMs: 10_000 }).rest.meta.get();
  if (!data.hooks || data.hooks.length === 0)
    throw new Error(`${apiUrl} names no addresses that it sends webhooks from`);
  return data.hooks;
}
