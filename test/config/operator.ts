import { generateKeyPairSync } from "node:crypto";
import { surveyConfig } from "../../src/config/load.ts";
import { writerIn } from "../harness/use-started.ts";

const WEBHOOK_SECRET = "fQ7n2mZx9LpRt4vWc8Yb1KdHs6GjEa3U";

/** An environment that has all that GitHub needs, so that a file says the rest. */
export const env = {
  APP_ID: "1",
  PRIVATE_KEY: generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
  WEBHOOK_SECRET,
};

/** What an operator's file comes to beside the App's key, which is none, and what is wrong with the rest. */
export function surveyed(folder: string, config: object, more: Readonly<Record<string, string>> = {}) {
  const file = writerIn(folder)("countersign.yml", JSON.stringify({ github: { app_id: 1 }, ...config }));
  const parsed = surveyConfig({ file, env: { PRIVATE_KEY: "x", WEBHOOK_SECRET, ...more } });
  if (parsed.ok || !parsed.rest) throw new Error("it has no App's key");
  const problems = parsed.problems.filter(({ place }) => !place.startsWith("PRIVATE_KEY"));
  return { config: parsed.rest.config, problems: problems.map(({ message }) => message) };
}

/** A kubeconfig with the context `prod`, as `./kubeconfig` of a file beside it. */
export const writeKubeconfig = (folder: string): string =>
  writerIn(folder)(
    "kubeconfig",
    JSON.stringify({
      clusters: [
        {
          name: "c",
          cluster: {
            server: "https://10.0.0.1:6443",
            "certificate-authority-data": Buffer.from("ca").toString("base64"),
          },
        },
      ],
      users: [{ name: "u", user: { token: "a-token" } }],
      contexts: [{ name: "prod", context: { cluster: "c", user: "u" } }],
    }),
  );
