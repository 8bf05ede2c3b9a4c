import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
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
  // A job of an earlier run of this file may still be on the machine.
  const thisRun = randomBytes(8).toString("hex");
  let jobs = 0;
  const orderOf = (command: string, more: Partial<ExecOrder> = {}): ExecOrder => {
    const jobId = `signed${thisRun}${jobs++}`;
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
    [
      "an answer that comes too late",
      signing,
      { signedMs: 0 },
      /too long after the last look at GitHub.*nothing was run/,
    ],
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
    ["not started, if the signer's record goes back to before", -1_000, true, "unreachable"],
    ["unknown, if it does not", 1_000, true, "unknown"],
    ["unknown, if it is empty", undefined, true, "unknown"],
    ["unknown, if it began by a key, before the server had a signer", -1_000, false, "unknown"],
  ])("finds a job again that no signer knows: %s", async (_, sinceMs, signer, kind) => {
    const sentAt = new Date();
    const noJobSince = sinceMs === undefined ? undefined : new Date(sentAt.getTime() + sinceMs).toISOString();
    const order = orderOf("echo no", { resume: { sentAt } } as never);
    const jobId = "jobId" in order ? order.jobId : "";
    const wrapped = wrap({ ...server, signer }, "echo no", "linux", { mode: "job", jobId });
    expect((await run({ ...order, wrapped }, refusing({ noJobSince }))).ending.kind).toBe(kind);
  });

  it("cancels a job though the signer is away for a moment, and hears the job meanwhile", {
    tags: ["long"],
  }, async () => {
    const stop = new AbortController();
    const kills: boolean[] = [];
    const away: Certify = async (asked, key, signal) => {
      if (asked.ask !== "job" || asked.job.act !== "kill") return signing(asked, key, signal);
      kills.push(kills.length > 1);
      return kills.at(-1) ? signing(asked, key, signal) : { ok: false, reason: "the signer is away" };
    };
    const ssh = createSsh({ servers: new Map([[server.name, server]]), certify: away, limits: { attachBaseMs: 10 } });
    onTestFinished(ssh.close);
    const { ending } = await ssh.exec(orderOf("echo on; exec sleep 300"), {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect(ending).toMatchObject({ kind: "cancelled" });
    expect(kills).toEqual([false, false, true]);
  });

  it("looks that no key of another server is let in, and says which it could not try", async () => {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "a passphrase", "-f", at("locked")]);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at("open")]);
    const withKey = (keyFile: string) => entryOf({ name: "db-1", host: "10.0.0.9", keyFile, backend: "openssh" });
    const ssh = createSsh({ servers: new Map([[server.name, server]]) });
    onTestFinished(ssh.close);
    const shut = await ssh.proveShut(server, [at("open"), at("locked"), at("none")].map(withKey));
    expect(shut).toMatchObject({ ok: true, hostKey: expect.stringContaining("SHA256:") });
    expect(shut.ok ? shut.untried.map(({ reason }) => reason) : []).toEqual([
      expect.stringContaining("wants a passphrase"),
      expect.stringContaining("cannot be read"),
    ]);
  });
});
