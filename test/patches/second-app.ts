import { pino } from "pino";
import { createClient } from "../../src/github/client.ts";
import { createPatchGitHub, mostAnswerBytes } from "../../src/patches/github.ts";

/** The second App's client, as `service/start.ts` makes it. */
export const gitHubOf = (app: { readonly appId: number; readonly privateKey: string; readonly apiUrl: string }) =>
  createPatchGitHub(
    createClient({
      ...app,
      log: pino({ level: "silent" }),
      idOf: async () => undefined,
      usesTeams: () => false,
      mostBytes: mostAnswerBytes,
    }),
  );
