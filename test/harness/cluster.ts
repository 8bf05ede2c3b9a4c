import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../demo/free-port.ts";
import { type BotProcess, startBotProcess } from "./bot-process.ts";
import type { Ground } from "./playground.ts";

/** One process of a cluster: where it listens and how it is started, again and again. */
export interface Member {
  readonly port: number;
  readonly configFile: string;
  /** Nothing while it is being started. */
  bot: BotProcess | undefined;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

export interface Cluster {
  readonly members: readonly Member[];
  readonly close: () => Promise<void>;
}

/** A way to another port that can be cut: every connection goes, and none comes to be, until it is mended. */
export async function startCable(port: number): Promise<{
  readonly port: number;
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect({ port, host: "127.0.0.1", noDelay: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one
        .on("error", () => other.destroy())
        .on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  const own = await listen(server, 0);
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: own,
    cut,
    mend: () => {
      isCut = false;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Starts so many processes of one bot, each with the roles given, on one PostgreSQL, behind a balancer that GitHub's webhooks go
 * through: a connection goes to the next process that answers.
 */
export async function startCluster(
  ground: Ground,
  processes: readonly { readonly storeUrl: string; readonly role?: string }[],
): Promise<Cluster> {
  const operator = JSON.parse(readFileSync(ground.configFile, "utf8"));
  const members: Member[] = [];
  for (const [index, { storeUrl, role }] of processes.entries()) {
    const port = await freePort();
    const configFile = join(dirname(ground.configFile), `process-${index}.yml`);
    const config = { ...operator, server: { host: "127.0.0.1", port }, store: { url: storeUrl } };
    writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
    const member: Member = {
      port,
      configFile,
      bot: undefined,
      start: async () => {
        member.bot = await startBotProcess({ configFile, port }, role === undefined ? {} : { args: ["--role", role] });
      },
      kill: async () => {
        const { bot } = member;
        member.bot = undefined;
        await bot?.signal("SIGKILL");
      },
    };
    members.push(member);
  }
  await Promise.all(members.map((member) => member.start()));
  const balancer = createServer(createBalancer(members.filter((_, index) => takesWebhooks(processes[index]?.role))));
  await listen(balancer, ground.port);
  return {
    members,
    close: async () => {
      await Promise.all(members.map((member) => member.kill()));
      await new Promise((resolve) => {
        balancer.close(resolve);
      });
    },
  };
}

const takesWebhooks = (role: string | undefined): boolean => role === undefined || role.includes("web");

function createBalancer(members: readonly Member[]): (near: Socket) => void {
  let turn = 0;
  return (near) => {
    near.on("error", () => near.destroy());
    const dial = (triesLeft: number): void => {
      const member = members[turn++ % members.length];
      if (!member || triesLeft === 0) return void near.destroy();
      const far = connect({ port: member.port, host: "127.0.0.1", noDelay: true });
      far.once("error", () => {
        if (far.bytesWritten === 0 && far.bytesRead === 0) dial(triesLeft - 1);
        else near.destroy();
      });
      far.once("connect", () => {
        near.pipe(far).pipe(near);
        near.on("close", () => far.destroy());
        far.on("close", () => near.destroy());
      });
    };
    dial(members.length);
  };
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return address.port;
}

/** Has GitHub send again what nobody took with 2xx, as its page or catch-up would. */
export async function redeliverLost({ github }: Ground): Promise<void> {
  await github.settled();
  const all = github.deliveries();
  const arrived = new Set(all.filter(({ status }) => status === 202).map(({ guid }) => guid));
  const lost = new Set(all.map(({ guid }) => guid).filter((guid) => !arrived.has(guid)));
  for (const guid of lost) await github.redeliver(guid);
}

/** Numbers from 0 to 1 that look random and are the same for a seed. */
export function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Kills one of `mayDie` at random every so often and starts it again at once, until told to stop; counts the kills. */
export function keepKilling(
  mayDie: () => readonly Member[],
  chance: () => number,
  everyMs: number,
): { readonly stop: () => Promise<number> } {
  let isOver = false;
  let kills = 0;
  const starting = new Set<Promise<void>>();
  const killing = (async () => {
    for (;;) {
      await sleep(everyMs);
      const up = mayDie().filter(({ bot }) => bot !== undefined);
      const victim = up[Math.floor(chance() * up.length)];
      if (isOver) return;
      if (!victim) continue;
      await victim.kill();
      kills++;
      const start = victim.start().finally(() => starting.delete(start));
      starting.add(start);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await killing;
      await Promise.all(starting);
      return kills;
    },
  };
}
