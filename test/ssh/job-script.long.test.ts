import { execFileSync, type SpawnSyncOptionsWithStringEncoding, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stripScript } from "../../src/ssh/wrap.ts";
import { missing } from "../harness/missing.ts";
import { folderFor, newJobId } from "./job-host.ts";

const path = new URL("../../src/ssh/job/job.sh", import.meta.url);
const script = stripScript(readFileSync(path, "utf8"));
const folder = folderFor();
const shells = [["dash"], ["bash", "--posix"], ["busybox", "sh"]].filter(([program = ""]) => {
  const there = existsSync(`/usr/bin/${program}`);
  if (!there) missing(program, `job.sh was not tried on ${program}`);
  return there;
});
const chunkBytes = 65_536;
/** No socket as stdin, for which bash would read ~/.bashrc. */
const quiet = {
  stdio: ["ignore", "pipe", "pipe"],
  encoding: "latin1",
  maxBuffer: 64 * 1024 * 1024,
} satisfies SpawnSyncOptionsWithStringEncoding;
const isRoot = userInfo().uid === 0;

interface Job {
  readonly id: string;
  readonly limitS?: number;
  readonly env?: Readonly<Record<string, string>>;
}

describe("job.sh as a text", () => {
  it("shellcheck has nothing to say", () => {
    if (!existsSync("/usr/bin/shellcheck")) return missing("shellcheck", "job.sh was not checked");
    expect(spawnSync("shellcheck", ["-s", "sh", path.pathname], { encoding: "utf8" }).stdout).toBe("");
  });

  it("loses only comments, blank lines and indentation on its way, and is sent in at most 7.5 kB without a quote", () => {
    expect(stripScript("# a\n\n  b # c\n\td\n  # e\nf\n")).toBe("b # c\nd\nf");
    expect(Buffer.byteLength(script)).toBeLessThan(7_500);
    expect(script).not.toMatch(/'|<<|\\\n/);
  });
});

describe.each(shells)("job.sh on %s", (program, ...options) => {
  const jobs = join(folder, program ?? "");
  const argv = (words: readonly string[]): string[] => [
    ...options.filter(Boolean),
    "-c",
    'eval "$0"',
    script,
    ...words,
  ];
  const env = (given: Job["env"]): Record<string, string> => ({
    PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
    COUNTERSIGN_DIR: jobs,
    ...given,
  });
  const say = (act: string, { id, env: given }: Job, ...rest: string[]): string => {
    const told = spawnSync(program ?? "", argv([act, id, ...rest]), { env: env(given), ...quiet });
    return told.stdout.replaceAll(`@countersign:${id} `, "@");
  };
  const start = (job: Job, command: string): string =>
    say("start", job, String(job.limitS ?? 60), "1", String(chunkBytes), command);
  const startApart = (job: Job, command: string) =>
    spawn(program ?? "", argv(["start", job.id, String(job.limitS ?? 60), "1", String(chunkBytes), command]), {
      env: env(job.env),
      stdio: "ignore",
    });
  const job = (given: Partial<Job> = {}): Job => ({ id: newJobId(), ...given });
  const at = ({ id }: Job, name: string): string => join(jobs, id, name);
  const ended = (): object => expect.stringMatching(/@ended /);

  it("the command is kept and run byte for byte, once, and told again to whoever asks again", () => {
    const one = job();
    const command =
      'printf \'%s|\' "it\'s" \'$HOME\' \\\\ é 漢 "$0"\necho x >>"$COUNTERSIGN_DIR/count-$COUNTERSIGN_JOB"; exit 3\n';
    const first = start(one, command);
    expect(Buffer.from(first, "latin1").toString()).toMatch(
      /^@run \d+ \d .*\n@data 0 \d+\nit's\|\$HOME\|\\\|é\|漢\|bash\|@ended exit\.3 \d+\n$/,
    );
    expect(readFileSync(at(one, "cmd"), "utf8")).toBe(command);
    expect(start(one, command).split("\n").slice(1)).toEqual(first.split("\n").slice(1));
    expect(readFileSync(join(jobs, `count-${one.id}`), "utf8")).toBe("x\n");
  });

  it.each([
    ["kill -9 $$", "signal.KILL"],
    ["exit 137", "exit.137"],
    ["kill -TERM $$", "signal.TERM"],
    ["no-such-program 2>/dev/null", "exit.127"],
  ])("`%s` ends as %s", (command, how) => {
    expect(start(job(), command)).toMatch(new RegExp(`@ended ${how.replace(".", "\\.")} 0\n$`));
  });

  it("the command gets no signal ignored, no stdin and no terminal, and stands in a session of its own", () => {
    const told = start(
      job(),
      "grep SigIgn /proc/self/status; wc -c; [ -t 1 ] || echo no tty; ps -o sid= -p $$ | grep -c $$",
    );
    expect(told.replaceAll(/@data \d+ \d+\n/g, "")).toMatch(/SigIgn:\t0+\n0\nno tty\n1\n/);
  });

  it("100 starts of one id at once are one run", async () => {
    const one = job();
    const command = `echo x >>"${jobs}/hundred"; sleep 1; echo end`;
    await Promise.all(
      Array.from({ length: 100 }, () => new Promise((done) => startApart(one, command).once("exit", done))),
    );
    expect(readFileSync(join(jobs, "hundred"), "utf8")).toBe("x\n");
    expect(start(one, command)).toContain("end\n@ended exit.0 4\n");
  });

  it("settle before start: the start is refused for ever; after it, settle follows", () => {
    const early = job();
    expect(say("settle", early, "0")).toMatch(/^@void \d+\n$/);
    expect(start(early, `touch "${jobs}/never"`)).toMatch(/^@void \d+\n$/);
    expect(existsSync(join(jobs, "never"))).toBe(false);
    const late = job();
    start(late, "echo 12345");
    expect(say("settle", late, "2")).toMatch(/@data 2 4\n345\n@ended exit\.0 6\n$/);
  });

  it("a start that died before its command began is proved never started", () => {
    const one = job();
    mkdirSync(join(jobs, one.id), { recursive: true });
    writeFileSync(at(one, "cmd"), "echo x");
    expect(say("settle", one, "0")).toBe("@void \n");
  });

  it("output beyond what is kept: the first chunk and the last, with the gap told", () => {
    const one = job();
    const told = start(one, "head -c 8000000 /dev/zero; printf last; sleep 0.3");
    const all = say("follow", one, "0");
    const [, from, to] = /@gap (\d+) (\d+)\n/.exec(all) ?? [];
    expect(told).toEqual(ended());
    expect(Number(from)).toBeGreaterThanOrEqual(chunkBytes);
    expect(8_000_004 - Number(to)).toBeGreaterThanOrEqual(chunkBytes);
    expect(all).toMatch(/last@ended exit\.0 8000004\n$/);
    const kept = readdirSync(join(jobs, one.id)).filter((name) => name.startsWith("out."));
    expect(kept.length).toBeLessThanOrEqual(3);
  });

  it("lines that come slowly are kept whole, and shown as they come", async () => {
    const one = job();
    startApart(one, "i=0; while [ $i -lt 400 ]; do i=$((i + 1)); echo line $i; done; sleep 1; echo end");
    await expect.poll(() => (existsSync(at(one, "cmd")) ? say("status", one) : "")).toMatch(/^@run/);
    const all = say("follow", one, "0").replaceAll(/@data \d+ \d+\n/g, "");
    expect(all.split("\n").slice(1, -2)).toEqual([...Array.from({ length: 400 }, (_, i) => `line ${i + 1}`), "end"]);
  });

  it("SR-54 the server itself ends a command at the hard limit, with nobody there", async () => {
    const one = job({ limitS: 1 });
    const starter = startApart(one, "trap '' TERM; sleep 4781 & while :; do sleep 0.05; done");
    await expect.poll(() => existsSync(at(one, "claim"))).toBe(true);
    starter.kill("SIGKILL");
    expect(say("follow", one, "0")).toMatch(/@ended signal\.KILL\.hard 0\n$/);
    expect(psOf("sleep 4781")).toEqual([]);
  });

  it("its supervisor killed, the end is not guessed", async () => {
    const one = job();
    startApart(one, "sleep 4782");
    await expect.poll(() => existsSync(at(one, "claim"))).toBe(true);
    process.kill(Number(readFileSync(at(one, "sup"), "utf8").split(" ")[0]), "SIGKILL");
    expect(say("kill", one, "1")).toMatch(/@done\n$/);
    expect(say("follow", one, "0")).toMatch(/@lost same\n$/);
  });

  it("a pid that is another process by now, or of another boot, is not ours: nothing is signalled", async () => {
    const bystander = spawn("sleep", ["4783"], { stdio: "ignore" });
    for (const stamp of ["", "-.1"]) {
      const one = job();
      start(one, "true");
      const [, ours = ""] = readFileSync(at(one, "pid"), "utf8").trim().split(" ");
      const pid = `${bystander.pid} ${stamp === "" ? `${ours}9` : stamp}\n`;
      writeFileSync(at(one, "pid"), pid);
      expect(say("kill", one, "1")).toBe("@absent\n");
    }
    const left = psOf("sleep 4783");
    bystander.kill();
    expect(left).toEqual([`${bystander.pid} sleep 4783`]);
  });

  it("F-33 a full disk before the start: refused, and nothing begins", () => {
    const one = job({ env: { PATH: "/usr/bin:/bin" } });
    const limited = spawnSync(
      "bash",
      [
        "-c",
        'ulimit -f 0; trap "" XFSZ; exec "$@"',
        "x",
        program ?? "",
        ...argv(["start", one.id, "60", "1", "65536", `touch ${jobs}/full`]),
      ],
      { env: env({}), ...quiet },
    );
    expect(limited.stdout).toMatch(/refused disk/);
    expect(existsSync(join(jobs, "full"))).toBe(false);
    expect(start(one, `touch ${jobs}/full`)).toMatch(/^@void/);
  });

  it("F-33 a full disk during the run: the output lost is said, the exit is known", () => {
    const one = job();
    // 8 blocks of 1024 bytes a file, as a small disk would be: the command itself is not held back.
    const limited = spawnSync(
      "bash",
      [
        "-c",
        'ulimit -f 8; exec "$@"',
        "x",
        program ?? "",
        ...argv(["start", one.id, "60", "1", "65536", "head -c 100000 /dev/zero; exit 5"]),
      ],
      { env: env({}), ...quiet },
    );
    expect(limited.stdout).toMatch(/ended exit\.5\.lost \d+\n$/);
  });

  it("a base folder that is a link, or another's, is refused", () => {
    const link = join(folder, `link-${program}`);
    symlinkSync(folder, link);
    expect(start(job({ env: { COUNTERSIGN_DIR: link } }), "true")).toBe(`@refused unsafe ${link}\n`);
    if (!isRoot) return missing("root", "a base folder of another account was not tried");
    const other = join(folder, `other-${program}`);
    mkdirSync(other);
    chownSync(other, 65_534, 65_534);
    expect(start(job({ env: { COUNTERSIGN_DIR: other } }), "true")).toBe(`@refused unsafe ${other}\n`);
  });

  it("gc removes what ended more than a day ago, and nothing else", async () => {
    const [old, fresh, running] = [job(), job(), job()] as const;
    start(old, "true");
    start(fresh, "true");
    startApart(running, "sleep 3");
    await expect.poll(() => existsSync(at(running, "claim"))).toBe(true);
    const before = new Date(Date.now() - 25 * 3_600_000);
    for (const { id } of [old, running]) utimesSync(join(jobs, id), before, before);
    say("gc", job());
    expect([old, fresh, running].map(({ id }) => existsSync(join(jobs, id)))).toEqual([false, true, true]);
  });

  it("without setsid perl does it, and without both nothing starts", () => {
    const bin = join(folder, `bin-${program}`);
    mkdirSync(bin);
    const link = (name: string): void => symlinkSync(`/usr/bin/${name}`, join(bin, name));
    const tools = "id mkdir ln cat mkfifo stat wc tail head sleep mv find dd rm sh bash busybox dash grep tr";
    for (const name of tools.split(" ")) link(name);
    expect(start(job({ env: { PATH: bin } }), "echo x")).toBe("@refused setsid\n");
    if (!existsSync("/usr/bin/perl")) return missing("perl", "job.sh was not tried without setsid");
    link("perl");
    expect(start(job({ env: { PATH: bin } }), "echo x")).toMatch(/x\n@ended exit\.0 2\n$/);
  });
});

function psOf(mark: string): string[] {
  const all = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return all.map((line) => line.trim()).filter((line) => new RegExp(`^\\d+ ${mark}`).test(line));
}
