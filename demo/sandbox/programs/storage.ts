import type { IFileSystem } from "just-bash";
import { gib, kib, mib, onDisk, type Usage } from "../disk.ts";
import { isActive } from "../machine.ts";
import { fail, human, type Outcome, type Program, readArgs, say, table } from "../program.ts";

const percent = (used: number, total: number): string => `${total === 0 ? 0 : Math.ceil((used / total) * 100)}%`;

const volumeFor = (usages: readonly Usage[], path: string): Usage | undefined =>
  usages
    .filter(({ volume }) => volume.mount === "/" || path === volume.mount || path.startsWith(`${volume.mount}/`))
    .sort((a, b) => b.volume.mount.length - a.volume.mount.length)[0];

/** `df`, from the disk's own accounting. */
export const df: Program = async (args, { machine, fs, cwd }) => {
  const { words, has, text } = readArgs(args, {
    human: { type: "boolean", short: "h" },
    inodes: { type: "boolean", short: "i" },
    "print-type": { type: "boolean", short: "T" },
    "exclude-type": { type: "string", short: "x" },
    type: { type: "string", short: "t" },
    megabytes: { type: "boolean", short: "m" },
    kilobytes: { type: "boolean", short: "k" },
    portability: { type: "boolean", short: "P" },
    local: { type: "boolean", short: "l" },
    all: { type: "boolean", short: "a" },
    output: { type: "string" },
  });
  const usages = await machine.disk.usage();
  const paths = words.map((word) => fs.resolvePath(cwd, word));
  for (const path of paths) if (!(await fs.exists(path))) return fail(`df: ${path}: No such file or directory`);
  const excluded = args.flatMap((a, i) => (a === "-x" ? [args[i + 1] ?? ""] : a.startsWith("-x") ? [a.slice(2)] : []));
  const chosen = paths.length === 0 ? usages : paths.flatMap((path) => volumeFor(usages, path) ?? []);
  const shown = chosen.filter(
    ({ volume }) => !excluded.includes(volume.type) && volume.type === (text("type") ?? volume.type),
  );
  const withType = has("print-type");
  const size = (bytes: number): string =>
    has("human") ? human(bytes) : String(Math.ceil(bytes / (has("megabytes") ? mib : kib)));
  const rows = shown.map(({ volume, usedBytes, availableBytes, files }) => {
    const usedInodes = files + Math.round(volume.otherBytes / (64 * kib));
    const [total, used, free] = has("inodes")
      ? [volume.inodes, usedInodes, volume.inodes - usedInodes]
      : [volume.sizeBytes, usedBytes, availableBytes];
    const show = has("inodes") && !has("human") ? String : size;
    return [
      volume.device,
      ...(withType ? [volume.type] : []),
      show(total),
      show(used),
      show(free),
      percent(used, total),
      volume.mount,
    ];
  });
  const words4 = has("inodes")
    ? ["Inodes", "IUsed", "IFree", "IUse%"]
    : [
        has("human") ? "Size" : has("megabytes") ? "1M-blocks" : "1K-blocks",
        "Used",
        has("human") ? "Avail" : "Available",
        "Use%",
      ];
  const head = ["Filesystem", ...(withType ? ["Type"] : []), ...words4, "Mounted on"];
  return say(table([head, ...rows], withType ? [2, 3, 4, 5] : [1, 2, 3, 4]));
};

interface Weighed {
  readonly path: string;
  readonly bytes: number;
  readonly depth: number;
  readonly folder: boolean;
}

/** Weighs a tree: its folders after their contents, as du lists them. */
const weigh = async (fs: IFileSystem, path: string, depth: number): Promise<readonly Weighed[]> => {
  const { isDirectory, size } = await fs.lstat(path);
  if (!isDirectory) return [{ path, bytes: onDisk(size), depth, folder: false }];
  const inside: Weighed[] = [];
  let bytes = 4 * kib;
  for (const name of await fs.readdir(path)) {
    const below = await weigh(fs, `${path === "/" ? "" : path}/${name}`, depth + 1);
    bytes += below.at(-1)?.bytes ?? 0;
    inside.push(...below);
  }
  return [...inside, { path, bytes, depth, folder: true }];
};

/** `du`, over the claimed sizes. */
export const du: Program = async (args, call) => {
  const { words, has, text } = readArgs(args, {
    human: { type: "boolean", short: "h" },
    summarize: { type: "boolean", short: "s" },
    all: { type: "boolean", short: "a" },
    total: { type: "boolean", short: "c" },
    bytes: { type: "boolean", short: "b" },
    megabytes: { type: "boolean", short: "m" },
    kilobytes: { type: "boolean", short: "k" },
    "one-file-system": { type: "boolean", short: "x" },
    "max-depth": { type: "string", short: "d" },
  });
  const depth = has("summarize") ? 0 : Number(text("max-depth") ?? Number.POSITIVE_INFINITY);
  const size = (bytes: number): string =>
    has("human") ? human(bytes) : String(Math.ceil(bytes / (has("bytes") ? 1 : has("megabytes") ? mib : kib)));
  const out: string[] = [];
  const missing: string[] = [];
  let total = 0;
  for (const word of words.length > 0 ? words : ["."]) {
    const root = call.fs.resolvePath(call.cwd, word);
    if (!(await call.fs.exists(root))) {
      missing.push(`du: cannot access '${word}': No such file or directory`);
      continue;
    }
    const weighed = await weigh(call.fs, root, 0);
    total += weighed.at(-1)?.bytes ?? 0;
    for (const entry of weighed) {
      const named =
        entry.path === root ? word : `${word.replace(/\/$/, "")}${entry.path.slice(root === "/" ? 0 : root.length)}`;
      if (entry.depth <= depth && (entry.folder || has("all") || entry.depth === 0))
        out.push(`${size(entry.bytes)}\t${named}`);
    }
  }
  if (has("total")) out.push(`${size(total)}\ttotal`);
  return {
    ...say(out.join("\n")),
    stderr: missing.map((m) => `${m}\n`).join(""),
    exitCode: missing.length > 0 ? 1 : 0,
  };
};

const suffixes: Readonly<Record<string, number>> = { "": 1, K: kib, M: mib, G: gib, k: kib, m: mib, g: gib };

/** `truncate -s`: the way the runaway log is emptied without a restart. */
export const truncate: Program = async (args, { machine, fs, cwd }) => {
  const { words, text, has } = readArgs(args, {
    size: { type: "string", short: "s" },
    "no-create": { type: "boolean", short: "c" },
  });
  const size = /^(\d+)([KMGkmg]?)B?$/.exec(text("size") ?? "");
  if (!size)
    return fail(
      text("size") === undefined
        ? "truncate: you must specify either '--size' or '--reference'"
        : `truncate: Invalid number: '${text("size")}'`,
    );
  if (words.length === 0) return fail("truncate: missing file operand");
  for (const word of words) {
    const path = fs.resolvePath(cwd, word);
    if (!(await fs.exists(path)) && has("no-create")) continue;
    if ((await fs.exists(path)) && (await fs.stat(path)).isDirectory)
      return fail(`truncate: cannot open '${word}' for writing: Is a directory`);
    await machine.disk.resize(path, Number(size[1]) * (suffixes[size[2] ?? ""] ?? 1));
  }
  return say("");
};

/** `logrotate -f`: the rule for checkout keeps no old log, so rotating it frees the space. */
export const logrotate: Program = async (args, { machine, fs, cwd }) => {
  const { has, words } = readArgs(args, {
    force: { type: "boolean", short: "f" },
    verbose: { type: "boolean", short: "v" },
    debug: { type: "boolean", short: "d" },
  });
  for (const word of words) {
    if (!(await fs.exists(fs.resolvePath(cwd, word))))
      return fail(`error: cannot stat ${word}: No such file or directory`);
  }
  if (words.length === 0) return fail("logrotate: a configuration file is needed");
  if (!words.some((word) => /logrotate\.conf$|\/checkout$/.test(word))) return say("");
  const path = "/var/log/checkout/debug.log";
  const lines = ["reading config file /etc/logrotate.conf", "including /etc/logrotate.d"];
  if (!(await fs.exists(path))) return say(has("verbose") || has("debug") ? lines.join("\n") : "");
  lines.push(
    `rotating pattern: ${path}  forced from command line (no old logs will be kept)`,
    `considering log ${path}`,
  );
  const { size } = await fs.stat(path);
  if (has("force")) {
    if (!has("debug")) await machine.disk.resize(path, 0);
    lines.push(`  log needs rotating (${human(size)})`, "  removing old log", "  creating new log mode = 0640");
  } else lines.push("  log does not need rotating (already rotated today)");
  return say(has("verbose") || has("debug") ? lines.join("\n") : "");
};

/** `lsof`: listening sockets and the open log; nothing deleted is held open, and that is the point of looking. */
export const lsof: Program = (args, { machine }): Outcome => {
  const head = ["COMMAND", "PID", "USER", "FD", "TYPE", "NAME"];
  if (args.some((a) => a.startsWith("+L"))) return { ...say(""), exitCode: 1 };
  const rows = [...machine.services.values()]
    .filter((s) => isActive(machine, s.unit))
    .flatMap((s) =>
      s.ports.map((port) => [
        s.unit.split(".")[0] ?? "",
        String(s.pid),
        s.user,
        "6u",
        "IPv4",
        `TCP *:${port} (LISTEN)`,
      ]),
    );
  const port = args.map((a) => /:(\d+)$/.exec(a)?.[1]).find((p) => p !== undefined);
  const chosen = port === undefined ? rows : rows.filter((row) => row[5]?.includes(`:${port} `));
  return chosen.length === 0 ? { ...say(""), exitCode: 1 } : say(table([head, ...chosen], [1]));
};

/** `lsblk` and `mount`, from the same volumes as df. */
export const lsblk: Program = (_args, { machine }) =>
  machine.disk
    .usage()
    .then((usages) =>
      say(
        table(
          [
            ["NAME", "SIZE", "TYPE", "MOUNTPOINTS"],
            ...usages
              .filter((u) => u.volume.device.startsWith("/dev/"))
              .map(({ volume }) => [volume.device.slice(5), human(volume.sizeBytes), "disk", volume.mount]),
          ],
          [1],
        ),
      ),
    );
export const mount: Program = (_args, { machine }) =>
  machine.disk
    .usage()
    .then((usages) =>
      say(
        usages.map(({ volume }) => `${volume.device} on ${volume.mount} type ${volume.type} (rw,relatime)`).join("\n"),
      ),
    );
