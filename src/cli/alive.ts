import { messageOf } from "../base/errors.ts";
import { nearUrl } from "../base/listen.ts";
import { readPlaces } from "./places.ts";

const patienceMs = 4_000;

/** Whether this config's bot answers; prints the reason if not. */
export async function isAlive(options: { readonly config?: string | undefined }): Promise<boolean> {
  const url = `${nearUrl(readPlaces(options.config).server)}/livez`;
  try {
    const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: "manual" });
    if (!ok) console.error(`${url} answered ${status}`);
    return ok;
  } catch (error) {
    console.error(`${url} does not answer: ${messageOf(error)}`);
    return false;
  }
}
