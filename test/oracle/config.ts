import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey } from "../../emulator/wire/tokens.ts";

const wire = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);

/** A host key that is nobody's and the same in each run. */
const hostKey = `ssh-ed25519 ${Buffer.concat([wire(Buffer.from("ssh-ed25519")), wire(Buffer.alloc(32, 7))]).toString("base64")}`;

const kubeconfig = JSON.stringify({
  "current-context": "prod",
  clusters: [
    {
      name: "prod",
      cluster: {
        server: "https://127.0.0.1:9",
        "certificate-authority-data": Buffer.from(
          "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ).toString("base64"),
      },
    },
  ],
  contexts: [{ name: "prod", context: { cluster: "prod", user: "ops", namespace: "shop" } }],
  users: [{ name: "ops", user: { token: "t0ken" } }],
});

/** Servers of every kind that answer to nobody: where they are is fixed, so that what is bound of them is too. */
export function farServers(folder: string): {
  readonly servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly sources: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
} {
  const kubeconfigFile = join(folder, "kubeconfig");
  writeFileSync(kubeconfigFile, kubeconfig, { mode: 0o600 });
  const keyFile = join(folder, "ssh_key");
  writeFileSync(keyFile, generatePrivateKey(), { mode: 0o600 });
  const ssh = { host: "127.0.0.1", port: 9, user: "ops", key_file: keyFile, host_key: hostKey };
  const cluster = {
    kind: "kubernetes",
    kubeconfig_file: kubeconfigFile,
    context: "prod",
    identity: "system:serviceaccount:ops:countersign",
  };
  return {
    servers: {
      "far-1": { ...ssh, os: "linux", groups: ["far"], description: "the first" },
      "far-2": { ...ssh, os: "linux", groups: ["far"], user: "deploy", hard_timeout: "10m" },
      "prod-1": { ...ssh, os: "linux", env: "production", protected_paths: ["/srv/data"], critical_services: ["shop"] },
      "tty-1": { ...ssh, os: "linux", tty: true, path: "/opt/bin:/usr/bin:/bin" },
      "low-1": { ...ssh, os: "linux", max_risk: "low" },
      "jump-1": { ...ssh, os: "linux", jump: "far-1" },
      "win-1": { ...ssh, os: "windows" },
      "cmd-1": { ...ssh, os: "windows", shell: "cmd" },
      "prod-eu": { ...cluster, namespaces: ["shop", "pay"] },
      "prod-us": { ...cluster, namespaces: ["shop"] },
    },
    sources: {
      prom: { kind: "prometheus", url: "http://127.0.0.1:9", max_range: "1d" },
      loki: { kind: "loki", url: "http://127.0.0.1:9", tenant: "shop" },
      tickets: {
        kind: "mcp",
        url: "http://127.0.0.1:9/mcp",
        tools: {
          search_logs: { sha256: "ab".repeat(32), level: "low", example: '{"query":"timeout"}' },
          restart: { sha256: "cd".repeat(32), level: "high" },
        },
      },
    },
  };
}

/** Rules and trust of an operator, as docs/policy.md shows them. */
export const policy = {
  approvers: { teams: ["acme/oncall"] },
  egress: ["*.acme.example", "10.0.0.0/8"],
  rules: [
    {
      id: "deployctl",
      names: "deployctl",
      rows: [
        { words: "status list", level: "low" },
        { words: "restart", level: "medium" },
        { words: "rollback *", level: "high" },
      ],
      why: "our deploy tool",
      match: { low: ["deployctl status"], high: ["deployctl rollback shop"] },
    },
  ],
  trust: [
    { rule: "service.systemctl", command: "systemctl restart checkout-worker", level: "low", expires: "2099-03-01" },
  ],
};

/** An operator's file for the tools of the command line. */
export function writeConfig(): { readonly file: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "countersign-oracle-"));
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const { servers, sources } = farServers(folder);
  const { "far-1": first, ...others } = servers;
  const file = write(
    "countersign.yml",
    JSON.stringify({
      github: {
        app_id: 7,
        private_key_file: write("app.pem", generatePrivateKey()),
        webhook_secret_file: write("hook.secret", "a-secret-for-this-test-only-0123456789"),
        repositories: [{ name: "acme/web", servers: ["web-1", ...Object.keys({ ...servers, ...sources })] }],
      },
      servers: { "web-1": { ...first, groups: ["web"] }, "far-1": first, ...others },
      sources,
      policy,
      commands: { prefixes: ["ops", "countersign"] },
    }),
  );
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
