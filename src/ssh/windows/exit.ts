import type { Client } from "ssh2";
import type { Exit } from "../ending.ts";

/** The host key signs it; "" if unknown. */
const versionOf = (client: Client): string => (client as unknown as { readonly _remoteVer?: string })._remoteVer ?? "";

/** Recognizes versions such as `OpenSSH_for_Windows_9.5`. Pure. */
export const isWindowsVersion = (version: string): boolean => /^OpenSSH_for_Windows\b|_for_Windows_/i.test(version);

/** Returns true if the server says that it runs Windows; a connection of the system's ssh never does. */
export const saysWindows = (client: Client): boolean => isWindowsVersion(versionOf(client));

/** NTSTATUS, the exit code of programs that Windows ends. */
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
 * Reads Windows' exit code, which SSH carries unsigned: 4294967295 is -1. From 0xC0000000 on Windows ended the program, which counts as a
 * signal. Pure.
 */
export function readWindowsExit(exit: Exit): Exit {
  if (!("code" in exit)) return exit;
  const status = exit.code >>> 0;
  if (status >= 0xc0000000 && status < 0xd0000000) {
    return { signal: statusNames[status] ?? `0x${status.toString(16).toUpperCase()}` };
  }
  return { code: status | 0 };
}
