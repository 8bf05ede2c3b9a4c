import { fail, type Program, say } from "../program.ts";

/** Programs that people try while they look round, and that have little to say here. */
export const crontab: Program = (args) =>
  args.includes("-l") ? fail("no crontab for ops") : fail("crontab: the sandbox keeps no crontab");

export const last: Program = (_args, { machine }) =>
  say(
    `ops      pts/0        10.0.0.5         ${machine.now().toUTCString().slice(0, 11)} 09:12   still logged in\nreboot   system boot  6.1.0-37-amd64   ${machine.bootedAt.toUTCString().slice(0, 11)} still running`,
  );

export const iostat: Program = (_args, { machine }) =>
  machine.disk.usage().then((usages) => {
    const devices = usages.map(({ volume }) => volume.device).filter((device) => device.startsWith("/dev/"));
    const rows = devices.map((device) => `${device.slice(5).padEnd(12)}  3.10        18.22        61.40`);
    return say(
      `avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           4.10    0.00    1.20    0.30    0.00   94.40\n\nDevice        tps    kB_read/s    kB_wrtn/s\n${rows.join("\n")}`,
    );
  });

/** Names inside the imagined network; nothing leaves the machine. */
const addresses: Readonly<Record<string, string>> = {
  "web-1": "10.0.0.11",
  "web-2": "10.0.0.12",
  "db-1": "10.0.0.20",
  "shop.acme.example": "203.0.113.10",
  localhost: "127.0.0.1",
};
const resolve = (words: readonly string[]): readonly [name: string, address: string | undefined] => {
  const name = words.find((word) => !/^[-+@]/.test(word) && !["A", "hosts", "ahosts"].includes(word)) ?? "";
  return [name, addresses[name.replace(/\.acme\.internal$/, "")]];
};

export const dig: Program = (args) => {
  const [name, address] = resolve(args);
  if (args.includes("+short")) return say(address ?? "");
  const answer = address ? `;; ANSWER SECTION:\n${name}.\t300\tIN\tA\t${address}` : ";; status: NXDOMAIN";
  return say(`;; QUESTION SECTION:\n;${name}.\t\tIN\tA\n\n${answer}`);
};

export const getent: Program = (args) => {
  const [name, address] = resolve(args);
  return address ? say(`${address}      ${name}`) : { ...say(""), exitCode: 2 };
};

export const nc: Program = (args, { machine }) => {
  const [host = "", port = ""] = args.filter((arg) => !arg.startsWith("-"));
  const open = [...machine.services.values()].some((s) => s.state === "active" && s.ports.includes(Number(port)));
  const own = ["localhost", "127.0.0.1", machine.name, machine.address].includes(host);
  return own && open
    ? { stdout: "", stderr: `Connection to ${host} ${port} port [tcp/*] succeeded!\n`, exitCode: 0 }
    : fail(`nc: connect to ${host} port ${port} (tcp) failed: Connection refused`);
};
