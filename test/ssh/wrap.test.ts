import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { wrap } from "../../src/ssh/wrap.ts";
import { fc } from "../harness/chance.ts";
import { server } from "./inventory-entry.ts";

describe("wrap", () => {
  it("SR-53 is a fixed text round the command, the same every time", () => {
    const entry = server({ path: "/usr/bin:/bin" });
    expect(wrap(entry, "df -h", "linux")).toBe(
      "env -u BASH_ENV -u ENV PATH=/usr/bin:/bin PAGER=cat SYSTEMD_PAGER= GIT_PAGER=cat TERM=dumb " +
        `sh -c 'has() { command -v $1 >/dev/null 2>&1; }; has bash || exec sh -c "$0"; ` +
        `has timeout && exec timeout -s KILL 1860 bash --noprofile --norc -c "$0"; ` +
        `exec bash --noprofile --norc -c "$0"' 'df -h'`,
    );
    expect(wrap(entry, "df -h", "linux")).toBe(wrap(entry, "df -h", "linux"));
  });

  it("SR-72 with a signer nothing comes from the client's environment or stdin", () => {
    const wrapped = wrap(server({ signer: true }), "true", "linux", { mode: "job", jobId: "a".repeat(32) });
    expect(wrapped).toMatch(/^exec env -i HOME="\$HOME" USER="\$USER" LOGNAME="\$LOGNAME" SHELL="\$SHELL" PATH=/);
    expect(wrapped.endsWith(" true </dev/null")).toBe(true);
    const other = wrap(server(), "true", "linux", { mode: "job", jobId: "a".repeat(32) });
    expect(other).toMatch(/^exec env -u BASH_ENV -u ENV PATH=/);
    expect(other.endsWith(" true")).toBe(true);
  });

  it("SR-53 the shell sees exactly the command's bytes, whatever quotes, newlines and letters it holds", {
    tags: ["long"],
  }, () => {
    const inner = fc.stringMatching(/^[\n\t\x20-\x7eéß漢🙂]{0,60}$/u);
    fc.assert(
      fc.property(inner, (text) => {
        const command = `printf '%s' '${text.replaceAll("'", `'"'"'`)}'`;
        const shown = execFileSync("sh", ["-c", wrap(server(), command, "linux")], { encoding: "utf8" });
        expect(shown).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it("a PATH with a space or quote stays one word", () => {
    const wrapped = wrap(server({ path: "/opt/it's here:/usr/bin:/bin" }), 'printf %s "$PATH"', "linux");
    expect(execFileSync("sh", ["-c", wrapped], { encoding: "utf8" })).toBe("/opt/it's here:/usr/bin:/bin");
  });

  it("BASH_ENV and ENV do not reach the command's shell", () => {
    const env = { PATH: "/usr/bin:/bin", BASH_ENV: "/nonexistent/one", ENV: "/nonexistent/two" };
    const wrapped = wrap(server(), 'printf %s "$BASH_ENV$ENV"', "linux");
    expect(execFileSync("sh", ["-c", wrapped], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })).toBe("");
  });

  it("a server without bash runs the command in sh", () => {
    const wrapped = wrap(server({ path: "/nonexistent" }), "echo $0", "linux");
    // env finds sh by the PATH it sets, so sh is named by its path here.
    const byPath = wrapped.replaceAll(/\bsh -c/g, "/bin/sh -c");
    expect(execFileSync("/bin/sh", ["-c", byPath], { encoding: "utf8" })).toBe("/bin/sh\n");
  });

  it("SR-54 F-29 the server ends a command by itself, a minute after our own limit", () => {
    const wrapped = wrap(server({ hardTimeoutMs: 1_000 }), "sleep 100", "linux");
    expect(wrapped).toContain("timeout -s KILL 61 ");
    const soon = wrapped.replace("timeout -s KILL 61 ", "timeout -s KILL 0.2 ");
    expect(() => execFileSync("sh", ["-c", `exec ${soon}`])).toThrow(expect.objectContaining({ signal: "SIGKILL" }));
  });

  it("SR-53 a job's line ends in limit, grace, what is kept and the command, all of it part of the bytes", () => {
    const jobId = "0123456789abcdef";
    const wrapped = wrap(server(), "echo 'it'", "linux", { mode: "job", jobId });
    expect(wrapped).toMatch(/^exec env -u BASH_ENV -u ENV PATH=\S+ PAGER=cat .* sh -c 'eval "\$0"' 'umask 077\n/);
    expect(wrapped.endsWith(` start ${jobId} 1860 5 8388608 'echo '\\''it'\\'''`)).toBe(true);
  });

  it("AR-06 Windows has no job mode, and an id is letters and digits", () => {
    const jobId = "0123456789abcdef";
    expect(() => wrap(server(), "dir", "windows", { mode: "job", jobId })).toThrow("web-1 runs Windows");
    expect(() => wrap(server(), "df", "linux", { mode: "job", jobId: "../../etc/passwd" })).toThrow("a job id");
  });
});
