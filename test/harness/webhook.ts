import { createHmac, randomUUID } from "node:crypto";
import type { Playground } from "./playground.ts";

/** The headers of a webhook as GitHub signs it; a delivery of its own unless said otherwise. */
export const webhookHeaders = (secret: string, event: string, body: string, guid: string = randomUUID()) => ({
  "content-type": "application/json",
  "x-github-delivery": guid,
  "x-github-event": event,
  "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
});

/** Sends a bot a webhook of which its emulated GitHub knows nothing; the status of the answer. */
export async function postWebhook(
  { bot }: Pick<Playground, "bot">,
  event: string,
  payload: object | string,
  guid?: string,
): Promise<number> {
  const [secret = ""] = bot.deps.config.github.webhookSecrets;
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  return (await fetch(bot.url, { method: "POST", body, headers: webhookHeaders(secret, event, body, guid) })).status;
}
