import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";
import { createEmulator } from "emulate";
import type { Seed } from "./interface.ts";
import type { Answer } from "./wire/shapes.ts";

/** Calls emulate as one of its accounts. Paths are GitHub's; the answer is emulate's own, uncorrected. */
export type CallEmulate = (alias: string, method: string, path: string, body?: unknown) => Promise<Answer>;

export interface Emulate {
  readonly url: string;
  readonly call: CallEmulate;
  readonly close: () => Promise<void>;
}

/** An organization that repositories can be transferred to. */
const elsewhere = "elsewhere";
export const spareAliases = Array.from({ length: 8 }, (_, n) => `spare-${n + 1}`);

/** emulate stops answering a token after 4,999 requests an hour, so each account takes turns with many. */
const tokensPerAccount = 100;

/**
 * Starts emulate in this process. Every account is an organization owner there, since emulate's own idea of who may do
 * what is wrong (every member is an admin); who may do what is decided in `access.ts`.
 */
export async function startEmulate(seed: Seed, bots: readonly string[]): Promise<Emulate> {
  const aliases = [...bots, ...seed.people.map((p) => p.login), ...spareAliases];
  const members = aliases.map((login) => ({ login, role: "admin" }));
  const token = (alias: string, turn: number) => `${alias}~${turn % tokensPerAccount}`;
  const emulator = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: Object.fromEntries(
        aliases.flatMap((login) =>
          Array.from({ length: tokensPerAccount }, (_, turn) => [token(login, turn), { login }]),
        ),
      ),
      github: {
        users: aliases.map((login) => ({ login })),
        orgs: [seed.owner, elsewhere].map((login) => ({ login, members })),
        repos: seed.repos.map((r) => ({ owner: seed.owner, name: r.name, private: r.private })),
      },
    },
  });
  const base = emulator.url.replace("localhost", "127.0.0.1");
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  return {
    url: emulator.url,
    async call(alias, method, path, body) {
      // emulate takes an absent body for broken JSON
      const sent = method === "GET" ? "" : JSON.stringify(body ?? {});
      const headers = {
        authorization: `Bearer ${token(alias, turn++)}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(sent),
      };
      const response = await ask(base + path, { method, headers, agent }, sent);
      const said = await text(response);
      const { link } = response.headers;
      return {
        status: response.statusCode ?? 0,
        ...(said === "" ? {} : { body: JSON.parse(said) }),
        ...(typeof link === "string" ? { headers: { link } } : {}),
      };
    },
    close: async () => {
      agent.destroy();
      await emulator.close();
    },
  };
}

/**
 * Node's own request and no `fetch`, which gives up on a connection after ten seconds: a machine that is busy enough needs longer. Its
 * agent lets go of a connection a second before emulate ends it, as emulate's answers say when that is; where this process stood still
 * meanwhile it is too late, and the request, of which nobody has heard, is made on another.
 */
function ask(url: string, options: RequestOptions, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked = request(url, options, resolve);
  asked.once("error", (error: NodeJS.ErrnoException) => {
    if (asked.reusedSocket && error.code === "ECONNRESET") resolve(ask(url, options, body));
    else reject(error);
  });
  asked.end(body);
  return promise;
}
