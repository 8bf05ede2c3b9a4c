import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Server } from "../../src/base/server.ts";
import { cleanBytes } from "../../src/text/read/clean.ts";
import { missing } from "../harness/missing.ts";
import type { Sshd } from "../harness/sshd.ts";
import { useFolder } from "../harness/use-started.ts";
import { createClients, entryOf, run, sshdFor, text } from "./real-host.ts";

const started = await sshdFor("test/ssh/terminal.long.test.ts");
const { client } = createClients();
const folder = useFolder();

/** Long enough for a busy machine to show a whole prompt. */
const quietMs = 400;

const has = (tool: string): boolean => {
  const there = spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;
  if (!there) missing(tool, "its pager was not tried on a real terminal");
  return there;
};

function makeRepository(): string {
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
  git("init", "-q");
  const body = Array.from({ length: 200 }, (_, at) => `line ${at}`).join("\n");
  git("-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "--allow-empty", "-m", `title\n\n${body}`);
  return folder;
}

const pagers: readonly (readonly [tool: string, command: string])[] = [
  ["less", "seq 1 500 | less"],
  ["less", "seq 1 500 | TERM=xterm less"],
  ["less", "TERM=xterm less /etc/services"],
  ["less", "LESS=-M TERM=xterm less /etc/services"],
  ["less", "less /etc/services"],
  ["more", "more /etc/services"],
  ["more", "seq 1 500 | TERM=xterm more"],
  ["man", "man -P less ls"],
  ["man", "TERM=xterm MANPAGER=less man ls"],
  ["git", "TERM=xterm GIT_PAGER='less -+F' git -C REPOSITORY log"],
  ["git", "GIT_PAGER=less git -C REPOSITORY log"],
];

describe.runIf(started !== undefined)("with a terminal on a real sshd", () => {
  const sshd = started as Sshd;
  const onTty = (given: Partial<Server> = {}) => {
    const entry = entryOf(sshd, { tty: true, ...given });
    return { entry, ssh: client([entry], { quietMs }) };
  };

  for (const [tool, command] of pagers) {
    it.runIf(has(tool))(
      `AR-07 AR-04 is paged through and left with q: ${command}`,
      async () => {
        const line = command.replace("REPOSITORY", () => makeRepository());
        const result = await run(onTty({ hardTimeoutMs: 60_000 }), line);
        expect(result.ending).toEqual({ kind: "exited", code: 0 });
        // What it shows on the second page, too, and none of its prompts.
        const shown = cleanBytes(Buffer.from(text(result)));
        expect(shown.split("\n").length).toBeGreaterThan(60);
        expect(shown).not.toMatch(/^:|--More--|\(END\)|\d\w*etc\/services/m);
      },
      70_000,
    );
  }

  it.each([
    ["printf 'Continue? [y/N] '; read x; echo got $x", "Continue? [y/N]"],
    ["printf '[sudo] password for ops: '; stty -echo; read x; echo got $x", "[sudo] password for ops:"],
    ["bash -c 'read -p \"web-1 login: \" x; echo got $x'", "web-1 login:"],
    ["touch FOLDER/f; rm -i FOLDER/f; echo got it", expect.stringContaining("remove regular empty file")],
    ["ssh-keygen -q -t ed25519 -f FOLDER/key; echo got it", expect.stringContaining("passphrase")],
  ])("AR-07 ends at the question, which is never answered: %s", async (command, asks) => {
    const result = await run(onTty(), command.replaceAll("FOLDER", folder));
    expect(result.ending).toEqual({ kind: "waiting-for-input", asks });
    expect(text(result)).not.toContain("got");
  });

  it("AR-07 nothing is typed into what is neither pager nor question", async () => {
    const result = await run(onTty(), "printf 'Working: '; bash -c 'read -t 2 x; echo \"[$x]\"'");
    expect(text(result)).toBe("Working: []\r\n");
  });

  it.runIf(has("top"))("AR-07 a full screen is no pager: top runs to its limit", async () => {
    expect((await run(onTty({ hardTimeoutMs: 3_000 }), "TERM=xterm top")).ending).toMatchObject({ kind: "timed-out" });
  });

  it("AR-07 a question in output that goes on ends nothing", async () => {
    const result = await run(onTty(), "for i in $(seq 20); do printf 'Continue? [y/N] '; sleep 0.05; echo yes; done");
    expect(result.ending).toEqual({ kind: "exited", code: 0 });
  });

  it("AR-07 without a terminal a command that asks on stderr and hangs ends at its question, after more patience", async () => {
    const entry = entryOf(sshd);
    const ssh = client([entry], { quietMs: 50 });
    const hangs = await run({ ssh, entry }, "printf 'Password: ' >&2; sleep 600");
    expect(hangs.ending).toEqual({ kind: "waiting-for-input", asks: "Password:" });
    const works = await run({ ssh, entry }, "printf 'Checking the password:' >&2; sleep 1; echo done");
    expect(works.ending).toEqual({ kind: "exited", code: 0 });
  });
});
