import { Agent, request } from "node:http";
import { webhookHeaders } from "../harness/webhook.ts";

export const secret = "0123456789abcdefghijABCDEFGHIJ-bench";

/** Nobody serves what comes in here; of one repository no more than 5,000 deliveries may wait (SR-62). */
const repositories = 100;

let comments = 0;

/** A comment's webhook of about GitHub's size, each about another comment. */
function webhook(): { readonly body: string; readonly headers: Record<string, string> } {
  const id = ++comments;
  const body = JSON.stringify({
    action: "created",
    issue: { number: id % 200, title: "checkout-api: 5xx above 5 %", body: "x".repeat(3_000) },
    comment: { id, body: "/approve 1 2", user: { id: 4242, login: "lee" } },
    repository: { id: id % repositories, full_name: "acme/oncall", description: "y".repeat(3_000) },
    installation: { id: 5 },
    sender: { id: 4242, login: "lee" },
  });
  return { body, headers: webhookHeaders(secret, "issue_comment", body) };
}

/** Sends one webhook and returns the milliseconds until its acknowledgement. Throws where it is not 2xx. */
function send(url: string, agent: Agent): Promise<number> {
  const { body, headers } = webhook();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const started = performance.now();
  const call = request(url, { agent, method: "POST", headers }, (response) => {
    const { statusCode = 0 } = response;
    response.resume().on("end", () => {
      if (statusCode < 300) resolve(performance.now() - started);
      else reject(new Error(`${url} answered ${statusCode}`));
    });
  });
  call.on("error", reject).end(body);
  return promise;
}

/** Acknowledged webhooks a second with `connections` that send one after another for `ms`. */
export async function throughput(url: string, connections: number, ms: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  let sent = 0;
  const sender = async (): Promise<void> => {
    while (performance.now() - started < ms) {
      await send(url, agent);
      sent++;
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  const perSecond = (sent * 1_000) / (performance.now() - started);
  agent.destroy();
  return perSecond;
}

/** Times to the acknowledgement, sorted, at `perSecond` webhooks a second for `ms`, whether or not answers keep up. */
export async function latencies(url: string, perSecond: number, ms: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const sent: Promise<number>[] = [];
  const started = performance.now();
  while (performance.now() - started < ms) {
    const due = Math.floor(((performance.now() - started) * perSecond) / 1_000);
    while (sent.length < due) sent.push(send(url, agent));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const times = await Promise.all(sent);
  agent.destroy();
  return times.sort((a, b) => a - b);
}
