/** One server of the operator's file: over SSH, a context of a cluster, or the runner's own machine; `kinds.ts` knows which keys are of which. */

import * as z from "zod";
import { path, portNumber, timerKey } from "./schema-leaves.ts";

/** One entry of `servers`. */
export const serverSchema = z
  .strictObject({
    kind: z.enum(["ssh", "kubernetes", "local"]).default("ssh"),
    /** Required for SSH. */
    host: z.string().min(1).optional(),
    port: portNumber(1).optional(),
    user: z.string().min(1).optional(),
    /** Resolves `host`, and what else of address and login is not written here. */
    ssh_config: path().optional(),
    os: z.enum(["linux", "windows", "auto"]).default("auto"),
    groups: z.array(z.string().min(1)).default([]),
    description: z.string().default(""),
    key_file: path().optional(),
    key_passphrase_file: path().optional(),
    agent: z.boolean().default(false),
    known_hosts_file: path().optional(),
    host_key_alias: z.string().min(1).optional(),
    host_key: z
      .string()
      .regex(/^[\w@.-]+ [A-Za-z0-9+/]+={0,2}/, 'is not a public key such as "ssh-ed25519 AAAA…"')
      .optional(),
    jump: z.string().min(1).optional(),
    tty: z.boolean().default(false),
    backend: z.enum(["ssh2", "openssh"]).default("ssh2"),
    soft_timeout: timerKey("2m"),
    hard_timeout: timerKey("30m"),
    max_risk: z.enum(["low", "medium", "high"]).default("high"),
    env: z.string().min(1).optional(),
    shell: z.enum(["bash", "powershell", "cmd"]).optional(),
    path: z.string().min(1).default("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
    protected_paths: z.array(z.string().min(1)).default([]),
    critical_services: z.array(z.string().min(1)).optional(),
    kubeconfig_file: path().optional(),
    in_cluster: z.boolean().default(false),
    context: z
      .string()
      .regex(/^[^-\s]\S*$/, "cannot name a context")
      .optional(),
    namespaces: z.array(z.string().regex(/^(?:\*|[a-z0-9][a-z0-9-]*)$/, "is neither a namespace nor `*`")).default([]),
    as: z.string().min(1).optional(),
    /** Both pinned by hand: then only the runner reads the kubeconfig. */
    api_server: z.url({ protocol: /^https$/, error: "is not an https address" }).optional(),
    ca_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "is not a SHA-256 in small hex digits")
      .optional(),
    /** Who the API server must say that we are. */
    identity: z.string().min(1).optional(),
    /** Of `kind: local`: though bot and runner are one process. */
    allow: z.boolean().default(false),
    jobs_folder: path().optional(),
    /** The name of that folder, for processes that cannot read it. */
    machine: z
      .string()
      .regex(/^[0-9a-f]{32}$/, "is not 32 small hex digits")
      .optional(),
  })
  .refine(({ kind, host }) => kind !== "ssh" || host !== undefined, {
    path: ["host"],
    error: "is missing; text belongs here",
    when: () => true,
  });
