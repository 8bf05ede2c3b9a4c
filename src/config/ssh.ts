/** From `ssh -G`, because only ssh reads an ssh_config as ssh does. */

import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export interface SshHost {
  readonly name: string;
  readonly hostName: string;
  readonly port: number;
  readonly user: string;
  /** In ssh's order; need not exist. */
  readonly identityFiles: readonly string[];
  /** A socket, `none`, or undefined for SSH_AUTH_SOCK. */
  readonly identityAgent: string | undefined;
  readonly knownHostsFiles: readonly string[];
  readonly hostKeyAlias: string | undefined;
  /** Nearest first, each `[user@]host[:port]`. */
  readonly jumps: readonly string[];
  readonly proxyCommand: string | undefined;
}

export type SshAnswer =
  | ({ readonly ok: true } & SshHost)
  | { readonly ok: false; readonly message: string; readonly remedy: string };

const timeoutMs = 5_000;
const refuse = (message: string, remedy: string): SshAnswer => ({ ok: false, message, remedy });

/**
 * `destination` is a name in the file or `[user@]host[:port]`. Refuses `Match exec`, because reading runs its program, unless ssh will run
 * it anyway (`mayRun`). Never throws.
 */
export function askSsh(file: string, destination: string, options: { readonly mayRun: boolean }): SshAnswer {
  const target = /^(?:([a-zA-Z0-9._-]+)@)?([a-zA-Z0-9._][a-zA-Z0-9._-]*)(?::(\d+))?$/.exec(destination);
  if (target === null)
    return refuse(`\`${destination}\` is not a plain name of a host`, "name the host as ssh_config has it");
  const problem = options.mayRun ? undefined : findMatchExec(file);
  if (problem !== undefined) return problem;
  const [, user, host = "", port] = target;
  const flags = [...(user === undefined ? [] : ["-l", user]), ...(port === undefined ? [] : ["-p", port])];
  const env = { PATH: "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin" };
  const asked = spawnSync("ssh", ["-G", "-F", file, ...flags, "--", host], {
    encoding: "utf8",
    timeout: timeoutMs,
    env,
  });
  if (asked.error !== undefined || asked.status !== 0) {
    const says = asked.stderr?.trim().split("\n")[0] || asked.error?.message || "it gave no reason";
    return refuse(
      `ssh -G cannot read ${file} for ${host}: ${says}`,
      "correct the file; `ssh -G -F FILE HOST` shows it",
    );
  }
  return { ok: true, name: host, ...readOptions(asked.stdout) };
}

/** Parses the output of `ssh -G`. */
export function readOptions(printed: string): Omit<SshHost, "name"> {
  const lines = printed.split("\n").map((line) => /^(\S+) (.*)$/.exec(line)?.slice(1) ?? []);
  const all = (keyword: string): string[] => lines.flatMap(([name, value = ""]) => (name === keyword ? [value] : []));
  const one = (keyword: string): string | undefined => all(keyword).find((value) => value !== "none");
  const hostName = one("hostname") ?? "";
  const user = one("user") ?? "";
  const words: Readonly<Record<string, string>> = { "%d": homedir(), "%h": hostName, "%r": user, "%%": "%" };
  const path = (text: string): string =>
    text.replace(/^~(?=\/)/, homedir()).replace(/%[dhr%]/g, (word) => words[word] ?? word);
  const agent = all("identityagent")[0];
  return {
    hostName,
    user,
    port: Number(one("port") ?? 22),
    identityFiles: all("identityfile").map(path),
    identityAgent: agent === undefined || agent === "SSH_AUTH_SOCK" ? undefined : path(agent),
    knownHostsFiles: (one("userknownhostsfile") ?? "").split(" ").filter(Boolean).map(path),
    hostKeyAlias: one("hostkeyalias"),
    jumps: (one("proxyjump") ?? "").split(",").filter(Boolean),
    proxyCommand: one("proxycommand"),
  };
}

/** As in ssh. */
const maxIncludes = 16;

function findMatchExec(file: string, depth = 0): SshAnswer | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return refuse(`${file} cannot be read`, "create it, or correct the path");
  }
  for (const line of text.split("\n")) {
    const [keyword = "", ...values] = line.trim().split(/[\s=]+/);
    if (/^match$/i.test(keyword) && values.some((word) => /^["!]*exec\b/i.test(word))) {
      return refuse(`${file} has \`Match exec\`, which runs a program to find out what it says`, backendRemedy);
    }
    if (!/^include$/i.test(keyword) || depth === maxIncludes) continue;
    for (const pattern of values.map((value) => value.replaceAll('"', ""))) {
      const full = isAbsolute(pattern)
        ? pattern
        : pattern.replace(/^(?:~\/)?/, `${pattern.startsWith("~/") ? homedir() : join(homedir(), ".ssh")}/`);
      for (const found of globSync(full)) {
        const problem = findMatchExec(found, depth + 1);
        if (problem !== undefined) return problem;
      }
    }
  }
  return undefined;
}

export const backendRemedy =
  "write `backend: openssh` for this server, which leaves the connection to the system's ssh";
