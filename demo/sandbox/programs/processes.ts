import { age, day, minute, timeOfDay } from "../clock.ts";
import { kib, mib } from "../disk.ts";
import type { Machine, Service } from "../machine.ts";
import { fail, human, type Program, readArgs, say, table } from "../program.ts";
import { stopService } from "../services.ts";

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly user: string;
  readonly cpu: number;
  readonly bytes: number;
  readonly startedAt: Date;
  readonly command: string;
  readonly service?: Service;
}

const processes = (machine: Machine): readonly Process[] => {
  const system = (pid: number, command: string, bytes: number): Process => ({
    pid,
    parent: pid === 1 ? 0 : 1,
    user: "root",
    cpu: 0,
    bytes,
    startedAt: machine.bootedAt,
    command,
  });
  const running = [...machine.services.values()].filter((s) => s.state === "active" && s.kind === "daemon");
  return [
    system(1, "/sbin/init", 12 * mib),
    system(2, "[kthreadd]", 0),
    system(231, "/lib/systemd/systemd-journald", 48 * mib),
    ...running.map((service) => ({
      pid: service.pid,
      parent: 1,
      user: service.user,
      cpu: Math.min(
        99,
        (service.cpuSeconds * 100_000) / Math.max(60_000, machine.now().getTime() - service.since.getTime()),
      ),
      bytes: service.memoryBytes,
      startedAt: service.since,
      command: service.command,
      service,
    })),
  ].sort((a, b) => a.pid - b.pid);
};

type Column = readonly [title: string, value: (process: Process, machine: Machine) => string, number: boolean];
const share = (part: number, whole: number): string => ((part / whole) * 100).toFixed(1);
const columns: Readonly<Record<string, Column>> = {
  user: ["USER", (p) => p.user, false],
  pid: ["PID", (p) => String(p.pid), true],
  ppid: ["PPID", (p) => String(p.parent), true],
  pcpu: ["%CPU", (p) => p.cpu.toFixed(1), true],
  pmem: ["%MEM", (p, m) => share(p.bytes, m.memory.totalBytes), true],
  rss: ["RSS", (p) => String(Math.round(p.bytes / kib)), true],
  vsz: ["VSZ", (p) => String(Math.round((p.bytes * 3) / kib)), true],
  stat: ["STAT", () => "Ss", false],
  tty: ["TTY", () => "?", false],
  start: ["START", (p) => timeOfDay(p.startedAt).slice(0, 5), false],
  etime: ["ELAPSED", (p, m) => age(m.now().getTime() - p.startedAt.getTime()), true],
  time: ["TIME", (p) => `0:${String(Math.floor((p.service?.cpuSeconds ?? 3) % 60)).padStart(2, "0")}`, true],
  comm: ["COMMAND", (p) => p.command.split(" ")[0]?.split("/").at(-1) ?? "", false],
  args: ["COMMAND", (p) => p.command, false],
};
const aliases: Readonly<Record<string, string>> = {
  cmd: "args",
  command: "args",
  "%cpu": "pcpu",
  "%mem": "pmem",
  uid: "user",
  euser: "user",
  tname: "tty",
  lstart: "start",
};

const sortValue = (process: Process, key: string): number =>
  /mem|rss|vsz/.test(key) ? process.bytes : /cpu/.test(key) ? process.cpu : process.pid;

/** `ps`: aux, -ef, -eo, --sort, -C, -p. */
export const ps: Program = (args, { machine }) => {
  const { text } = readArgs(args, {
    format: { type: "string", short: "o" },
    sort: { type: "string" },
    pid: { type: "string", short: "p" },
    command: { type: "string", short: "C" },
  });
  const clustered = args.findIndex((a) => /^-?[a-z]*o$/i.test(a) && a !== "-o");
  const format = clustered >= 0 ? args[clustered + 1] : text("format");
  const names =
    format?.split(/[, ]+/).map((name) => name.split("=")[0]?.toLowerCase() ?? "") ??
    (args.some((a) => a.includes("u"))
      ? ["user", "pid", "pcpu", "pmem", "vsz", "rss", "tty", "stat", "start", "time", "args"]
      : ["user", "pid", "ppid", "start", "tty", "time", "args"]);
  const chosen = names.map((name) => columns[aliases[name] ?? name]).filter((c) => c !== undefined);
  if (chosen.length === 0) return fail("error: unknown user-defined format specifier", 1);
  const key = text("sort") ?? "pid";
  const direction = key.startsWith("-") ? -1 : 1;
  const wanted = text("pid")?.split(",");
  const rows = processes(machine)
    .filter(
      (p) =>
        (!wanted || wanted.includes(String(p.pid))) &&
        (!text("command") || p.command.split(" ")[0]?.endsWith(`/${text("command")}`)),
    )
    .toSorted((a, b) => (sortValue(a, key) - sortValue(b, key)) * direction)
    .map((p) => chosen.map(([, value]) => value(p, machine)));
  return {
    ...say(
      table(
        [chosen.map(([title]) => title), ...rows],
        chosen.flatMap(([, , number], i) => (number ? [i] : [])),
      ),
    ),
    exitCode: rows.length > 0 ? 0 : 1,
  };
};

const usersAndLoad = (machine: Machine): string => {
  const up = machine.now().getTime() - machine.bootedAt.getTime();
  const clock = new Date(up % day).toISOString().slice(11, 16).replace(/^0/, "");
  return `${timeOfDay(machine.now())} up ${Math.floor(up / day)} days, ${clock},  1 user,  load average: ${machine.load.map((n) => n.toFixed(2)).join(", ")}`;
};
export const uptime: Program = (args, { machine }) =>
  args.includes("-p")
    ? say(`up ${age(machine.now().getTime() - machine.bootedAt.getTime())}`)
    : say(` ${usersAndLoad(machine)}`);

const memory = (machine: Machine) => {
  const running = processes(machine).reduce((sum, p) => sum + p.bytes, 0);
  const used = running + machine.memory.baseBytes;
  const { totalBytes: total, cacheBytes: cache } = machine.memory;
  return { total, used, free: total - used - cache, cache, available: total - used };
};

/** `free`, in KiB unless -m, -g or -h. */
export const free: Program = (args, { machine }) => {
  const { has } = readArgs(args, {
    human: { type: "boolean", short: "h" },
    mega: { type: "boolean", short: "m" },
    giga: { type: "boolean", short: "g" },
    bytes: { type: "boolean", short: "b" },
  });
  const show = (bytes: number): string =>
    has("human")
      ? `${human(bytes)}i`
      : String(Math.round(bytes / (has("bytes") ? 1 : has("mega") ? mib : has("giga") ? mib * 1024 : kib)));
  const m = memory(machine);
  const zero = has("human") ? "0B" : "0";
  return say(
    table(
      [
        ["", "total", "used", "free", "shared", "buff/cache", "available"],
        ["Mem:", ...[m.total, m.used, m.free, 2 * mib, m.cache, m.available].map(show)],
        ["Swap:", zero, zero, zero, "", "", ""],
      ],
      [1, 2, 3, 4, 5, 6],
    ),
  );
};

/** `top -b`: a header and the processes by CPU. */
export const top: Program = (args, { machine }) => {
  const m = memory(machine);
  const all = processes(machine).toSorted((a, b) => b.cpu - a.cpu);
  const show = (bytes: number): string => (bytes / mib).toFixed(1);
  const names = ["pid", "user", "rss", "stat", "pcpu", "pmem", "time", "comm"];
  const chosen = names.flatMap((name) => [columns[name]].filter((c) => c !== undefined));
  if (args.length > 0 && !args.some((a) => a.includes("b"))) return fail("top: failed tty get");
  return say(
    `top - ${usersAndLoad(machine)}\nTasks: ${all.length} total,   1 running, ${all.length - 1} sleeping,   0 stopped,   0 zombie\n` +
      `MiB Mem : ${show(m.total)} total, ${show(m.free)} free, ${show(m.used)} used, ${show(m.cache)} buff/cache\n\n` +
      table([chosen.map(([t]) => t), ...all.map((p) => chosen.map(([, value]) => value(p, machine)))], [0, 2, 4, 5, 6]),
  );
};

/** `kill`: ends a service's process; systemd then shows it as stopped. */
export const kill: Program = async (args, { machine }) => {
  const pids = args.filter((a) => /^\d+$/.test(a)).map(Number);
  if (pids.length === 0)
    return fail("kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]", 2);
  for (const pid of pids) {
    const found = processes(machine).find((p) => p.pid === pid);
    if (!found) return fail(`bash: kill: (${pid}) - No such process`);
    if (!found.service) return fail(`bash: kill: (${pid}) - Operation not permitted`);
    if (!args.includes("-0")) await stopService(machine, found.service);
  }
  return say("");
};

/** `pgrep`, with -a and -f. */
export const pgrep: Program = (args, { machine }) => {
  const pattern = args.find((a) => !a.startsWith("-")) ?? "";
  const found = processes(machine).filter((p) => p.command.includes(pattern));
  const full = args.some((a) => /^-.*[al]/.test(a));
  return {
    ...say(found.map((p) => (full ? `${p.pid} ${p.command}` : String(p.pid))).join("\n")),
    exitCode: found.length > 0 ? 0 : 1,
  };
};

/** `vmstat`: one line since boot, then one for each further sample asked for. */
export const vmstat: Program = async (args, { machine, pause }) => {
  const [interval = 0, count = 1] = args.filter((a) => /^\d+$/.test(a)).map(Number);
  const m = memory(machine);
  const row = ` 1  0      0 ${Math.round(m.free / kib)} 102400 ${Math.round(m.cache / kib)}    0    0     4    61  212  418  ${Math.round(machine.load[0] * 4)}  1 ${94 - Math.round(machine.load[0] * 4)}  5  0`;
  const rows = [row];
  while (rows.length < Math.min(count, 60) && !(await pause(Math.min(interval * 1000, minute)))) rows.push(row);
  return say(
    `procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n${rows.join("\n")}`,
  );
};
