import nock from "nock";
import { pino } from "pino";
import { generatePrivateKey } from "../../src/demo/github/tokens.ts";
import { type Client, createClient } from "../../src/github/client.ts";

const privateKey = generatePrivateKey();
const apiUrl = "http://api.github.test";

/** The bot's own client with GitHub's answers written by the test; what is asked without an answer fails. */
export function startApi(): { readonly client: Client; readonly api: nock.Scope; readonly tokens: () => number } {
  nock.disableNetConnect();
  let tokens = 0;
  nock(apiUrl)
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
  const client = createClient({ appId: 7, privateKey, apiUrl, log: pino({ level: "silent" }) });
  return { client, api: nock(apiUrl), tokens: () => tokens };
}

/** Ends what `startApi` began; true where every answer was asked for. */
export function endApi(): boolean {
  // The token's answer stays, whether one was wanted or not.
  const left = nock.pendingMocks().filter((mock) => !mock.includes("access_tokens"));
  nock.cleanAll();
  nock.enableNetConnect();
  return left.length === 0;
}
