import { day, hour, minute } from "../clock.ts";
import { createDisk, gib, kib, mib, type Volume } from "../disk.ts";
import { daemon, type JournalLine, type Machine, type Service } from "../machine.ts";

const osRelease = `PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
NAME="Debian GNU/Linux"
VERSION_ID="12"
VERSION="12 (bookworm)"
ID=debian
`;

const tmpfs = (mount: string, sizeBytes: number): Volume => ({
  device: "tmpfs",
  mount,
  type: "tmpfs",
  sizeBytes,
  otherBytes: 0,
  inodes: 250_000,
});

export interface Base {
  readonly name: string;
  readonly address: string;
  readonly startedAt: Date;
  readonly upDays: number;
  readonly load: readonly [number, number, number];
  readonly volumes: readonly Volume[];
  readonly services: readonly Service[];
  readonly journal: readonly JournalLine[];
  readonly http: (machine: Machine, url: URL) => ReturnType<Machine["http"]>;
  readonly connections?: Machine["connections"];
  readonly programs?: Machine["programs"];
}

export const rootVolume: Volume = {
  device: "/dev/vda1",
  mount: "/",
  type: "ext4",
  sizeBytes: 20 * gib,
  otherBytes: 6.1 * gib,
  inodes: 1_310_720,
};

/** A Debian server with the daemons each has, a journal and the usual files; the machine's own parts come on top. */
export const createMachine = async (base: Base): Promise<Machine> => {
  const bootedAt = new Date(base.startedAt.getTime() - base.upDays * day - 3 * hour);
  const afterBoot = new Date(bootedAt.getTime() + minute / 2);
  const disk = createDisk([tmpfs("/run", 392 * mib), ...base.volumes, tmpfs("/dev/shm", 1.9 * gib)]);
  const common: readonly Service[] = [
    daemon({
      unit: "cron.service",
      description: "Regular background program processing daemon",
      command: "/usr/sbin/cron -f",
      pid: 612,
      since: afterBoot,
      memoryBytes: 2 * mib,
    }),
    daemon({
      unit: "ssh.service",
      description: "OpenBSD Secure Shell server",
      command: "sshd: /usr/sbin/sshd -D [listener]",
      pid: 671,
      since: afterBoot,
      ports: [22],
      canReload: true,
      memoryBytes: 9 * mib,
    }),
    daemon({
      unit: "node-exporter.service",
      description: "Prometheus Node Exporter",
      command: "/usr/local/bin/node_exporter",
      pid: 688,
      since: afterBoot,
      ports: [9100],
      user: "prometheus",
      memoryBytes: 22 * mib,
      cpuSeconds: 311,
    }),
  ];
  // Real clock from the start on, so that what a person does now is logged now.
  const machine: Machine = {
    name: base.name,
    address: base.address,
    now: () => new Date(),
    bootedAt,
    disk,
    services: new Map([...base.services, ...common].map((service) => [service.unit, service])),
    journal: [...base.journal].sort((a, b) => a.at.getTime() - b.at.getTime()),
    memory: { totalBytes: 3.8 * gib, baseBytes: 420 * mib, cacheBytes: 1.4 * gib },
    load: base.load,
    connections: base.connections ?? (() => []),
    http: (url) => base.http(machine, url),
    programs: base.programs ?? {},
  };
  const files: Readonly<Record<string, string>> = {
    "/etc/os-release": osRelease,
    "/etc/debian_version": "12.11\n",
    "/etc/hostname": `${base.name}\n`,
    "/etc/hosts": `127.0.0.1 localhost\n${base.address} ${base.name}.acme.internal ${base.name}\n`,
    "/etc/logrotate.conf": "weekly\nrotate 4\ncreate\ninclude /etc/logrotate.d\n",
    "/proc/loadavg": `${base.load.map((n) => n.toFixed(2)).join(" ")} 1/187 4711\n`,
    "/proc/uptime": `${Math.round((base.startedAt.getTime() - bootedAt.getTime()) / 1000)}.42 1234567.89\n`,
    "/proc/meminfo": `MemTotal:        ${Math.round((3.8 * gib) / kib)} kB\nMemFree:         1760312 kB\nMemAvailable:    3229480 kB\nCached:          ${Math.round((1.4 * gib) / kib)} kB\nSwapTotal:       0 kB\n`,
    "/proc/mounts": `${[rootVolume, ...base.volumes].map((v) => `${v.device} ${v.mount} ${v.type} rw,relatime 0 0`).join("\n")}\n`,
    "/etc/passwd": "root:x:0:0:root:/root:/bin/bash\nops:x:1000:1000::/home/ops:/bin/bash\n",
    "/etc/crontab": "17 * * * * root run-parts /etc/cron.hourly\n25 6 * * * root run-parts /etc/cron.daily\n",
    "/home/ops/.profile": "# ~/.profile\n",
    "/tmp/.keep": "",
  };
  for (const [path, text] of Object.entries(files)) await disk.place({ path, text, modifiedAt: afterBoot });
  return machine;
};

/** An archived and a live journal; only the archived ones give way to `--vacuum-size`. */
export const journalFiles = async (machine: Machine): Promise<void> => {
  const folder = "/var/log/journal";
  const id = "7f3c1a9e5b2d4c68";
  const sizes = [128 * mib, 128 * mib, 128 * mib, 96 * mib];
  for (const [i, sizeBytes] of sizes.entries()) {
    await machine.disk.place({ path: `${folder}/system@${id}-000${i + 1}.journal`, text: "LPKSHHRH", sizeBytes });
  }
  await machine.disk.place({ path: `${folder}/system.journal`, text: "LPKSHHRH", sizeBytes: 72 * mib + 8 * kib });
};
