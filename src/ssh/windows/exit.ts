import type { Client } from "ssh2";
import type { Server } from "../../base/server.ts";
import type { Exit } from "../ending.ts";
import type { SshFailure } from "../failure.ts";

/** The software a server names in its first line, which is part of what its host key signs; "" if it is not known. */
const versionOf = (client: Client): string => (client as unknown as { readonly _remoteVer?: string })._remoteVer ?? "";

/** Whether a server's version (`OpenSSH_for_Windows_9.5`) says that it runs Windows. Pure. */
export const isWindowsVersion = (version: string): boolean => /^OpenSSH_for_Windows\b|_for_Windows_/i.test(version);

/** Whether the server at the other end says that it runs Windows; false if the connection does not say (openssh). */
export const saysWindows = (client: Client): boolean => isWindowsVersion(versionOf(client));

/** Why a line that was made for Linux is not sent to a server that says it runs Windows; `undefined` for any other. Pure. */
export function wrongSystem(server: Server, line: string): SshFailure | undefined {
  if (!/^(?:exec )?env -u /.test(line)) return undefined;
  return {
    reason: `${server.name} runs Windows, and the command was made for Linux; nothing was run`,
    remedy: "write `os: windows` and its `shell:` (powershell or cmd) in the inventory, and propose it anew",
    transient: false,
  };
}

/** What Windows reports in place of an exit code if it ends a program (NTSTATUS). */
const statusNames: Readonly<Record<number, string>> = {
  3221225477: "ACCESS_VIOLATION",
  3221225495: "NO_MEMORY",
  3221225501: "ILLEGAL_INSTRUCTION",
  3221225620: "DIVIDE_BY_0",
  3221225725: "STACK_OVERFLOW",
  3221225781: "DLL_NOT_FOUND",
  3221225786: "CTRL_C",
  3221225794: "DLL_INIT",
  3221226356: "HEAP_BROKEN",
  3221226505: "STACK_BROKEN",
};

/**
 * What an exit code of Windows means. SSH carries it without its sign: 4294967295 is -1. From 0xC0000000 on Windows, not
 * the program, ended it, which counts as a signal; one without a short name is shown by its number. Pure.
 */
export function readWindowsExit(exit: Exit): Exit {
  if (!("code" in exit)) return exit;
  const status = exit.code >>> 0;
  if (status >= 0xc0000000 && status < 0xd0000000) {
    return { signal: statusNames[status] ?? `0x${status.toString(16).toUpperCase()}` };
  }
  return { code: status | 0 };
}
