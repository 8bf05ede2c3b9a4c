import { faultTime } from "../../fault-time.ts";
import { day, minute, second, timeOfDay } from "../clock.ts";
import { gib, kib, mib, type Volume } from "../disk.ts";
import { daemon, type HttpAnswer, isActive, type JournalLine, type Machine } from "../machine.ts";
import { createMachine, journalFiles, rootVolume } from "./base.ts";

const debugLog = "/var/log/checkout/debug.log";
const unit = "checkout-api.service";
const neededBytes = 64 * mib;

const varVolume: Volume = {
  device: "/dev/vdb1",
  mount: "/var",
  type: "ext4",
  sizeBytes: 39.2 * gib,
  otherBytes: 0,
  inodes: 2_621_440,
};

const config = `listen = "0.0.0.0:8080"
wal_dir = "/var/lib/checkout"
log_file = "${debugLog}"
# 1a2b3c: raised while looking into the coupon bug, remove again
log_level = "debug"
`;

const unitFile = `[Unit]
Description=Checkout API
After=network-online.target

[Service]
User=checkout
ExecStart=/opt/checkout/current/bin/checkout-api --config /etc/checkout/checkout.toml
Restart=on-failure

[Install]
WantedBy=multi-user.target
`;

const noSpaceLine = "write /var/lib/checkout/wal: no space left on device";

/** Five failed starts in a row, then systemd gives up: what the journal holds when somebody first looks. */
const failures = (fault: Date): readonly JournalLine[] => {
  const line = (offsetMs: number, over: Pick<JournalLine, "source" | "text"> & Partial<JournalLine>): JournalLine => ({
    at: new Date(fault.getTime() + offsetMs),
    unit,
    pid: over.source === "systemd" ? 1 : 311,
    severity: "info",
    ...over,
  });
  const crash = (offsetMs: number, pid: number, restart: number): readonly JournalLine[] => [
    line(offsetMs, { source: "checkout-api", pid, severity: "err", text: noSpaceLine }),
    line(offsetMs + 5, {
      source: "checkout-api",
      pid,
      severity: "crit",
      text: "fatal: cannot append to the write-ahead log, giving up",
    }),
    line(offsetMs + 40, {
      source: "systemd",
      severity: "notice",
      text: `${unit}: Main process exited, code=exited, status=1/FAILURE`,
    }),
    line(offsetMs + 41, { source: "systemd", severity: "warning", text: `${unit}: Failed with result 'exit-code'.` }),
    line(offsetMs + 150, {
      source: "systemd",
      text: `${unit}: Scheduled restart job, restart counter is at ${restart}.`,
    }),
  ];
  return [
    line(-9 * minute, { source: "systemd", text: `Started ${unit} - Checkout API.` }),
    line(-9 * minute + 80, { source: "checkout-api", text: "release 1a2b3c, log level debug, listening on :8080" }),
    line(-2 * minute, {
      source: "checkout-api",
      severity: "warning",
      text: "log volume: 31 MB/s, 4 minutes of space left on /var",
    }),
    line(-20 * second, {
      source: "kernel",
      unit: "kernel",
      pid: 0,
      severity: "warning",
      text: "EXT4-fs warning (device vdb1): ext4_da_writepages: no space left",
    }),
    ...[0, 1, 2, 3, 4].flatMap((n) => crash(11 * second + n * 6 * second, 311, n + 1)),
    line(45 * second, { source: "systemd", severity: "warning", text: `${unit}: Start request repeated too quickly.` }),
    line(45 * second + 1, { source: "systemd", severity: "err", text: `Failed to start ${unit} - Checkout API.` }),
  ];
};

const nginxError = (fault: Date): string =>
  [12, 13, 15, 18, 44]
    .map((s) => {
      const at = new Date(fault.getTime() + s * second);
      return `${at.toISOString().slice(0, 10).replaceAll("-", "/")} ${timeOfDay(at)} [error] 702#702: *99${s} connect() failed (111: Connection refused) while connecting to upstream, client: 10.1.4.${s}, server: shop.acme.example, request: "POST /checkout HTTP/1.1", upstream: "http://127.0.0.1:8080/checkout"`;
    })
    .join("\n");

const debugTail = (fault: Date): string =>
  Array.from({ length: 40 }, (_, i) => {
    const at = new Date(fault.getTime() - (40 - i) * 250);
    return `${at.toISOString()} DEBUG cart=${7000 + i} coupon.evaluate rule=${i % 7} basket={"items":${(i % 5) + 1},"total":"${19 + i}.90"} took=${(i % 9) + 1}ms`;
  }).join("\n");

const answer = (machine: Machine, url: URL): HttpAnswer | undefined => {
  const up = isActive(machine, unit);
  const json = (status: number, body: unknown): HttpAnswer => ({
    status,
    body: `${JSON.stringify(body)}\n`,
    type: "application/json",
  });
  const health = url.pathname === "/health" || url.pathname === "/healthz";
  const local = ["localhost", "127.0.0.1", machine.name, machine.address, "shop.acme.example"].includes(url.hostname);
  if (!local) return undefined;
  const fromApi = (): HttpAnswer =>
    health ? json(200, { status: "ok", release: "1a2b3c" }) : json(404, { error: "not found" });
  if (url.port === "8080") return up ? fromApi() : undefined;
  if (url.port === "9100") return { status: 200, body: "# node_exporter\n", type: "text/plain" };
  if (url.port !== "" || !isActive(machine, "nginx.service")) return undefined;
  const badGateway =
    "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>\n";
  return up ? fromApi() : { status: 502, body: badGateway, type: "text/html" };
};

/** web-1: a debug log has filled /var, and checkout-api cannot start until there is room again. */
export const createWeb1 = async (startedAt: Date): Promise<Machine> => {
  const fault = faultTime(startedAt);
  const machine = await createMachine({
    name: "web-1",
    address: "10.0.0.11",
    startedAt,
    upDays: 41,
    load: [0.31, 0.44, 0.62],
    volumes: [rootVolume, varVolume],
    http: answer,
    journal: failures(fault),
    services: [
      daemon({
        unit,
        description: "Checkout API",
        command: "/opt/checkout/current/bin/checkout-api --config /etc/checkout/checkout.toml",
        pid: 311,
        since: new Date(fault.getTime() + 45 * second),
        state: "failed",
        user: "checkout",
        memoryBytes: 211 * mib,
        ports: [8080],
        greeting: [
          "replayed 214 entries of the write-ahead log",
          "release 1a2b3c, log level debug, listening on :8080",
        ],
        obstacles: async ({ disk }) =>
          (await disk.freeBytes("/var/lib/checkout")) < neededBytes
            ? [noSpaceLine, "fatal: cannot append to the write-ahead log, giving up"]
            : [],
      }),
      daemon({
        unit: "nginx.service",
        description: "A high performance web server and a reverse proxy server",
        command: "nginx: master process /usr/sbin/nginx",
        pid: 702,
        since: new Date(startedAt.getTime() - 12 * day),
        ports: [80, 443],
        canReload: true,
        memoryBytes: 14 * mib,
        cpuSeconds: 902,
      }),
    ],
  });
  const { place, usage } = machine.disk;
  const recently = new Date(fault.getTime() - 10 * minute);
  await place({ path: "/etc/checkout/checkout.toml", text: config, modifiedAt: recently });
  await place({ path: `/etc/systemd/system/${unit}`, text: unitFile });
  await place({ path: "/etc/logrotate.d/checkout", text: `${debugLog} {\n  daily\n  rotate 0\n  missingok\n}\n` });
  await place({
    path: "/opt/checkout/releases/1a2b3c/bin/checkout-api",
    text: "\u007fELF",
    sizeBytes: 18 * mib,
    modifiedAt: recently,
  });
  await place({ path: "/opt/checkout/releases/09f8e7/bin/checkout-api", text: "\u007fELF", sizeBytes: 18 * mib });
  await machine.disk.fs.symlink("/opt/checkout/releases/1a2b3c", "/opt/checkout/current");
  await place({ path: "/var/lib/checkout/wal", text: "WAL1", sizeBytes: 48 * mib, modifiedAt: fault });
  await place({ path: "/var/lib/dpkg/status", text: "Package: nginx\n", sizeBytes: 3 * mib });
  await place({ path: "/var/cache/apt/pkgcache.bin", text: "", sizeBytes: 61 * mib });
  await place({
    path: "/var/log/checkout/access.log",
    text: "10.1.4.2 POST /checkout 502\n",
    sizeBytes: 412 * mib,
    modifiedAt: fault,
  });
  await place({
    path: "/var/log/nginx/access.log",
    text: "10.1.4.2 POST /checkout 502\n",
    sizeBytes: 230 * mib,
    modifiedAt: fault,
  });
  await place({ path: "/var/log/nginx/error.log", text: `${nginxError(fault)}\n`, modifiedAt: fault });
  await place({ path: "/var/log/syslog", text: "", sizeBytes: 88 * mib });
  await journalFiles(machine);
  // The log takes whatever is left: the volume is full to the last block.
  const before = (await usage()).find((u) => u.volume.mount === "/var");
  await place({
    path: debugLog,
    text: `${debugTail(fault)}\n`,
    sizeBytes: (before?.availableBytes ?? 0) - 4 * kib,
    modifiedAt: fault,
  });
  await place({ path: "/var/log/lastlog", text: "", sizeBytes: 4 * kib });
  return machine;
};
