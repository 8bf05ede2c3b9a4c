import { execFileSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { openDoor } from "../../src/signer/door.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-door-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pair(name: string) {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  execFileSync("openssl", [...args, "-subj", `/CN=${name}`, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const text = readFileSync(cert, "utf8");
  const sha256 = createHash("sha256").update(new X509Certificate(text).raw).digest("hex");
  return { key: readFileSync(key, "utf8"), cert: text, sha256 };
}

/** What a guest is answered; undefined where it is cut off. */
const said = (open: (onOpen: () => void) => ReturnType<typeof connect>, line: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    let text = "";
    const socket = open(() => socket.write(line));
    socket.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    socket.on("error", () => socket.destroy()).on("close", () => resolve(text === "" ? undefined : text));
  });

describe("the signer's door", () => {
  it("SR-72 over TLS only whose certificate is pinned is heard", async () => {
    const [own, bot, other] = [pair("signer"), pair("bot"), pair("other")];
    const heard: string[] = [];
    const place = { kind: "tls", host: "127.0.0.1", port: 0, ...own, clients: [bot.sha256] } as const;
    const door = await openDoor(place, async (line) => {
      heard.push(line);
      return { ok: false, reason: "no" };
    });
    onTestFinished(door.close);
    const ask = (how: ConnectionOptions, line: string) =>
      said(
        (onOpen) => connectTls({ host: "127.0.0.1", port: door.port ?? 0, rejectUnauthorized: false, ...how }, onOpen),
        line,
      );
    expect(await ask(bot, "from the bot\n")).toBe('{"ok":false,"reason":"no"}\n');
    expect(await ask(other, "from another\n")).toBeUndefined();
    expect(await ask({}, "from nobody\n")).toBeUndefined();
    expect(heard).toEqual(["from the bot"]);
  });

  it("a socket is the group's too, one request is answered, and what is too long is cut off", async () => {
    const path = join(folder, "door");
    const door = await openDoor({ kind: "socket", path }, async (line) => ({ ok: false, reason: line }));
    onTestFinished(door.close);
    expect(statSync(path).mode & 0o777).toBe(0o660);
    const ask = (line: string) => said((onOpen) => connect(path, onOpen), line);
    expect(await ask("one\ntwo\n")).toBe('{"ok":false,"reason":"one"}\n');
    expect(await ask("x".repeat(1_100_000))).toBeUndefined();
  });
});
