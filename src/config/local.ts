/** An entry of `servers` with `kind: local`: the machine of the runner itself. */

import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import { ensureMachine, machineOf, whereWeAre } from "../base/host/machine.ts";
import type { ProcessRole } from "../base/roles.ts";
import type { Server } from "../base/server.ts";
import type { FileSide } from "./values.ts";

type Entry = FileSide["servers"][string];

type LocalEntry =
  | { readonly ok: true; readonly server: Pick<Server, "host" | "port" | "user" | "local" | "os" | "description"> }
  | { readonly ok: false; readonly key: string; readonly message: string; readonly remedy: string };

/**
 * What stands in place of address and login: this machine, where the file does not name another. A runner that has no folder of jobs yet
 * makes one; other processes read it, or are told its name by the file. Never throws.
 */
export function resolveLocal(name: string, entry: Entry, roles: readonly ProcessRole[]): LocalEntry {
  const refuse = (key: string, message: string, remedy: string) => ({ ok: false, key, message, remedy }) as const;
  const isRunner = roles.includes("runner");
  if (process.platform === "win32")
    return refuse("kind", "`local` needs a Unix: there are no jobs on Windows", "use SSH");
  if (isRunner && roles.length > 1 && !entry.allow)
    return refuse(
      "allow",
      `what runs on \`${name}\` could read the bot's keys and database: bot and runner are one process here`,
      "start a runner of its own (`--role runner`) on that machine, or write `allow: true`",
    );
  const here = whereWeAre();
  const jobsFolder = entry.jobsFolder ?? join(here.home, ".countersign-jobs");
  const { machine } = entry;
  const found = machine === undefined ? findMachine(jobsFolder, isRunner) : { id: machine };
  if (found.id === undefined)
    return refuse(
      "machine",
      `the folder of jobs ${jobsFolder} has no name that can be read${found.why ?? ""}`,
      isRunner
        ? "write a `jobs_folder` that this account can write to and that outlives a restart"
        : "write `machine`, `host` and `user`: `countersign check --role runner` on that machine says them",
    );
  const told = "The machine of the runner itself";
  const { description } = entry;
  return {
    ok: true,
    server: {
      host: (entry.host ?? here.host).toLowerCase(),
      port: 0,
      user: entry.user ?? here.user,
      os: "linux",
      description: description === "" ? told : `${description}. ${told}`,
      local: { jobsFolder, machine: found.id },
    },
  };
}

function findMachine(
  jobsFolder: string,
  isRunner: boolean,
): { readonly id: string | undefined; readonly why?: string } {
  try {
    return { id: isRunner ? ensureMachine(jobsFolder) : machineOf(jobsFolder) };
  } catch (thrown) {
    return { id: undefined, why: ` (${messageOf(thrown)})` };
  }
}
