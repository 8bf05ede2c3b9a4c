import type { Problem } from "../../base/errors.ts";
import type { Server } from "../../base/server.ts";
import { type Config, environment } from "../../config/load.ts";
import type { SshRefusal } from "../../ssh/failure.ts";
import { createSsh, type Ssh } from "../../ssh/run.ts";
import { clusterRunner, lookAtCluster } from "./cluster.ts";
import { inLanes } from "./lanes.ts";
import type { CheckLook } from "./look.ts";
import { lookAtSource, sourceRunner } from "./source.ts";

/** What a fixed script asks a Unix server beside its OS; a line each, so that a server that cannot answer one leaves it out. */
const script = [
  "command -v bash >/dev/null 2>&1 && echo shell=yes || echo shell=no",
  'd=/tmp; [ -d /var/tmp ] && d=/var/tmp; df -Pk "$d" 2>/dev/null | awk \'END { print "free=" $4 }\'; [ -w "$d" ] && echo write=yes || echo write=no',
  "sudo -n -l >/dev/null 2>&1 && echo sudo=yes || echo sudo=no",
  "echo time=$(date +%s)",
].join("\n");

const leastFreeKb = 50 * 1024;
const mostSecondsOff = 120;

const serversAtOnce = 8;

type ServerLook = Omit<CheckLook, "name">;

/**
 * Starts a look at each server, cluster and source, eight at once, in the config's order. `lookOverSsh` says how much a server over
 * SSH is asked. To be closed when all are done.
 */
export function startServerLooks(
  servers: Config["servers"],
  lookOverSsh: (ssh: Ssh, server: Server) => Promise<ServerLook>,
): {
  readonly looks: readonly { readonly item: Server; readonly done: Promise<ServerLook> }[];
  readonly close: () => Promise<void>;
} {
  const ssh = createSsh({ servers, agentSocket: environment().SSH_AUTH_SOCK });
  const kubernetes = clusterRunner();
  const sources = sourceRunner();
  const looks = inLanes([...servers.values()], serversAtOnce, (server) =>
    server.source
      ? lookAtSource(sources, server)
      : server.cluster
        ? lookAtCluster(kubernetes, server)
        : lookOverSsh(ssh, server),
  );
  const close = (): Promise<void> => {
    kubernetes.close();
    sources.close();
    return ssh.close();
  };
  return { looks, close };
}

/** Connects for real and asks nothing but the OS: reach, host key, login. Never throws. */
export async function lookAtReach(ssh: Ssh, server: Server): Promise<ServerLook> {
  const probed = await ssh.probe(server);
  return probed.ok ? { said: probed.hostKey } : unreached(server, probed);
}

const unreached = ({ name }: Server, { reason, remedy }: SshRefusal): ServerLook => ({
  said: reason,
  problems: [{ place: `servers.${name}`, message: reason, remedy }],
});

/** Connects for real: reach, host key, OS; then, on a Unix, its shell, disk for jobs, sudo and clock. Never throws. */
export async function lookAtServer(ssh: Ssh, server: Server, now = Date.now): Promise<ServerLook> {
  const place = `servers.${server.name}`;
  const probed = await ssh.probe(server);
  if (!probed.ok) return unreached(server, probed);
  const about = server.local
    ? `this machine: host ${server.host}, user ${server.user}, ${probed.hostKey}`
    : `${probed.os}, host key ${probed.hostKey}`;
  // The inventory's own word wins over what is found, so it is found once more without that word.
  const itself = await ssh.probe({ ...server, os: "auto" });
  const contradicts: readonly Problem[] =
    !itself.ok || itself.os === probed.os
      ? []
      : [
          {
            place: `${place}.os`,
            message: `says ${probed.os}, and it runs ${itself.os}`,
            remedy: `write os: ${itself.os}`,
          },
        ];
  if (probed.os === "windows") return { said: about, problems: contradicts };
  const asked = await ssh.exec(
    { server: { ...server, tty: false, hardTimeoutMs: 15_000 }, wrapped: script },
    { signal: AbortSignal.timeout(20_000) },
  );
  const facts = readServerFacts(Buffer.from(asked.capture.head).toString("latin1"));
  const found = judgeServer(server, facts, now());
  const said = [about, ...(facts.sudo === "yes" ? ["sudo without a password"] : [])].join(", ");
  return { said, problems: [...contradicts, ...found.problems], warnings: found.warnings };
}

type Facts = Readonly<Partial<Record<"shell" | "free" | "write" | "sudo" | "time", string>>>;

/** `name=value` lines; anything else, such as a banner, is passed over. */
export const readServerFacts = (text: string): Facts =>
  Object.fromEntries(
    [...text.matchAll(/^(shell|free|write|sudo|time)=(\S*)$/gm)].map(([, key, value]) => [key, value]),
  );

/** What the facts mean; what a server did not tell is not judged. Pure. */
export function judgeServer(server: Server, facts: Facts, nowMs: number) {
  const place = `servers.${server.name}`;
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  if (facts.shell === "no" && server.shell === "bash")
    problems.push({
      place: `${place}.shell`,
      message: "there is no bash",
      remedy: "install it: commands are classified as bash",
    });
  if (facts.write === "no")
    problems.push({
      place,
      message: "/var/tmp cannot be written: commands that change something cannot be followed",
      remedy: "chmod 1777 /var/tmp",
    });
  const freeKb = Number(facts.free || Number.NaN);
  if (freeKb < leastFreeKb)
    problems.push({
      place,
      message: `only ${Math.round(freeKb / 1024)} MB are free for the output of commands`,
      remedy: "make room where /var/tmp lies",
    });
  const offBy = Math.round(Number(facts.time || Number.NaN) - nowMs / 1000);
  if (Math.abs(offBy) > mostSecondsOff)
    warnings.push({
      place,
      message: `its clock is ${Math.abs(offBy)} s ${offBy > 0 ? "ahead" : "behind"}: times in its logs mislead`,
      remedy: "switch time synchronization on (timedatectl set-ntp true)",
    });
  if (facts.sudo === "yes" && server.maxRisk !== "high")
    warnings.push({
      place: `${place}.max_risk`,
      message: `the account has sudo without a password, more than ${server.maxRisk} risk needs`,
      remedy: "narrow its sudoers entry to what may run here",
    });
  return { problems, warnings };
}
