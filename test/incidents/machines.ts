import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bash, type Command, decodeBytesToUtf8, defineCommand, getCommandNames } from "just-bash";
import { withJobs } from "../../demo/sandbox/jobs.ts";
import { createKeys, startSshServer } from "../../demo/sandbox/ssh-server.ts";
import { unwrap, words } from "../../demo/sandbox/wrapper.ts";
import type { Failed, Form, Incident } from "./engineer.ts";
import { incidents } from "./incidents.ts";

/** What any Linux server says to looks that no incident is about. */
const anywhere: readonly Form[] = [
  [/^(?:uptime|w)\b/, " 14:12:09 up 3 days,  4:11,  1 user,  load average: 0.41, 0.38, 0.35\n"],
  [/^uname/, "Linux 6.1.0-28-amd64 x86_64 GNU/Linux\n"],
  [/^timedatectl/, "System clock synchronized: yes\n              NTP service: active\n"],
  [
    /^free\b/,
    "               total        used        free   available\nMem:            7955        2310        3102        5204\n",
  ],
  [
    /^df\b.*-\w*i/,
    "Filesystem      Inodes  IUsed   IFree IUse% Mounted on\n/dev/vda2      2621440 181220 2440220    7% /\n",
  ],
  [/^df\b/, "Filesystem      Size  Used Avail Use% Mounted on\n/dev/vda2        40G   11G   27G   29% /\n"],
  [/^(?:dmesg|journalctl (?:.* )?(?:-k|--dmesg))\b/, "-- No entries --\n"],
  [/^journalctl\b.*(?:--disk-usage)/, "Archived and active journals take up 512.0M in the file system.\n"],
  [/^journalctl\b/, "-- No entries --\n"],
  [/^systemctl (?:--failed|list-units .*--state=failed)/, "0 loaded units listed.\n"],
  [/^systemctl (?:list-timers)/, "NEXT LEFT LAST PASSED UNIT ACTIVATES\n0 timers listed.\n"],
  [
    /^(?:vmstat|iostat|mpstat|sar)\b/,
    "r b swpd free buff cache si so bi bo in cs us sy id wa st\n1 0 0 3102 120 2011 0 0 2 9 311 502 3 1 96 0 0\n",
  ],
  [/^git\b.* log/, ""],
];

/** Programs that answer only by a table; those of the library (grep, sed, cat, ...) work on the incident's files otherwise. */
const programs =
  "apt certbot crictl crontab curl df dig dmesg docker dpkg du free kill fuser getent git haproxy helm host ionice iostat ip ipcs journalctl kubectl last logrotate lsblk lsof mount mpstat nc netstat nginx nslookup openssl pg_isready pgrep php ping pidof postqueue ps psql rabbitmqctl rabbitmq-diagnostics redis-cli resolvectl sar service ss ssh swapon sysctl systemctl systemd-analyze systemd-cgtop timedatectl top ulimit uname unbound-control uptime vmstat w wget who".split(
    " ",
  );
const names = [...new Set([...programs, ...getCommandNames()])];

interface Answer {
  readonly out: string;
  readonly exit: number;
}
const answerOf = (said: string | Failed): Answer => (typeof said === "string" ? { out: said, exit: 0 } : said);

/** How the incident's machines answer whatever is sent, and what they remember. */
export function createAnswers({ machines, forms, files }: Pick<Incident, "machines" | "forms" | "files">) {
  const did: string[] = [];
  const unknown: string[] = [];
  /** Whether these have run, in this order and with others between. */
  const ran = (...commands: readonly string[]): boolean =>
    commands.reduce((from, command) => (from < 0 ? from : did.indexOf(command, from) + 1 || -1), 0) >= 0;
  const known = (command: string): Answer | undefined => {
    const said = machines(ran)[command];
    if (said === undefined) return undefined;
    // What it says is what it did: a change is answered by what it has made of the machine.
    did.push(command);
    return answerOf(machines(ran)[command] ?? said);
  };
  const piece = (line: string, stdin: string): Answer | undefined => {
    const same = Object.keys(machines(ran)).find((command) => words(command)?.join(" ") === line);
    if (same !== undefined) return known(same);
    const [, said] = [...(forms?.(ran) ?? []), ...anywhere].find(([form]) => form.test(line)) ?? [];
    if (said === undefined) return undefined;
    if (typeof said === "function") return answerOf(said(stdin));
    return typeof said === "object" && "as" in said ? known(said.as) : answerOf(said);
  };
  const asCommand = (name: string): Command =>
    defineCommand(name, async (args, context) => {
      const line = [name, ...args].join(" ");
      if (name === "sudo") {
        const quoted = args
          .filter((word, at) => at > 0 || !word.startsWith("-"))
          .map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
        return (
          (await context.exec?.(quoted.join(" "), { cwd: context.cwd })) ?? { stdout: "", stderr: "", exitCode: 126 }
        );
      }
      const said = piece(line, decodeBytesToUtf8(context.stdin));
      if (said) return { stdout: said.out, stderr: "", exitCode: said.exit };
      const result = await context.origCommand?.([...args]);
      if (result?.stderr !== "") unknown.push(line);
      return (
        result ?? {
          stdout: "",
          stderr: /^systemctl (?:status|show|cat) (\S+)/.test(line) ? "Unit could not be found.\n" : "",
          exitCode: 1,
        }
      );
    });
  return {
    ran,
    /** Commands that no table knew: answered as by a machine where there is nothing of the kind. */
    unknown,
    answer: async (script: string): Promise<Answer> => {
      const whole = known(script);
      if (whole) return whole;
      const shell = new Bash({
        files: { ...files?.(ran) },
        cwd: "/",
        customCommands: ["sudo", ...names].map(asCommand),
        defenseInDepth: false,
      });
      const { stdout, stderr, exitCode } = await shell.exec(script);
      return { out: stdout + stderr, exit: exitCode };
    },
  };
}

/** A time of a query: seconds, or as RFC 3339. */
const secondsOf = (text: string | null): number | undefined =>
  text === null ? undefined : /^[\d.]+$/.test(text) ? Number(text) : Date.parse(text) / 1_000;

/** A Prometheus that answers by the incident's table, as its API documents. */
async function startMetrics(
  { metrics }: Incident,
  given: {
    readonly ran: Ran;
    readonly asked: (query: string) => void;
    readonly unknown: string[];
    readonly showed: (text: string) => void;
  },
) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const form = new URLSearchParams(text || (request.url?.split("?")[1] ?? ""));
    const query = form.get("query") ?? "";
    const isRange = request.url?.includes("query_range") ?? false;
    const series = metrics?.(query, given.ran) ?? [];
    if (query !== "vector(1)") {
      given.asked(query);
      if (series.length === 0) given.unknown.push(query);
    }
    const end = secondsOf(form.get("end") ?? form.get("time")) ?? Date.now() / 1_000;
    const start = secondsOf(form.get("start")) ?? end;
    const step = Number.parseFloat(form.get("step") ?? "60") || 60;
    const times = Array.from(
      { length: Math.min(1_000, Math.floor((end - start) / step) + 1) },
      (_, at) => start + at * step,
    );
    const point = (at: (minutesAgo: number) => number, time: number) => [
      time,
      String(at((Date.now() / 1_000 - time) / 60)),
    ];
    const result = series.map(({ labels, at }) =>
      isRange
        ? { metric: labels, values: times.map((time) => point(at, time)) }
        : { metric: labels, value: point(at, end) },
    );
    given.showed(JSON.stringify(result));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ status: "success", data: { resultType: isRange ? "matrix" : "vector", result } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
type Ran = ReturnType<typeof createAnswers>["ran"];

/** One imagined machine behind every name: it answers by the incident's table and remembers what has run. */
export async function startMachines(incident: Incident, showed: (output: string) => void) {
  const client = createKeys();
  const host = createKeys();
  const folder = mkdtempSync(join(tmpdir(), "countersign-incident-"));
  const key_file = join(folder, "ssh_key");
  writeFileSync(key_file, client.privateKey, { mode: 0o600 });
  const log: string[] = [];
  const { answer, ran, unknown } = createAnswers(incident);
  const server = await startSshServer({
    hostKey: host.privateKey,
    clientKey: client.privateKey,
    user: "ops",
    serve: withJobs(async (exec, { stdin, stdout }) => {
      const { script } = unwrap(exec, stdin);
      log.push(script);
      const { exit, out } = await answer(script);
      showed(out);
      stdout(Buffer.from(out));
      return exit;
    }),
  });
  const metrics = incident.metrics
    ? await startMetrics(incident, { ran, unknown, showed, asked: (query) => log.push(query) })
    : undefined;
  const entry = { host: "127.0.0.1", port: server.port, user: "ops", os: "linux", key_file, host_key: host.publicKey };
  return {
    log,
    unknown,
    isSolved: () => incident.isSolved(ran),
    entries: Object.fromEntries(
      incidents.flatMap(({ servers }) =>
        Object.entries(servers).map(([name, description]) => [name, { ...entry, description }]),
      ),
    ),
    sources: metrics ? { prom: { kind: "prometheus", url: metrics.url, description: "metrics of all servers" } } : {},
    close: async () => {
      await metrics?.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
