import type nock from "nock";
import { pino } from "pino";
import { generatePrivateKey } from "../../emulator/wire/tokens.ts";
import { type Client, createClient } from "../../src/github/client.ts";
import { endWire, fakeWire } from "../harness/wire.ts";

const privateKey = generatePrivateKey();
const apiUrl = "http://api.github.test";

/** The bot's own client with GitHub's answers written by the test; what is asked without an answer fails. */
export function startApi(): { readonly client: Client; readonly api: nock.Scope; readonly tokens: () => number } {
  const answer = fakeWire();
  let tokens = 0;
  answer(apiUrl)
    .persist()
    .post("/app/installations/1/access_tokens")
    .reply(201, () => {
      tokens += 1;
      return {
        token: `ghs_${tokens}`,
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        permissions: {},
        repository_selection: "all",
      };
    });
  const client = createClient({
    appId: 7,
    privateKey,
    apiUrl,
    log: pino({ level: "silent" }),
    idOf: async () => 9,
    usesTeams: () => true,
  });
  return { client, api: answer(apiUrl), tokens: () => tokens };
}

/** Ends what `startApi` began; true where every answer was asked for. */
export function endApi(): boolean {
  // The token's answer stays, whether one was wanted or not.
  return endWire().every((answer) => answer.includes("access_tokens"));
}
