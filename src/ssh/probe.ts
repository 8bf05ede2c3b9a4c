import type { Exec, ExecResult } from "../base/run.ts";
import type { OperatingSystem, Server } from "../base/server.ts";
import { refuse, type SshRefusal } from "./failure.ts";

export type Probed = { readonly ok: true; readonly hostKey: string; readonly os: OperatingSystem } | SshRefusal;

/** Housekeeping (AR-08): the first answers on every Unix and in Git's shells, the second in cmd and PowerShell. */
const questions = ["uname -s", "cmd.exe /c ver"] as const;

/** Which OS answers; `undefined` where the answer names none. Pure. */
export function readOs(answer: string): OperatingSystem | undefined {
  if (/windows|MINGW|MSYS|CYGWIN/i.test(answer)) return "windows";
  return /^\s*(Linux|Darwin|FreeBSD|OpenBSD|NetBSD|SunOS|AIX|GNU)/m.test(answer) ? "linux" : undefined;
}

/** Connects, proves the host key and finds the OS. The inventory's own word on the OS wins over what is found. */
export async function probeServer(exec: Exec, server: Server): Promise<Probed> {
  let hostKey = "";
  for (const wrapped of questions) {
    const result = await exec({ server: asProbe(server), wrapped }, { signal: new AbortController().signal });
    const { ending } = result;
    if (ending.kind === "unreachable") return refuse(ending.reason, ending.remedy ?? "check the server");
    if (ending.kind !== "exited")
      return refuse(`${server.name} did not answer a probe (${ending.kind})`, "check its load");
    hostKey = result.hostKey ?? hostKey;
    const os = result.windows ? "windows" : readOs(textOf(result));
    if (os !== undefined) return { ok: true, hostKey, os: server.os === "auto" ? os : server.os };
  }
  if (server.os !== "auto") return { ok: true, hostKey, os: server.os };
  return refuse(`${server.name} does not say which OS it runs`, "write `os: linux` or `os: windows` in the inventory");
}

const probeMaxMs = 15_000;
const asProbe = (server: Server): Server => ({ ...server, tty: false, hardTimeoutMs: probeMaxMs });

const textOf = ({ capture }: ExecResult): string => Buffer.from(capture.head).toString("latin1");
