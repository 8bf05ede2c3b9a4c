import type { Machine } from "../machine.ts";
import { fail, type Outcome, type Program, readArgs, say, table } from "../program.ts";

interface Socket {
  readonly state: string;
  readonly local: string;
  readonly peer: string;
  readonly process: string;
}

const sockets = (machine: Machine): readonly Socket[] => {
  const running = [...machine.services.values()].filter((s) => s.state === "active");
  const listening = running.flatMap((s) =>
    s.ports.map((port) => ({
      state: "LISTEN",
      local: `0.0.0.0:${port}`,
      peer: "0.0.0.0:*",
      process: `users:(("${s.unit.split(".")[0]}",pid=${s.pid},fd=6))`,
    })),
  );
  return [...listening, ...machine.connections().map((c) => ({ state: "ESTAB", ...c }))];
};

/** `ss` (and `netstat`): listening sockets with -l, connections without, both with -a; -p shows processes, -s sums up. */
export const ss: Program = (args, { machine }) => {
  const flags = args.filter((a) => /^-[a-z]+$/i.test(a)).join("");
  const all = sockets(machine);
  if (flags.includes("s")) {
    const established = all.filter((s) => s.state === "ESTAB").length;
    return say(
      `Total: ${all.length + 80}\nTCP:   ${all.length} (estab ${established}, closed 0, orphaned 0, timewait 0)`,
    );
  }
  const expression = args.filter((a) => !a.startsWith("-")).join(" ");
  const port = /:(\w+)/.exec(expression)?.[1]?.replace(/^postgresql$/, "5432");
  const chosen = all.filter(
    (s) =>
      (flags.includes("a") || (flags.includes("l") ? s.state === "LISTEN" : s.state === "ESTAB")) &&
      (port === undefined || s.local.endsWith(`:${port}`) || s.peer.endsWith(`:${port}`)),
  );
  const rows = chosen.map((s) => [
    s.state,
    "0",
    s.state === "LISTEN" ? "511" : "0",
    s.local,
    s.peer,
    ...(flags.includes("p") ? [s.process] : []),
  ]);
  const head = [
    "State",
    "Recv-Q",
    "Send-Q",
    "Local Address:Port",
    "Peer Address:Port",
    ...(flags.includes("p") ? ["Process"] : []),
  ];
  return say(table(flags.includes("H") ? rows : [head, ...rows], [1, 2]));
};

const localHosts = (machine: Machine): readonly string[] => [
  "localhost",
  "127.0.0.1",
  "[::1]",
  machine.name,
  machine.address,
];

/** `curl` to the machine itself; every other address is out of the sandbox and unreachable. */
export const curl: Program = (args, { machine }): Outcome => {
  const { words, has, text } = readArgs(args, {
    silent: { type: "boolean", short: "s" },
    "show-error": { type: "boolean", short: "S" },
    fail: { type: "boolean", short: "f" },
    head: { type: "boolean", short: "I" },
    include: { type: "boolean", short: "i" },
    verbose: { type: "boolean", short: "v" },
    insecure: { type: "boolean", short: "k" },
    location: { type: "boolean", short: "L" },
    output: { type: "string", short: "o" },
    "write-out": { type: "string", short: "w" },
    "max-time": { type: "string", short: "m" },
    "connect-timeout": { type: "string" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H" },
    data: { type: "string", short: "d" },
    resolve: { type: "string" },
    retry: { type: "string" },
  });
  const address = words[0];
  if (address === undefined) return fail("curl: (2) no URL specified", 2);
  const url = URL.parse(address.includes("://") ? address : `http://${address}`);
  if (!url) return fail(`curl: (3) URL rejected: Malformed input to a URL function`, 3);
  const quiet = has("silent") && !has("show-error");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const refuse = (text: string, exitCode: number): Outcome =>
    quiet ? { stdout: "", stderr: "", exitCode } : fail(text, exitCode);
  const answer = machine.http(url);
  if (!answer && !localHosts(machine).includes(url.hostname))
    return refuse(`curl: (6) Could not resolve host: ${url.hostname}`, 6);
  if (!answer)
    return refuse(
      `curl: (7) Failed to connect to ${url.hostname} port ${port} after 0 ms: Couldn't connect to server`,
      7,
    );
  if (has("fail") && answer.status >= 400)
    return refuse(`curl: (22) The requested URL returned error: ${answer.status}`, 22);
  const reason: Readonly<Record<number, string>> = {
    200: "OK",
    301: "Moved Permanently",
    404: "Not Found",
    502: "Bad Gateway",
    503: "Service Unavailable",
  };
  const head = `HTTP/1.1 ${answer.status} ${reason[answer.status] ?? ""}\r\nServer: nginx/1.22.1\r\nContent-Type: ${answer.type}\r\nContent-Length: ${answer.body.length}\r\n\r\n`;
  const shown = has("head") ? head : has("include") ? head + answer.body : answer.body;
  const body = text("output") === undefined ? shown : "";
  const extra = (text("write-out") ?? "")
    .replaceAll("%{http_code}", String(answer.status))
    .replaceAll("%{response_code}", String(answer.status))
    .replaceAll("%{time_total}", "0.004")
    .replaceAll("\\n", "\n");
  return { stdout: body + extra, stderr: "", exitCode: 0 };
};

export const ip: Program = (args, { machine }) =>
  args.some((a) => a.startsWith("r"))
    ? say(
        `default via ${machine.address.replace(/\d+$/, "1")} dev eth0 proto static\n${machine.address.replace(/\d+$/, "0")}/24 dev eth0 proto kernel scope link src ${machine.address}`,
      )
    : say(
        `1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 state UNKNOWN\n    inet 127.0.0.1/8 scope host lo\n2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 state UP\n    inet ${machine.address}/24 brd ${machine.address.replace(/\d+$/, "255")} scope global eth0`,
      );

/** `ping` reaches only the machine itself. */
export const ping: Program = async (args, { machine, pause, show }) => {
  const { words, text } = readArgs(args, {
    count: { type: "string", short: "c" },
    interval: { type: "string", short: "i" },
    timeout: { type: "string", short: "W" },
  });
  const host = words[0] ?? "";
  if (!localHosts(machine).includes(host)) return fail(`ping: ${host}: Name or service not known`, 2);
  const lines = [`PING ${host} (127.0.0.1) 56(84) bytes of data.`];
  show?.(`${lines[0]}\n`);
  for (let seq = 1; seq <= Number(text("count") ?? 3600); seq += 1) {
    const line = `64 bytes from 127.0.0.1: icmp_seq=${seq} ttl=64 time=0.03${seq % 10} ms`;
    lines.push(line);
    show?.(`${line}\n`);
    if (seq < Number(text("count") ?? 3600) && (await pause(1000))) break;
  }
  return say(show ? "" : lines.join("\n"));
};
