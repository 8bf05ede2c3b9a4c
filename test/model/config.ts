import { type Config, parseConfig } from "../../src/config/load.ts";

/** The operator's file of the model: one server, and everything else as it is by default. */
export function readConfig(privateKeyFile: string, secretFile: string): Config {
  const file = {
    github: {
      app_id: 7,
      private_key_file: privateKeyFile,
      webhook_secret_file: secretFile,
      writes_per_minute: 100_000,
      repositories: [{ name: "acme/web", servers: ["web-1"], allow_public: true }],
    },
    store: { url: "postgres://model@localhost/model" },
    servers: {
      "web-1": { host: "127.0.0.1", user: "ops", os: "linux", key_file: privateKeyFile, host_key: hostKey },
    },
    policy: { approvers: { teams: ["acme/oncall"] } },
    logging: { stdout: false },
  };
  const parsed = parseConfig(JSON.stringify(file), "countersign.yml", {});
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
}

const hostKey = `ssh-ed25519 ${Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from("ssh-ed25519"), Buffer.from([0, 0, 0, 32]), Buffer.alloc(32, 7)]).toString("base64")}`;
