import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { OperatorError } from "../base/errors.ts";
import { loadConfig } from "../config/load.ts";
import { type SignerConfig, signerConfigOf, startSigner } from "../service/signer.ts";
import { principalOf } from "../signer/certificate.ts";
import { keepOutOfCoreDumps } from "./start.ts";

interface SignerOptions {
  readonly config?: string | undefined;
}

/** With the role's secrets alone: the App's key, and no model's. */
const configFor = ({ config: file }: SignerOptions): SignerConfig =>
  signerConfigOf(loadConfig({ file, roles: ["runner"] }));

/** Runs until SIGTERM or SIGINT. */
export async function runSigner(options: SignerOptions): Promise<void> {
  const warning = keepOutOfCoreDumps();
  if (warning) console.error(`${warning.place}: ${warning.message}`);
  const signer = await startSigner(configFor(options));
  await new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  await signer.close();
}

/** What a server needs to take the signer's certificates, and no key, for the bot's account. Throws with ssh-keygen's words. */
export function signerSetup(options: SignerOptions, name: string): string {
  const { servers, signing } = configFor(options);
  const server = servers.get(name);
  if (server?.signer !== true)
    throw new OperatorError({
      place: `servers.${name}`,
      message: server ? "`signer: true` is missing" : "there is no such server in the signer's file",
      remedy: `one of: ${[...servers.values()].flatMap((one) => (one.signer === true ? one.name : [])).join(", ") || "none"}`,
    });
  // With an agent the file has the public key already.
  const { caKeyFile, agentSocket } = signing;
  const trusted =
    agentSocket === undefined
      ? execFileSync("ssh-keygen", ["-y", "-P", "", "-f", caKeyFile], {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "pipe"],
        })
      : readFileSync(caKeyFile, "utf8");
  return `# /etc/ssh/countersign_ca.pub
${trusted.trim()}

# /etc/ssh/countersign_principals
${principalOf(name)}

# /etc/ssh/sshd_config.d/countersign.conf (root:root, 0644), then: sshd -t && systemctl reload ssh
Match User ${server.user}
    TrustedUserCAKeys /etc/ssh/countersign_ca.pub
    AuthorizedPrincipalsFile /etc/ssh/countersign_principals
    AuthorizedKeysFile none
    AuthenticationMethods publickey
    AllowTcpForwarding no
    AllowAgentForwarding no
    X11Forwarding no
    PermitTTY no
    PermitUserRC no`;
}
