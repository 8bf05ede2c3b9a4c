import type { ServerChannel } from "ssh2";
import type { FakeHost, Faults, Play } from "./fake-host.ts";
import { afterCmd, afterPowerShell } from "./windows-shells.ts";

/** What a program of the imagined server does. The exit code is its own; `ok` is PowerShell's `$?`, where it differs. */
export type Program = (text: string, host: ProgramHost) => Promise<{ readonly code: number; readonly ok?: boolean }>;

interface ProgramHost {
  readonly shell: "cmd" | "powershell";
  readonly channel: ServerChannel;
  /** Starts a process below the program; a stubborn one outlives taskkill. */
  readonly start: (name: string, how?: { readonly stubborn?: boolean }) => number;
  /** Resolves when somebody ended the program. */
  readonly ended: Promise<void>;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly name: string;
  readonly stubborn?: boolean | undefined;
  readonly end?: () => void;
}

export interface FakeWindows {
  readonly host: FakeHost;
  readonly processes: () => readonly string[];
  /** The commands a DefaultShell started, as it read them: more than one where a line fell apart on the way. */
  readonly started: readonly string[];
}

/**
 * A server that answers as OpenSSH for Windows is documented to (docs/windows.md): its version, its DefaultShell between
 * sshd and the line, processes below one sshd, taskkill, and exit codes as PowerShell makes them.
 */
export async function startFakeWindows(
  startHost: (play: Play, faults: Faults) => Promise<FakeHost>,
  { defaultShell, program, listless }: { defaultShell: "cmd" | "powershell"; program: Program; listless?: boolean },
): Promise<FakeWindows> {
  const table = new Map<number, Process>();
  const started: string[] = [];
  let born = 0;
  const add = (process: Omit<Process, "pid" | "ticks">): Process => {
    const fresh = { ...process, pid: 100 + 4 * born++, ticks: 10_000 + born };
    table.set(fresh.pid, fresh);
    return fresh;
  };
  const services = add({ parent: 4, name: "services.exe" });
  const listener = add({ parent: services.pid, name: "sshd.exe" });
  const sshd = add({ parent: listener.pid, name: "sshd-session.exe" });

  const below = (pid: number): Process[] =>
    [...table.values()].filter(({ parent }) => parent === pid).flatMap((child) => [...below(child.pid), child]);
  const kill = (pid: number): void => {
    for (const each of [...below(pid), ...[table.get(pid) ?? []].flat()]) {
      if (each.stubborn) continue;
      table.delete(each.pid);
      each.end?.();
    }
  };

  const powershell = async (script: string, shell: Process, channel: ServerChannel): Promise<number> => {
    const ended = Promise.withResolvers<void>();
    const own = add({ parent: shell.pid, name: "powershell.exe", end: ended.resolve });
    try {
      if (script.includes("Win32_Process")) {
        if (listless) return 1;
        channel.write(`@countersign self ${own.pid}\r\n`);
        for (const { pid, parent, ticks: at, name } of table.values())
          channel.write(`@countersign process ${pid} ${parent} ${at} ${name}\r\n`);
        channel.write("@countersign done\r\n");
        return 0;
      }
      const start = (name: string, { stubborn = false } = {}): number => add({ parent: own.pid, name, stubborn }).pid;
      const cmdText = /^\$i=.*?\$i\.Arguments='\/d \/s \/c "([\s\S]*)"';\$i\.Use/.exec(script)?.[1];
      if (cmdText !== undefined) {
        const text = cmdText.replace(/(['\u2018-\u201b])\1/g, "$1");
        return (await program(text, { shell: "cmd", channel, start, ended: ended.promise })).code;
      }
      const [text = "", trailer] = script.split("\n\n;if(!$?)");
      const { code, ok = code === 0 } = await program(text, {
        shell: "powershell",
        channel,
        start,
        ended: ended.promise,
      });
      return ok ? 0 : trailer?.includes("SetShouldExit") && code !== 0 ? code : 1;
    } finally {
      table.delete(own.pid);
    }
  };

  const runOne = async (line: string, shell: Process, channel: ServerChannel): Promise<number> => {
    started.push(line);
    const encoded = /^powershell\.exe -NoProfile -NonInteractive -EncodedCommand ([A-Za-z0-9+/=]+)$/.exec(line)?.[1];
    if (encoded) return powershell(Buffer.from(encoded, "base64").toString("utf16le"), shell, channel);
    const pid = /^taskkill\.exe \/PID (\d+) \/T \/F$/.exec(line)?.[1];
    if (pid) {
      kill(Number(pid));
      channel.write(`SUCCESS: The process with PID ${pid} has been terminated.\r\n`);
      return 0;
    }
    channel.stderr.write(`'${line.split(" ")[0]}' is not recognized as an internal or external command,\r\n`);
    return 1;
  };

  const play: Play = async (line, { channel }) => {
    const cut = Promise.withResolvers<number>();
    const shell = add({ parent: sshd.pid, name: `${defaultShell}.exe`, end: () => cut.resolve(1) });
    add({ parent: shell.pid, name: "conhost.exe" });
    const whole = async (): Promise<number> => {
      if (defaultShell === "cmd") {
        let code = 0;
        for (const command of afterCmd(line)) code = await runOne(command, shell, channel);
        return code;
      }
      let code = 0;
      for (const statement of afterPowerShell(line)) {
        if (statement === "exit $LASTEXITCODE") return code;
        code = await runOne(statement, shell, channel);
      }
      return code === 0 ? 0 : 1;
    };
    const told = await Promise.race([whole(), cut.promise]);
    kill(shell.pid);
    return told;
  };

  const host = await startHost(play, { ident: "OpenSSH_for_Windows_9.5" });
  return { host, started, processes: () => [...table.values()].map(({ name }) => name) };
}
