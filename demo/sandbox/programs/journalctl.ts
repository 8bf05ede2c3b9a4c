import { parseSince } from "../clock.ts";
import { gib, kib, mib } from "../disk.ts";
import { formatLine } from "../journal.ts";
import { type JournalLine, type Machine, severities } from "../machine.ts";
import { type Call, fail, human, type Outcome, type Program, readArgs, say } from "../program.ts";
import { findService } from "../services.ts";

const folder = "/var/log/journal";
const suffixes: Readonly<Record<string, number>> = { "": 1, K: kib, M: mib, G: gib };

const archives = async ({ fs }: Call): Promise<readonly { path: string; bytes: number }[]> => {
  const names = (await fs.exists(folder)) ? await fs.readdir(folder) : [];
  return Promise.all(
    names.map(async (name) => ({ path: `${folder}/${name}`, bytes: (await fs.stat(`${folder}/${name}`)).size })),
  );
};

/** Deletes archived journals, oldest first, until no more than the wanted size is left; the live file always stays. */
const vacuum = async (call: Call, keepBytes: number): Promise<Outcome> => {
  const files = [...(await archives(call))].sort((a, b) => a.path.localeCompare(b.path));
  let left = files.reduce((sum, file) => sum + file.bytes, 0);
  let freed = 0;
  const lines: string[] = [];
  for (const file of files.filter((f) => f.path.includes("@"))) {
    if (left <= keepBytes) break;
    await call.fs.rm(file.path);
    left -= file.bytes;
    freed += file.bytes;
    lines.push(`Deleted archived journal ${file.path} (${human(file.bytes)}).`);
  }
  return say(
    [...lines, `Vacuuming done, freed ${freed === 0 ? "0B" : human(freed)} of archived journals from ${folder}.`].join(
      "\n",
    ),
  );
};

const asJson = (machine: Machine, line: JournalLine): string =>
  JSON.stringify({
    __REALTIME_TIMESTAMP: String(line.at.getTime() * 1000),
    _HOSTNAME: machine.name,
    _SYSTEMD_UNIT: line.unit,
    SYSLOG_IDENTIFIER: line.source,
    _PID: String(line.pid),
    PRIORITY: String(severities.indexOf(line.severity)),
    MESSAGE: line.text,
  });

const flags = {
  unit: { type: "string", short: "u" },
  priority: { type: "string", short: "p" },
  lines: { type: "string", short: "n" },
  since: { type: "string", short: "S" },
  until: { type: "string", short: "U" },
  grep: { type: "string", short: "g" },
  output: { type: "string", short: "o" },
  identifier: { type: "string", short: "t" },
  "vacuum-size": { type: "string" },
  "vacuum-time": { type: "string" },
  reverse: { type: "boolean", short: "r" },
  dmesg: { type: "boolean", short: "k" },
  follow: { type: "boolean", short: "f" },
  "pager-end": { type: "boolean", short: "e" },
  catalog: { type: "boolean", short: "x" },
  boot: { type: "boolean", short: "b" },
} as const;

/** journalctl takes `-xeu name`; parseArgs reads that as it should, but not `-n50` after a cluster of flags with `-u`. */
const select = (
  machine: Machine,
  args: ReturnType<typeof readArgs>,
): readonly JournalLine[] | { readonly error: string } => {
  const { text, has } = args;
  const now = machine.now();
  const at = (name: "since" | "until"): Date | undefined | { error: string } => {
    const value = text(name);
    return value === undefined
      ? undefined
      : (parseSince(value, now) ?? { error: `Failed to parse timestamp: ${value}` });
  };
  const since = at("since");
  const until = at("until");
  if (since && "error" in since) return since;
  if (until && "error" in until) return until;
  const level = text("priority")?.split("..").at(-1);
  const worst =
    level === undefined ? 7 : /^\d$/.test(level) ? Number(level) : severities.findIndex((s) => s.startsWith(level));
  if (worst < 0) return { error: `Unknown log level ${level}` };
  const unit = text("unit");
  const unitName = unit === undefined ? undefined : (findService(machine, unit)?.unit ?? unit);
  const pattern = text("grep");
  const matcher = pattern === undefined ? undefined : new RegExp(pattern.replace(/[()[\]{}*+?\\^$]/g, "\\$&"), "i");
  return machine.journal.filter(
    (line) =>
      severities.indexOf(line.severity) <= worst &&
      (unitName === undefined || line.unit === unitName) &&
      (!has("dmesg") || line.source === "kernel") &&
      (text("identifier") === undefined || line.source === text("identifier")) &&
      (!since || line.at >= since) &&
      (!until || line.at <= until) &&
      (!matcher || matcher.test(line.text)),
  );
};

/** `journalctl` over the machine's journal, with `--vacuum-size` really freeing space. */
export const journalctl: Program = async (args, call) => {
  const { machine } = call;
  const read = readArgs(args, flags);
  const size = /^(\d+(?:\.\d+)?)([KMG]?)$/i.exec(read.text("vacuum-size") ?? "");
  if (size) return vacuum(call, Number(size[1]) * (suffixes[(size[2] ?? "").toUpperCase()] ?? 1));
  if (read.text("vacuum-size") !== undefined) return fail(`Failed to parse vacuum size: ${read.text("vacuum-size")}`);
  if (read.text("vacuum-time") !== undefined) return vacuum(call, 0);
  if (read.has("disk-usage")) {
    const total = (await archives(call)).reduce((sum, file) => sum + file.bytes, 0);
    return say(`Archived and active journals take up ${human(total)} in the file system.`);
  }
  const found = select(machine, read);
  if ("error" in found) return fail(found.error);
  const count = Number(
    read.text("lines") ?? (read.has("follow") ? 10 : read.has("pager-end") ? 1000 : Number.POSITIVE_INFINITY),
  );
  const wanted = Number.isFinite(count) ? found.slice(-count || found.length) : found;
  const ordered = read.has("reverse") ? wanted.toReversed() : wanted;
  const output = read.text("output");
  const line = (entry: JournalLine): string =>
    output?.startsWith("json") ? asJson(machine, entry) : output === "cat" ? entry.text : formatLine(machine, entry);
  if (!read.has("follow")) return say(ordered.length === 0 ? "-- No entries --" : ordered.map(line).join("\n"));

  call.show?.(`${ordered.map(line).join("\n")}\n`);
  let seen = machine.journal.length;
  while (!(await call.pause(250))) {
    const fresh = machine.journal.slice(seen);
    seen = machine.journal.length;
    for (const entry of fresh) if (found.length === 0 || entry.unit === found[0]?.unit) call.show?.(`${line(entry)}\n`);
  }
  return say(call.show ? "" : ordered.map(line).join("\n"));
};
