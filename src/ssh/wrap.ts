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
 * end (SR-54): a command whose connection is lost does not run for ever. It is tried first, since an old busybox knows
 * other options, and left out where it does not work.
 */
function wrapPosix(server: Server, command: string): string {
  const environment = `env -u BASH_ENV -u ENV PATH=${quote(server.path)} ${pagerVariables}`;
  const limitS = Math.ceil(server.hardTimeoutMs / 1000) + serverLimitSlackS;
  const limit = `t="timeout -k 10 ${limitS}"; $t true 2>/dev/null || t=`;
  const shell = `command -v bash >/dev/null 2>&1 && exec $t bash --noprofile --norc -c "$0"; exec $t sh -c "$0"`;
  return `${environment} sh -c '${limit}; ${shell}' ${quote(command)}`;
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
