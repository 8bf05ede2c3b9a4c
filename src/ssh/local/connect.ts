import { machineOf, whereWeAre } from "../../base/host/machine.ts";
import type { LocalMachine, Server } from "../../base/server.ts";
import type { Dialled } from "../dial.ts";
import { refuse, type SshRefusal } from "../failure.ts";
import { machinePin } from "../keys/host-keys.ts";
import { createLocalClient } from "./client.ts";

/** Makes a client whose commands start here, where this is the machine and account of the inventory. Never throws. */
export function connectHere(server: Server, local: LocalMachine): Dialled {
  const elsewhere = whyElsewhere(server, local);
  if (elsewhere) return { ...elsewhere, transient: false, identity: true };
  const { client, isClosed } = createLocalClient({
    environment: environmentHere(server, local),
    folder: whereWeAre().home,
    isHere: () => whyElsewhere(server, local) === undefined,
  });
  return {
    ok: true,
    connection: {
      client,
      hostKey: machinePin(local),
      provedAt: Date.now(),
      closedBecause: () => (isClosed() ? "the bot closed it" : undefined),
    },
  };
}

/** Why a command must not start here: the name is another machine's, or what this one knew of its jobs is lost. */
function whyElsewhere({ name, host, user }: Server, { jobsFolder, machine }: LocalMachine): SshRefusal | undefined {
  const here = whereWeAre();
  if (here.host !== host || here.user !== user)
    return refuse(
      `this runner is ${here.user} on ${here.host}, and ${name} is ${user} on ${host}; nothing was run`,
      "start the runner there, or correct `host` and `user`",
    );
  const found = machineOf(jobsFolder);
  if (found === machine) return undefined;
  return refuse(
    `the jobs of ${name} in ${jobsFolder} are ${found === undefined ? "gone" : `those of ${found}`}, not of ${machine}; nothing was run`,
    "restart the bot, or correct `jobs_folder` and `machine`; what was approved before must be proposed again",
  );
}

/** As a login would set it: nothing of the bot's own environment, which has its secrets. */
function environmentHere({ user, path }: Server, { jobsFolder }: LocalMachine): Readonly<Record<string, string>> {
  const { home } = whereWeAre();
  return { HOME: home, USER: user, LOGNAME: user, SHELL: "/bin/sh", PATH: path, COUNTERSIGN_DIR: jobsFolder };
}
