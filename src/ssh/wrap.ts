import type { OperatingSystem, Server } from "../types.ts";

/** Keeps a command from starting a pager, which would wait for a key nobody presses (AR-07). */
const pagerVariables = "PAGER=cat SYSTEMD_PAGER= GIT_PAGER=cat TERM=dumb";

/**
 * The exact text sent to a server for a command (POLICY.md §7, SR-53). Pure: the same server, command and OS give the
 * same bytes, and these bytes are part of the action's digest. The shell is the server's, never guessed from the text.
 */
export function wrap(server: Server, command: string, os: OperatingSystem): string {
  if (os === "linux") return wrapPosix(server, command);
  return server.shell === "cmd" ? `cmd.exe /d /s /c "${command}"` : wrapPowerShell(command);
}

/** The server's own limit is later than ours, so that it only ever acts where we are gone. */
const serverLimitSlackS = 60;

/**
 * bash without the account's start-up files; plain sh where a server has no bash. `timeout` is the hard limit's far
 * end (SR-54): a command whose connection is lost does not run for ever. Only beside bash, since an old busybox has a
 * `timeout` with other options. No forks before the command: each costs as much as the way over the network.
 */
function wrapPosix(server: Server, command: string): string {
  const environment = `env -u BASH_ENV -u ENV PATH=${quote(server.path)} ${pagerVariables}`;
  const limitS = Math.ceil(server.hardTimeoutMs / 1000) + serverLimitSlackS;
  const script = [
    `has() { command -v $1 >/dev/null 2>&1; }`,
    `has bash || exec sh -c "$0"`,
    `has timeout && exec timeout -s KILL ${limitS} bash --noprofile --norc -c "$0"`,
    `exec bash --noprofile --norc -c "$0"`,
  ].join("; ");
  return `${environment} sh -c '${script}' ${quote(command)}`;
}

/** Encoded, because no quoting survives the way from sshd through cmd.exe to PowerShell. */
function wrapPowerShell(command: string): string {
  const encoded = Buffer.from(command, "utf16le").toString("base64");
  return `powershell.exe -NoProfile -NonInteractive -EncodedCommand ${encoded}`;
}

/** One POSIX word; plain where the text needs no quotes, so that people can read it. */
function quote(text: string): string {
  return /^[A-Za-z0-9_./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
