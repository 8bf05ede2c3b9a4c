import { execFileSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { askForCertificate, type SignerAddress, signerAddressOf } from "../../src/signer/client.ts";
import { openDoor } from "../../src/signer/door.ts";
import type { JobScriptRequest } from "../../src/signer/protocol.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-client-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pair(name: string) {
  const [keyFile, certFile] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  execFileSync("openssl", [...args, "-subj", `/CN=${name}`, "-keyout", keyFile, "-out", certFile], { stdio: "ignore" });
  const cert = readFileSync(certFile, "utf8");
  const sha256 = createHash("sha256").update(new X509Certificate(cert).raw).digest("hex");
  return { keyFile, certFile, key: readFileSync(keyFile, "utf8"), cert, sha256 };
}

const request: JobScriptRequest = {
  v: 1,
  ask: "job",
  server: "web-1",
  job: { act: "status", jobId: "a".repeat(16) },
  bytes: "true",
  publicKey: "ssh-ed25519 AAAA",
};
const certificate = "ssh-ed25519-cert-v01@openssh.com AAAA key";
const ask = (address: SignerAddress, signal = new AbortController().signal) =>
  askForCertificate(address, request, signal);

describe("a bot that asks a signer", () => {
  it("SR-72 over TLS takes an answer only of a pinned certificate, and tells another nothing", async () => {
    const [signer, bot, other] = [pair("signer"), pair("bot"), pair("other")];
    const heard: string[] = [];
    const place = { kind: "tls", host: "127.0.0.1", port: 0, ...signer, clients: [bot.sha256] } as const;
    const door = await openDoor(place, async (line) => {
      heard.push(line);
      return { ok: true, certificate };
    });
    onTestFinished(door.close);
    const address = `127.0.0.1:${door.port}`;
    const at = (fingerprints: readonly string[], own = bot) => signerAddressOf({ address, fingerprints, ...own });
    expect(await ask(at([other.sha256, signer.sha256]))).toEqual({ ok: true, certificate });
    expect(heard).toEqual([JSON.stringify(request)]);
    expect(await ask(at([other.sha256]))).toEqual({
      ok: false,
      reason: `what answers as the signer shows another certificate (${signer.sha256}) than signer.fingerprints has`,
    });
    expect(await ask(at([signer.sha256], other))).toMatchObject({ ok: false });
    expect(await ask(at([signer.sha256], { ...bot, keyFile: join(folder, "none") }))).toMatchObject({
      ok: false,
      reason: expect.stringContaining("the signer cannot be asked"),
    });
    expect(heard).toHaveLength(1);
  });

  /** What a signer says for one request; it hangs up behind that. */
  const saying = async (text: string | undefined): Promise<SignerAddress> => {
    const path = join(folder, `door-${Math.random()}`);
    const server = createServer((guest) => {
      guest.on("error", () => undefined);
      if (text !== undefined) guest.once("data", () => guest.end(text));
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => void server.close());
    return { kind: "socket", path };
  };

  it.each([
    ["", "the signer closed the connection without an answer"],
    ["yes\n", "the signer's answer is not of its form"],
    ['{"ok":true}\n', "the signer's answer is not of its form"],
    ['{"ok":true,"fits":true}\n', "the signer's answer is not of its form"],
    ['{"ok":true,"certificate":"ssh-ed25519 AAAA"}\n', "the signer's answer is not of its form"],
    [
      `${JSON.stringify({ ok: true, certificate: `${certificate}\nssh-rsa AAAA` })}\n`,
      "the signer's answer is not of its form",
    ],
    [`{"ok":true,"certificate":"${certificate}"}`, "the signer closed the connection without an answer"],
    ["x".repeat(500_000), "the signer's answer has no end"],
    ['{"ok":false,"reason":"nobody approved it"}\n', "nobody approved it"],
  ])("SR-72 an answer `%.40s` is no certificate", async (said, reason) => {
    expect(await ask(await saying(said))).toEqual({ ok: false, reason });
  });

  it("SR-72 a signer that is away, silent or no longer wanted gives none", { tags: ["long"] }, async () => {
    expect(await ask({ kind: "socket", path: join(folder, "nowhere") })).toEqual({
      ok: false,
      reason: "the signer cannot be reached (ENOENT)",
    });
    const silent = await saying(undefined);
    const reason = "it was cancelled while the signer was asked";
    expect(await ask(silent, AbortSignal.abort())).toEqual({ ok: false, reason });
    expect(await ask(silent, AbortSignal.timeout(50))).toEqual({ ok: false, reason });
    expect(await ask(silent)).toEqual({ ok: false, reason: "the signer did not answer within 7 s" });
  });
});
