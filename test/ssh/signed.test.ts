import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { CertificateAnswer, ExecOrder } from "../../src/base/run.ts";
import { principalOf, signCertificate } from "../../src/signer/certificate.ts";
import type { SshLimits } from "../../src/ssh/limits.ts";
import { createSsh } from "../../src/ssh/run.ts";
import type { Certify } from "../../src/ssh/signed.ts";
import { wrap } from "../../src/ssh/wrap.ts";
import { missing } from "../harness/missing.ts";
import { startSshd } from "../harness/sshd.ts";
import { server as entryOf } from "./inventory-entry.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-signed-"));
const at = (name: string): string => join(folder, name);
execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at("ca")]);
writeFileSync(at("principals"), `${principalOf("web-1")}\n`);
const started = await startSshd([
  `TrustedUserCAKeys ${at("ca.pub")}`,
  `AuthorizedPrincipalsFile ${at("principals")}`,
  "AuthorizedKeysFile none",
]);
if ("missing" in started) missing("sshd", `test/ssh/signed.test.ts was left out: ${started.missing}`);
afterAll(async () => {
  if (!("missing" in started)) await started.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.runIf(!("missing" in started))("SR-72 a server with a signer", () => {
  const sshd = started as Exclude<typeof started, { missing: string }>;
  const server = entryOf({
    name: "web-1",
    host: "127.0.0.1",
    port: sshd.port,
    user: sshd.user,
    os: "linux",
    backend: "openssh",
    signer: true,
    hostKey: sshd.hostKey,
  });
  const countersigned = { repo: "acme/web", issue: 1, spec: {}, approvals: [] };
  let jobs = 0;
  const orderOf = (command: string, more: Partial<ExecOrder> = {}): ExecOrder => {
    const jobId = `signed0000000000${jobs++}`;
    return {
      server,
      wrapped: wrap(server, command, "linux", { mode: "job", jobId }),
      mode: "job",
      jobId,
      countersigned,
      ...more,
    } as ExecOrder;
  };
  /** Signs whatever it is asked for, as no real one would. */
  const signing: Certify = async ({ bytes }, publicKey) => ({
    ok: true,
    certificate: await signCertificate(
      { keyFile: at("ca") },
      { publicKey, server: "web-1", keyId: "test", serial: 1, command: bytes, sourceAddresses: ["127.0.0.1"] },
    ),
  });
  const run = async (order: ExecOrder, certify: Certify, limits: Partial<SshLimits> = {}) => {
    const ssh = createSsh({
      servers: new Map([[server.name, server]]),
      certify,
      limits: { attachAttempts: 2, attachBaseMs: 10, ...limits },
    });
    onTestFinished(ssh.close);
    const { ending, capture, housekeeping } = await ssh.exec(order, { signal: new AbortController().signal });
    return { ending, text: Buffer.from(capture.head).toString(), housekeeping };
  };
  const never: Certify = async () => {
    throw new Error("nobody may ask for it");
  };
  const refusing =
    (answer: Partial<Extract<CertificateAnswer, { ok: false }>> = {}): Certify =>
    async () => ({ ok: false, reason: "no", ...answer });

  it("runs a job on a certificate, and asks with a new key for each", async () => {
    const keys = new Set<string>();
    const counting: Certify = (asked, key, signal) => {
      keys.add(key);
      return signing(asked, key, signal);
    };
    for (const word of ["one", "two"])
      expect(await run(orderOf(`echo ${word}`), counting)).toMatchObject({
        ending: { kind: "exited", code: 0 },
        text: `${word}\n`,
      });
    expect(keys.size).toBe(2);
  });

  it("takes nothing that is no job, and none that nobody has countersigned", async () => {
    expect((await run({ server, wrapped: "echo no" }, never)).ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("takes only jobs that the signer has signed"),
    });
    expect((await run(orderOf("echo no", { countersigned: undefined } as never), never)).ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("takes only what people have countersigned"),
    });
  });

  it.each([
    ["a refusal", refusing(), {}, /gave no certificate for web-1: no; nothing was run/],
    ["an answer that comes too late", signing, { signedMs: 0 }, /the bot stood still.*nothing was run/],
    [
      "a certificate that the server does not take",
      (async () => ({ ok: true, certificate: readFileSync(at("other-cert.pub"), "utf8").trim() })) satisfies Certify,
      {},
      /web-1 refused the signer's certificate/,
    ],
  ] as const)("sends nothing after %s", async (_, certify, limits, reason) => {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at("other")], { input: "y\n" });
    execFileSync("ssh-keygen", ["-q", "-s", at("ca"), "-I", "x", "-n", "x", at("other.pub")]);
    const { ending, housekeeping } = await run(orderOf("touch $HOME/ran"), certify, limits);
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringMatching(reason) });
    expect(housekeeping).toEqual([]);
    expect(existsSync(join(dirname(sshd.logFile), "home", "ran"))).toBe(false);
  });

  it("sends nothing to a host key that was not approved", async () => {
    const { ending } = await run(orderOf("echo no", { hostKeys: ["SHA256:other"] }), signing);
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("not the one that was approved"),
    });
  });

  it.each([
    ["not started, if the signer's record goes back to before", -1_000, "unreachable"],
    ["unknown, if it does not", 1_000, "unknown"],
    ["unknown, if it is empty", undefined, "unknown"],
  ])("finds a job again that no signer knows: %s", async (_, sinceMs, kind) => {
    const sentAt = new Date();
    const noJobSince = sinceMs === undefined ? undefined : new Date(sentAt.getTime() + sinceMs).toISOString();
    const order = orderOf("echo no", { resume: { sentAt } } as never);
    expect((await run(order, refusing({ noJobSince }))).ending.kind).toBe(kind);
  });
});
