import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../demo/free-port.ts";
import { loadConfig } from "../../src/config/load.ts";
import { openStore, type Store } from "../../src/store/database/open.ts";
import { type Ground, type PlaygroundOptions, prepareGround } from "./playground.ts";
import { startCommand } from "./start-command.ts";
import { useStarted } from "./use-started.ts";

/** The bot as an operator starts it, in a process of its own. */
export interface BotProcess {
  readonly child: ChildProcess;
  /** The signal that ended it, or its exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  /** Sends it a signal and waits for its end. */
  readonly signal: (signal: NodeJS.Signals) => Promise<NodeJS.Signals | number | null>;
  /** What it has written to stdout so far: its log. */
  readonly log: () => string;
  /** The last of what it has said on its standard error: why it ended, where nobody wanted it to. */
  readonly said: () => string;
}

export interface BotProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Behind `start --config …`. */
  readonly args?: readonly string[];
  /** For one that is to end on its way there; else that is an error. */
  readonly mayEnd?: boolean;
}

/** Starts it and resolves once it answers on its port. */
export async function startBotProcess(
  { configFile, port }: Pick<Ground, "configFile" | "port">,
  { env = {}, args = [], mayEnd = false }: BotProcessOptions = {},
): Promise<BotProcess> {
  const child = spawn(process.execPath, [...startCommand.args, "--config", configFile, ...args], {
    cwd: startCommand.cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...env },
  });
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = `${said}${text}`.slice(-4_000);
  });
  let over = false;
  const ended = once(child, "exit").then(([code, signal]) => {
    over = true;
    return signal ?? code;
  });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!over && !(await isUp())) await sleep(20);
  if (over && !mayEnd) throw new Error(`the bot ended with ${await ended}: ${said}`);
  return {
    child,
    ended,
    signal: (signal) => {
      child.kill(signal);
      return ended;
    },
    log: () => log,
    said: () => said,
  };
}

/** Resident MB of a process, now and at most since `clear_refs` was written; not a number where the system does not tell. */
export function memoryOf({ child: { pid } }: Pick<BotProcess, "child">): {
  readonly nowMb: number;
  readonly peakMb: number;
} {
  const status = process.platform === "linux" ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
  const read = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
  return { nowMb: read("VmRSS"), peakMb: read("VmHWM") };
}

/** A process of a world: where it listens, and how it is started again and again. */
export interface Member {
  /** Nothing while it is down, or being started. */
  readonly bot: BotProcess | undefined;
  readonly start: (options?: BotProcessOptions) => Promise<BotProcess>;
  readonly end: (signal?: NodeJS.Signals) => ReturnType<BotProcess["signal"]>;
}

export interface WorldOptions extends PlaygroundOptions {
  /** Processes on one PostgreSQL behind a balancer, `isCabled` by a way that can be cut; one that listens itself unless said otherwise. */
  readonly processes?: readonly { readonly role?: string; readonly isCabled?: boolean }[];
  /** What each start is given beside the model's key. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A bot that can die, and all that it needs and that lives on: GitHub, a machine, the store. */
export interface World extends Ground {
  readonly members: readonly Member[];
  readonly cable: Cable;
  readonly isEmbedded: boolean;
  /** The process of the first, which must be up. */
  readonly bot: BotProcess;
  /** Starts whichever process is down; the first's. */
  readonly start: (options?: BotProcessOptions) => Promise<BotProcess>;
  /** Ends all; how the first ended. */
  readonly end: (signal?: NodeJS.Signals) => ReturnType<BotProcess["signal"]>;
  readonly restart: (signal?: NodeJS.Signals) => Promise<BotProcess>;
  /** One more process on its store, at a port that GitHub does not know. */
  readonly join: () => Promise<Member>;
  /** Processes that have ended though nobody ended them, and why. */
  readonly lost: readonly string[];
  /** Has GitHub send again what nobody took with 2xx, as its page or catch-up would. */
  readonly redeliver: () => Promise<void>;
  /** Looks at its store, which must be PostgreSQL while a process is up. */
  readonly look: <T>(work: (store: Store) => Promise<T>) => Promise<T>;
}

const modelKey = { TEST_MODEL_KEY: "sk-test-0123456789abcdef" };

/** Its processes are not started. */
export async function startWorld({ processes, env = {}, ...options }: WorldOptions = {}): Promise<World> {
  const ground = await prepareGround(options);
  const storeUrl = loadConfig({ file: ground.configFile, env: { ...modelKey, ...env } }).store.url;
  const isEmbedded = storeUrl.startsWith("file:");
  const cable = await startCable(isEmbedded ? 0 : Number(new URL(storeUrl).port));
  const members: Member[] = [];
  const lost: string[] = [];

  const memberAt = (place: Pick<Ground, "configFile" | "port">, args: readonly string[] = []): Member => {
    let bot: BotProcess | undefined;
    let starting: Promise<unknown> = Promise.resolve();
    const start = async (given: BotProcessOptions): Promise<BotProcess> => {
      const started = await startBotProcess(place, { args, ...given, env: { ...modelKey, ...env, ...given.env } });
      bot = started;
      void started.ended.then((how) => {
        if (bot !== started) return;
        bot = undefined;
        if (!given.mayEnd) lost.push(`a process has ended with ${how}: ${started.said()}`);
      });
      return started;
    };
    const member: Member = {
      get bot() {
        return bot;
      },
      start: (given = {}) => {
        const started = start(given);
        starting = started.catch(() => undefined);
        return started;
      },
      end: async (signal = "SIGKILL") => {
        await starting;
        const ending = bot;
        bot = undefined;
        return (await ending?.signal(signal)) ?? null;
      },
    };
    members.push(member);
    return member;
  };
  const operator = JSON.parse(readFileSync(ground.configFile, "utf8"));
  /** With a config and a port of its own. */
  const addMember = async ({
    role,
    isCabled,
  }: NonNullable<WorldOptions["processes"]>[number]): Promise<[Member, number]> => {
    const port = await freePort();
    const configFile = join(dirname(ground.configFile), `process-${members.length}.yml`);
    const store = isCabled ? { url: storeUrl.replace(/:\d+\//, `:${cable.port}/`) } : operator.store;
    const config = { ...operator, server: { ...operator.server, port }, store };
    writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
    return [memberAt({ configFile, port }, role === undefined ? [] : ["--role", role]), port];
  };

  let balancer: Server | undefined;
  if (processes) {
    const ports: number[] = [];
    for (const one of processes) {
      const [, port] = await addMember(one);
      if (one.role === undefined || one.role.includes("web")) ports.push(port);
    }
    balancer = createServer(createBalancer(ports));
    await listen(balancer, ground.port);
  } else memberAt(ground);

  const first = (bots: readonly (BotProcess | undefined)[]): BotProcess => {
    const [bot] = bots;
    if (!bot) throw new Error("no process of the bot is up");
    return bot;
  };
  const start = async (given?: BotProcessOptions): Promise<BotProcess> =>
    first(await Promise.all(members.map((member) => member.bot ?? member.start(given))));
  const end: World["end"] = async (signal) => {
    const [how = null] = await Promise.all(members.map((member) => member.end(signal)));
    return how;
  };
  const redeliver = async (): Promise<void> => {
    await ground.github.settled();
    const all = ground.github.deliveries();
    const arrived = new Set(all.filter(({ status }) => status === 202).map(({ guid }) => guid));
    const missed = new Set(all.map(({ guid }) => guid).filter((guid) => !arrived.has(guid)));
    for (const guid of missed) await ground.github.redeliver(guid);
  };
  return {
    ...ground,
    members,
    cable,
    isEmbedded,
    get bot() {
      return first(members.map(({ bot }) => bot));
    },
    start,
    end,
    restart: async (signal) => {
      await end(signal);
      return start();
    },
    join: async () => (await addMember({}))[0],
    lost,
    redeliver,
    look: async (work) => {
      const store = await openStore(storeUrl);
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    close: async () => {
      await end();
      await new Promise((resolve) => (balancer ? balancer.close(resolve) : resolve(undefined)));
      await ground.close();
      await cable.close();
    },
  };
}

/** A world for the tests of a suite, whose processes are up, and which is closed behind them. */
export const useWorld = (options: () => WorldOptions | Promise<WorldOptions> = () => ({})): World =>
  useStarted(async () => {
    const world = await startWorld(await options());
    await world.start();
    return world;
  });

/** A way to another port that can be cut: every connection goes, and none comes to be, until it is mended. */
interface Cable {
  readonly port: number;
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

async function startCable(port: number): Promise<Cable> {
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

/** A connection goes to the next port that answers. */
function createBalancer(ports: readonly number[]): (near: Socket) => void {
  let turn = 0;
  return (near) => {
    near.on("error", () => near.destroy());
    const dial = (triesLeft: number): void => {
      const port = ports[turn++ % ports.length];
      if (port === undefined || triesLeft === 0) return void near.destroy();
      const far = connect({ port, host: "127.0.0.1", noDelay: true });
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
    dial(ports.length);
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return address.port;
}
