/**
 * Probes against the programs themselves: what a probe says beforehand is compared with what the change then does. A program that is not
 * installed is named, and its case left out.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { findProbe } from "../../src/risk/probe.ts";
import { missing } from "../harness/missing.ts";
import { type Cluster, startPostgres } from "../harness/postgres.ts";
import { storeScratch } from "../harness/store-scratch.ts";

const evaluate = createEvaluator();
/** Administrators' programs are not on everybody's path. */
const bash = (command: string, cwd: string) => {
  // What `npm run` was told, to be silent for one, is not for the npm that is tried here.
  const text = `PATH=$PATH:/usr/sbin:/sbin HOME="$PWD" LC_ALL=C; export PATH HOME LC_ALL; unset \${!npm_config_@} \${!NPM_CONFIG_@}
${command}`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", text], { cwd, encoding: "utf8", timeout: 60_000 });
  return { status, out: `${stdout}${stderr}` };
};
const has = (program: string): boolean => bash(`command -v ${program}`, "/").status === 0;

/** All below a folder that is no folder, by its path there. */
const filesIn = (folder: string, below = ""): readonly string[] =>
  readdirSync(join(folder, below), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesIn(folder, join(below, entry.name)) : [join(below, entry.name)]))
    .sort();
const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};
const listed = (out: string, pattern: RegExp): readonly string[] =>
  [...out.matchAll(pattern)].map((m) => m[1] ?? "").sort();
const failed = ({ status }: { readonly status: number | null }): boolean => status !== 0;

interface Real {
  /** Of its probe, if not low. */
  readonly risk?: "medium";
  readonly kind: string;
  readonly needs: string;
  readonly prepare: (folder: string) => void;
  readonly change: string;
  /** What the probe says will happen; `happened` tells the same of what did. */
  readonly said: (probe: { readonly out: string; readonly status: number | null }, folder: string) => unknown;
  readonly happened: (before: readonly string[], folder: string, change: ReturnType<typeof bash>) => unknown;
}
const goneOf = (before: readonly string[], folder: string): readonly string[] =>
  before.filter((file) => !existsSync(join(folder, file)));
const tree = { "a/one.log": "1".repeat(2000), "a/b/two words.log": "2", "a/keep.txt": "k", "c.log": "3" };
const daemonIn = (folder: string): void => {
  const file = join(folder, "pid");
  const pid = existsSync(file) ? Number(readFileSync(file, "utf8").trim()) : 0;
  // 0 would be all of this test's own group.
  if (Number.isInteger(pid) && pid > 1) process.kill(pid, "SIGTERM");
};

const cases: readonly Real[] = [
  {
    kind: "file.remove",
    needs: "rm",
    prepare: (f) => write(f, tree),
    change: "rm -rf a/b a/*.log",
    said: ({ out }) => listed(out, /\t(.*\.log)$/gm),
    happened: goneOf,
  },
  {
    kind: "file.remove",
    needs: "rm",
    prepare: (f) => write(f, tree),
    change: "rm 'a/b/two words.log' c.log",
    said: ({ out }) => listed(out, /\d\d:\d\d (.*)$/gm),
    happened: goneOf,
  },
  {
    kind: "file.truncate",
    needs: "truncate",
    prepare: (f) => write(f, tree),
    change: "truncate -s 0 a/one.log",
    said: ({ out }) => listed(out, /\b2\.0K\b.* (\S+)$/gm),
    happened: (before, f) => before.filter((file) => statSync(join(f, file)).size === 0),
  },
  {
    kind: "file.mode",
    needs: "chmod",
    prepare: (f) => {
      write(f, tree);
      chmodSync(join(f, "c.log"), 0o600);
    },
    change: "chmod 644 c.log",
    said: ({ out }) => listed(out, /^-rw-------.* (\S+)$/gm),
    happened: (before, f) =>
      before.filter((file) => file === "c.log" && (statSync(join(f, file)).mode & 0o777) === 0o644),
  },
  {
    kind: "read.find",
    needs: "find",
    prepare: (f) => {
      write(f, tree);
      utimesSync(join(f, "c.log"), 1, 1);
    },
    change: "find . -name '*.log' -mtime +7 -delete",
    said: ({ out }) => listed(out, /\.\/(\S+)$/gm),
    happened: goneOf,
  },
  {
    kind: "read.sed",
    needs: "sed",
    prepare: (f) => write(f, { "app.conf": "level=debug\nother=1\n" }),
    change: "sed -i 's/debug/info/' app.conf",
    said: ({ out }) => listed(out, /^\+(\w.*)$/gm),
    happened: (_before, f) => readFileSync(join(f, "app.conf"), "utf8").split("\n").slice(0, 1),
  },
  ...[true, false].map(
    (fits): Real => ({
      kind: "file.patch",
      needs: "patch",
      prepare: (f) =>
        write(f, {
          "app.conf": fits ? "level=debug\n" : "else=1\n",
          "fix.diff": "--- a/app.conf\n+++ b/app.conf\n@@ -1 +1 @@\n-level=debug\n+level=info\n",
        }),
      change: "patch -p1 -i fix.diff",
      said: failed,
      happened: (_before, _f, change) => failed(change),
    }),
  ),
  {
    kind: "file.rsync",
    needs: "rsync",
    prepare: (f) => write(f, { "from/new": "1", "from/same": "2", "to/same": "2", "to/old": "3" }),
    change: "rsync -a -c --delete from/ to/",
    said: ({ out }) => [listed(out, /^>f\S+ (\S+)$/gm), listed(out, /^\*deleting +(\S+)$/gm)],
    happened: (before, f) => [
      filesIn(f)
        .filter((file) => !before.includes(file))
        .map((file) => file.replace("to/", "")),
      goneOf(before, f).map((file) => file.replace("to/", "")),
    ],
  },
  {
    kind: "file.logrotate",
    needs: "logrotate",
    prepare: (f) => {
      write(f, {
        "app.log": "x\n",
        "off.log": "",
        state: "",
        conf: `"${f}/*.log" {\n  rotate 1\n  notifempty\n  su root root\n}\n`,
      });
      chmodSync(f, 0o755);
      chmodSync(join(f, "conf"), 0o644);
    },
    change: "logrotate -f -s ./state ./conf",
    said: ({ out }) => listed(out, /^ {2}log needs rotating|^rotating log \S*\/(\S+\.log)/gm).filter(Boolean),
    happened: (before, f) =>
      filesIn(f)
        .filter((file) => !before.includes(file) && file.endsWith(".1"))
        .map((file) => file.replace(".1", "")),
  },
  ...[true, false].map(
    (valid): Real => ({
      kind: "web.nginx",
      needs: "nginx",
      prepare: (f) =>
        write(f, {
          "nginx.conf": `pid ${f}/pid;\nerror_log ${f}/error.log;\nevents {}\n${valid ? "" : "wrong on;\n"}http { access_log off; server { listen unix:${f}/sock; } }\n`,
        }),
      change: "nginx -e /dev/null -c $PWD/nginx.conf",
      said: failed,
      happened: (_before, f, change) => {
        daemonIn(f);
        return failed(change);
      },
    }),
  ),
  ...[true, false].map(
    (valid): Real => ({
      kind: "web.haproxy",
      needs: "haproxy",
      prepare: (f) =>
        write(f, {
          "haproxy.cfg": `global\n  pidfile ${f}/pid\ndefaults\n  mode http\n  timeout client 1s\n  timeout server 1s\n  timeout connect 1s\nfrontend a\n  bind unix@${f}/sock\n${valid ? "" : "  wrong on\n"}`,
        }),
      change: "haproxy -D -f haproxy.cfg",
      said: failed,
      happened: (_before, f, change) => {
        daemonIn(f);
        return failed(change);
      },
    }),
  ),
  {
    kind: "package.apt",
    needs: "apt-get",
    prepare: (f) => write(f, { "cache/a_1_all.deb": "x", "cache/partial/b": "x", "cache/other.txt": "x" }),
    change: "apt-get clean -o Dir::Cache=. -o Dir::Cache::archives=cache/",
    // `-o` also sets commands that apt runs, so it is not known to only read.
    risk: "medium",
    said: ({ out }) => out.includes("cache/"),
    happened: (before, f) => goneOf(before, f).includes("cache/a_1_all.deb"),
  },
  ...[true, false].map(
    (fits): Real => ({
      kind: "package.dpkg",
      needs: "dpkg-deb",
      prepare: (f) => {
        const control = `Package: probed\nVersion: 1\nArchitecture: all\nMaintainer: x <x@x>\nDescription: x\n`;
        write(f, { "pkg/DEBIAN/control": control, "pkg/srv/probed": "1", "root/var/lib/dpkg/status": "" });
        for (const folder of ["updates", "info", "triggers"]) mkdirSync(join(f, "root/var/lib/dpkg", folder));
        bash(fits ? "dpkg-deb -b pkg probed.deb" : "echo broken > probed.deb", f);
      },
      change: "dpkg --force-not-root --log=/dev/null --root=root -i probed.deb",
      said: failed,
      happened: (_before, f) => !existsSync(join(f, "root/srv/probed")),
    }),
  ),
  {
    kind: "vcs.git",
    needs: "git",
    prepare: (f) => {
      write(f, { kept: "1", ".gitignore": "*.o\n" });
      bash("git init -q . && git add . && git -c user.name=x -c user.email=x@x commit -qm x", f);
      write(f, { "new.txt": "1", "x.o": "1" });
    },
    change: "git clean -fdx",
    said: ({ out }) => listed(out, /^Would remove (\S+)$/gm),
    happened: goneOf,
  },
  {
    kind: "vcs.git",
    needs: "git",
    prepare: (f) => {
      write(f, { kept: "1", changed: "1" });
      bash("git init -q . && git add . && git -c user.name=x -c user.email=x@x commit -qm x", f);
      write(f, { changed: "2" });
    },
    change: "git reset --hard",
    said: ({ out }) => listed(out, /^ M (\S+)$/gm),
    happened: (_before, f) => (readFileSync(join(f, "changed"), "utf8") === "1" ? ["changed"] : []),
  },
  {
    kind: "file.unzip",
    needs: "unzip",
    prepare: (f) => {
      write(f, { "in/a.txt": "1", "in/b/c.txt": "2" });
      bash("cd in && python3 -m zipfile -c ../x.zip a.txt b/c.txt", f);
    },
    change: "unzip -q -o x.zip -d out",
    said: ({ out }) => listed(out, /\d\d:\d\d +(\S+[^/\s])$/gm),
    happened: (_before, f) => filesIn(join(f, "out")),
  },
  {
    kind: "package.npm",
    needs: "npm",
    prepare: (f) =>
      write(f, {
        "package.json": `{"name":"app","version":"1.0.0"}`,
        "dep/package.json": `{"name":"dep","version":"1.0.0"}`,
      }),
    change: "npm install --no-audit --no-fund --offline ./dep",
    said: ({ out }) => listed(out, /^add(?:ed)? (?:(\d+) packages?|dep \S+)/gm).filter(Boolean),
    happened: (_before, f) => (existsSync(join(f, "node_modules/dep")) ? ["1"] : []),
  },
  {
    kind: "disk.check",
    needs: "mke2fs",
    prepare: (f) => {
      bash("truncate -s 4M disk.img && mke2fs -q -F disk.img && debugfs -w -R 'clri <11>' disk.img", f);
    },
    change: "e2fsck -f -y disk.img",
    said: failed,
    // 1: it has repaired something.
    happened: (_before, _f, change) => change.status === 1,
  },
  {
    kind: "database.redis",
    needs: "redis-server",
    prepare: (f) => {
      bash(`redis-server --daemonize yes --port 0 --unixsocket $PWD/sock --pidfile $PWD/pid --save '' --dir $PWD`, f);
      bash("until redis-cli -s sock PING; do sleep 0.05; done; redis-cli -s sock MSET a 1 b 2 c 3", f);
    },
    change: "redis-cli -s sock FLUSHALL",
    said: ({ out }) => listed(out, /keys=(\d+)/g),
    happened: (_before, f) => {
      const left = Number(bash("redis-cli -s sock DBSIZE", f).out);
      daemonIn(f);
      return [String(3 - left)];
    },
  },
  {
    kind: "database.sqlite",
    needs: "sqlite3",
    prepare: (f) => {
      bash(
        "sqlite3 app.db 'CREATE TABLE job (id INTEGER, state TEXT); INSERT INTO job VALUES (1, 1), (2, 1), (3, 0)'",
        f,
      );
    },
    change: `sqlite3 app.db "DELETE FROM job WHERE state = '1'"`,
    said: ({ out }) => out.trim().split("\n").at(-1),
    happened: (_before, f) => String(3 - Number(bash("sqlite3 app.db 'SELECT count(*) FROM job'", f).out)),
  },
];

const seen = new Set<string>();
describe("what a probe says, and what then happens", () => {
  test.each(cases.map((one) => [`${one.kind}: ${one.change}`, one] as const))("PB-07 %s", (_title, one) => {
    if (!has(one.needs)) return missing(one.needs, `whether the probe of ${one.kind} says what then happens`);
    const folder = storeScratch("countersign-probe-");
    one.prepare(folder);
    const before = filesIn(folder);
    const change = one.change.replace("$PWD", folder);
    const found = findProbe(change);
    if (found.kind === "none") throw new Error(found.why);
    expect(evaluate(found.command, { os: "linux", shell: "bash" }).risk).toBe(one.risk ?? "low");
    const probe = bash(found.command, folder);
    const besides = (files: readonly string[]) => files.filter((file) => !/^(\.npm|pid$)/.test(file));
    expect(besides(filesIn(folder)), "a probe changes nothing; `nginx -t` leaves an empty pid file").toEqual(
      besides(before),
    );
    const said = one.said(probe, folder);
    const happened = one.happened(before, folder, bash(change, folder));
    expect(said, probe.out).toEqual(happened);
    expect(Array.isArray(said) && said.length === 0, `it said nothing: ${probe.out}`).toBe(false);
    seen.add(one.kind);
  });

  test.each(["kill -9 $PID", "pkill -KILL -x probed-$PID", "killall -KILL probed-$PID"])(
    "PB-07 process.kill: %s",
    async (template) => {
      const [program = ""] = template.split(" ");
      if (!has(program)) return missing(program, "whether its probe names the processes that end");
      const name = `probed-${process.pid}`;
      const folder = storeScratch("countersign-probe-");
      bash(`cp "$(command -v sleep)" ./${name}`, folder);
      const child = spawn(join(folder, name), ["60"], { stdio: "ignore" });
      const ended = new Promise<string | null>((resolve) => child.on("exit", (_code, signal) => resolve(signal)));
      const change = template.startsWith("kill ")
        ? template.replace("$PID", String(child.pid))
        : template.replace("$PID", String(process.pid));
      const found = findProbe(change);
      if (found.kind === "none") throw new Error(found.why);
      const { out } = bash(found.command, folder);
      expect(listed(out, /^ *(\d+) /gm)).toContain(String(child.pid));
      bash(change, folder);
      expect(await ended).toBe("SIGKILL");
      seen.add("process.kill");
    },
  );

  describe("PostgreSQL", () => {
    let cluster: Cluster | undefined;
    beforeAll(async () => {
      cluster = await startPostgres("whether the probe of a DELETE counts what it deletes");
    });
    afterAll(() => cluster?.stop());

    test("PB-03 PB-07 database.psql: the rows of a DELETE and an UPDATE are counted, and none is changed", async () => {
      if (!cluster) return;
      const url = await cluster.createDatabase();
      const ask = (sql: string) => bash(`psql -At ${url} -c "${sql}"`, "/").out.trim();
      ask("CREATE TABLE job AS SELECT n AS id, n % 3 AS state FROM generate_series(1, 100) n");
      for (const sql of ["DELETE FROM job WHERE state = 1", "UPDATE job SET state = 5 WHERE id < 9"]) {
        const change = `psql -At ${url} -c "${sql}"`;
        const found = findProbe(change);
        if (found.kind === "none") throw new Error(found.why);
        const before = ask("SELECT md5(string_agg(job::text, ',' ORDER BY id)) FROM job");
        const { out, status } = bash(found.command, "/");
        expect([status, ask("SELECT md5(string_agg(job::text, ',' ORDER BY id)) FROM job")]).toEqual([0, before]);
        const counted = /^(\d+)$/m.exec(out)?.[1];
        expect(bash(change, "/").out.trim()).toBe(`${sql.split(" ", 1)[0]} ${counted}`);
      }
      seen.add("database.psql");
    });
  });

  afterAll(() => {
    const programs = ["systemctl", "ansible-playbook", "helm", "docker", "mysql", "kubectl"];
    missing(
      "no host for",
      `the probes of ${programs.join(", ")}: they need a system, a cluster or a cloud of their own`,
    );
    console.info(`probe: ${seen.size} kinds of change against the programs themselves: ${[...seen].sort().join(", ")}`);
    expect(seen.size).toBeGreaterThan(8);
  });
});
