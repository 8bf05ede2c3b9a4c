import { type FsStat, type IFileSystem, InMemoryFs } from "just-bash";

/** A file of the imagined disk; `sizeBytes` is what it claims to hold, however little text stands in memory. */
interface PlacedFile {
  readonly path: string;
  readonly text: string;
  readonly sizeBytes?: number;
  readonly modifiedAt?: Date;
}

export interface Volume {
  readonly device: string;
  readonly mount: string;
  readonly type: string;
  readonly sizeBytes: number;
  /** Bytes taken by files nobody looks at, so that a small root needs no thousand files. */
  readonly otherBytes: number;
  readonly inodes: number;
}

export interface Usage {
  readonly volume: Volume;
  readonly usedBytes: number;
  readonly availableBytes: number;
  readonly files: number;
}

export interface Disk {
  readonly fs: IFileSystem;
  /** Paths that are ways out: what is appended there is handed over and stored nowhere. */
  readonly outlets: Map<string, (bytes: Uint8Array) => void>;
  readonly place: (file: PlacedFile) => Promise<void>;
  /** Makes a file claim a size, as `truncate -s` does; throws ENOSPC where the volume has no room. */
  readonly resize: (path: string, sizeBytes: number) => Promise<void>;
  readonly usage: () => Promise<readonly Usage[]>;
  /** Free bytes of the volume that holds the path. */
  readonly freeBytes: (path: string) => Promise<number>;
}

export const kib = 1024;
export const mib = 1024 * kib;
export const gib = 1024 * mib;

const blockBytes = 4 * kib;
const noSpace = (path: string): Error => new Error(`ENOSPC: no space left on device, write '${path}'`);

const byteLength = (content: string | Uint8Array): number =>
  typeof content === "string" ? Buffer.byteLength(content) : content.byteLength;

/** A file takes whole blocks, so that df and du agree with each other. */
export const onDisk = (sizeBytes: number): number => Math.ceil(sizeBytes / blockBytes) * blockBytes;

/**
 * An in-memory file system that accounts for more than it holds: a log of 36 GB is a few lines of text and a number.
 * Writing to a full volume throws ENOSPC; deleting or truncating gives the space back.
 */
export const createDisk = (volumes: readonly Volume[]): Disk => {
  const fs = new InMemoryFs();
  /** Path → bytes claimed beyond the text in memory. */
  const claimed = new Map<string, number>();
  const outlets = new Map<string, (bytes: Uint8Array) => void>();
  const memory = {
    writeFile: fs.writeFile.bind(fs),
    appendFile: fs.appendFile.bind(fs),
    stat: fs.stat.bind(fs),
    lstat: fs.lstat.bind(fs),
    rm: fs.rm.bind(fs),
    mv: fs.mv.bind(fs),
    cp: fs.cp.bind(fs),
  };
  const byDepth = [...volumes].sort((a, b) => b.mount.length - a.mount.length);
  const volumeOf = (path: string): Volume | undefined =>
    byDepth.find((v) => v.mount === "/" || path === v.mount || path.startsWith(`${v.mount}/`));
  const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

  const usage = async (): Promise<readonly Usage[]> => {
    const used = new Map<Volume, { bytes: number; files: number }>();
    // All are looked at in one go: what ends beside this removes its own files between two waits.
    const paths = fs.getAllPaths();
    const stats = await Promise.all(paths.map(memory.lstat));
    for (const [i, path] of paths.entries()) {
      const volume = volumeOf(path);
      const stat = stats[i];
      if (!volume || !stat) continue;
      const { isFile, size } = stat;
      const total = used.get(volume) ?? { bytes: 0, files: 0 };
      total.files += 1;
      if (isFile) total.bytes += onDisk(size + (claimed.get(path) ?? 0));
      used.set(volume, total);
    }
    return volumes.map((volume) => {
      const { bytes, files } = used.get(volume) ?? { bytes: 0, files: 0 };
      const usedBytes = Math.min(volume.sizeBytes, bytes + volume.otherBytes);
      return { volume, usedBytes, availableBytes: volume.sizeBytes - usedBytes, files };
    });
  };
  const freeBytes = async (path: string): Promise<number> => {
    const volume = volumeOf(path);
    return (await usage()).find((u) => u.volume === volume)?.availableBytes ?? 0;
  };
  const sizeOf = async (path: string): Promise<number> =>
    (await fs.exists(path)) ? (await memory.stat(path)).size + (claimed.get(path) ?? 0) : 0;
  const makeRoom = async (path: string, newBytes: number, oldBytes: number): Promise<void> => {
    const growth = onDisk(newBytes) - onDisk(oldBytes);
    if (growth > 0 && growth > (await freeBytes(path))) throw noSpace(path);
  };
  const withClaim = async (path: string, stat: Promise<FsStat>): Promise<FsStat> => {
    const found = await stat;
    return found.isFile ? { ...found, size: found.size + (claimed.get(path) ?? 0) } : found;
  };
  const moveClaims = (from: string, to: string | undefined, keep = false): void => {
    for (const [path, bytes] of [...claimed]) {
      if (!within(path, from)) continue;
      if (to !== undefined) claimed.set(to + path.slice(from.length), bytes);
      if (!keep) claimed.delete(path);
    }
  };

  fs.stat = (path) => withClaim(path, memory.stat(path));
  fs.lstat = (path) => withClaim(path, memory.lstat(path));
  fs.writeFile = async (path, content, options) => {
    await makeRoom(path, byteLength(content), await sizeOf(path));
    await memory.writeFile(path, content, options);
    claimed.delete(path);
  };
  fs.appendFile = async (path, content, options) => {
    const outlet = outlets.get(path);
    if (outlet) {
      const encoding = typeof options === "string" ? options : options?.encoding;
      const latin = encoding === "binary" || encoding === "latin1";
      const bytes = typeof content === "string" ? Buffer.from(content, latin ? "latin1" : "utf8") : content;
      if (bytes.byteLength > 0) outlet(bytes);
      return;
    }
    const before = await sizeOf(path);
    await makeRoom(path, before + byteLength(content), before);
    await memory.appendFile(path, content, options);
  };
  fs.rm = async (path, options) => {
    await memory.rm(path, options);
    moveClaims(path, undefined);
  };
  fs.mv = async (from, to) => {
    if (volumeOf(from) !== volumeOf(to)) await makeRoom(to, await sizeOf(from), 0);
    await memory.mv(from, to);
    moveClaims(from, to);
  };
  fs.cp = async (from, to, options) => {
    await makeRoom(to, await sizeOf(from), await sizeOf(to));
    await memory.cp(from, to, options);
    moveClaims(from, to, true);
  };

  return {
    fs,
    outlets,
    usage,
    freeBytes,
    place: async ({ path, text, sizeBytes, modifiedAt }) => {
      fs.writeFileSync(path, text, "utf8", modifiedAt ? { mtime: modifiedAt } : {});
      if (sizeBytes !== undefined) claimed.set(path, Math.max(0, sizeBytes - byteLength(text)));
    },
    resize: async (path, sizeBytes) => {
      await makeRoom(path, sizeBytes, await sizeOf(path));
      const text = (await fs.exists(path)) ? await fs.readFile(path) : "";
      const kept = text.slice(0, sizeBytes);
      await memory.writeFile(path, kept);
      claimed.set(path, sizeBytes - byteLength(kept));
    },
  };
};
