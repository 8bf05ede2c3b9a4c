import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startSandbox } from "../../../demo/sandbox/start.ts";
import { parseStopOutput, stopScript } from "../../../src/ssh/stop.ts";
import { useStarted } from "../../harness/use-started.ts";
import { type Connection, logIn, wrapped } from "./connect.ts";

const debugLog = "/var/log/checkout/debug.log";
let web1: Connection;
let web2: Connection;
let db1: Connection;

const sandbox = useStarted(() => startSandbox());
beforeAll(async () => {
  [web1, web2, db1] = await Promise.all([logIn(sandbox, "web-1"), logIn(sandbox, "web-2"), logIn(sandbox, "db-1")]);
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  for (const connection of [web1, web2, db1]) connection.end();
});

const run = (connection: Connection, command: string) => connection.run(wrapped(command));

describe("web-1: a full disk and a dead service", () => {
  test("the service cannot start while /var is full, and starts once the log is emptied", async () => {
    expect((await run(web1, "df -h /var")).out).toMatch(/100% \/var/);
    const status = await run(web1, "systemctl status checkout-api");
    expect(status).toMatchObject({ code: 3 });
    expect(status.out).toContain("failed (Result: exit-code)");
    expect(status.out).toContain("no space left on device");

    const restart = await run(web1, "systemctl restart checkout-api");
    expect(restart).toMatchObject({ code: 1 });
    expect(restart.err).toContain("Job for checkout-api.service failed");
    expect(await run(web1, "curl -s localhost:8080/health")).toMatchObject({ out: "", code: 7 });

    expect(await run(web1, `truncate -s 0 ${debugLog}`)).toMatchObject({ out: "", err: "", code: 0 });
    expect((await run(web1, "df -h /var")).out).toMatch(/ 4% \/var/);
    expect(await run(web1, "systemctl restart checkout-api")).toMatchObject({ err: "", code: 0 });
    expect(await run(web1, "curl -s localhost:8080/health")).toMatchObject({
      out: '{"status":"ok","release":"1a2b3c"}\n',
      code: 0,
    });
    expect(await run(web1, "systemctl is-active checkout-api")).toMatchObject({ out: "active\n", code: 0 });
  });

  test.each([
    `rm ${debugLog}`,
    `> ${debugLog}`,
    `sudo sh -c ': > ${debugLog}'`,
    "logrotate -f /etc/logrotate.conf",
    "journalctl --vacuum-size=100M",
  ])("%s frees enough for the service to start", async (command) => {
    expect(await run(web1, command)).toMatchObject({ code: 0 });
    expect(await run(web1, "systemctl restart checkout-api")).toMatchObject({ code: 0 });
  });

  test("writing to the full volume fails in the words of a shell, and elsewhere it works", async () => {
    expect(await run(web1, "cp /etc/hosts /var/hosts")).toMatchObject({
      code: 1,
      err: expect.stringContaining("No space left on device"),
    });
    expect(await run(web1, "echo hi > /var/hi")).toMatchObject({
      code: 1,
      err: "bash: line 1: /var/hi: No space left on device\n",
    });
    expect(await run(web1, "echo hi > /tmp/hi && cat /tmp/hi")).toMatchObject({ out: "hi\n", code: 0 });
  });

  test("du and ls name the log that df misses", async () => {
    expect((await run(web1, "du -xh --max-depth=3 /var | sort -rh | head -3")).out).toMatch(/^(\d\dG\t\/var\S*\n){3}$/);
    expect((await run(web1, `ls -lh ${debugLog}`)).out).toMatch(/root root\s+3\dG/);
    expect((await run(web1, "find /var -size +10G")).out).toBe(`${debugLog}\n`);
    expect((await run(web1, `tail -n 1 ${debugLog}`)).out).toContain("DEBUG");
  });

  test("journalctl keeps to the unit, the priority and the time asked for", async () => {
    const errors = await run(web1, "journalctl -u checkout-api --since '1 hour ago' -p err --no-pager");
    expect(errors.out.split("\n").filter((line) => line !== "").length).toBe(11);
    expect(errors.out).not.toContain("Scheduled restart");
    expect((await run(web1, "journalctl -u checkout-api -n 2")).out.trim().split("\n")).toHaveLength(2);
    expect((await run(web1, "journalctl -u nginx --since '1 min ago'")).out).toBe("-- No entries --\n");
  });
});

describe("db-1: no connection left", () => {
  test("ending the idle transactions gives the slots back", async () => {
    const count = "psql -tAc 'select count(*) from pg_stat_activity'";
    expect((await run(db1, count)).out).toBe("97\n");
    const states = await run(db1, 'psql -c "select state, count(*) from pg_stat_activity group by 1 order by 2 desc"');
    expect(states.out).toContain(" idle in transaction |    71\n");
    const end =
      "select pg_terminate_backend(pid) from pg_stat_activity where state='idle in transaction' and state_change < now() - interval '10 min'";
    expect((await run(db1, `psql -c "${end}"`)).out).toContain("(71 rows)");
    expect((await run(db1, count)).out).toBe("26\n");
    expect((await run(db1, "ss -tn | grep -c :5432")).out).toBe("26\n");
  });

  test.each(["attach database '/tmp/x' as y", "pragma database_list", "delete from pg_stat_activity"])(
    "%s is refused: SQL reaches no file",
    async (sql) => {
      expect(await run(db1, `psql -c "${sql}"`)).toMatchObject({ code: 1, err: "ERROR:  permission denied\n" });
    },
  );
});

describe("web-2: a certificate that ends tomorrow", () => {
  test("a renewed file is useless until nginx has loaded it", async () => {
    const pem = "/etc/letsencrypt/live/shop.acme.example/fullchain.pem";
    const presented = "echo | openssl s_client -connect localhost:443 2>/dev/null | openssl x509 -noout -enddate";
    const onFile = `openssl x509 -enddate -noout -in ${pem}`;
    const old = (await run(web2, onFile)).out;
    expect(await run(web2, `openssl x509 -noout -checkend 86400 -in ${pem}`)).toMatchObject({ code: 1 });
    expect((await run(web2, presented)).out).toBe(old);
    expect((await run(web2, "certbot renew")).out).toContain("all renewals succeeded");
    expect((await run(web2, presented)).out).toBe(old);
    expect(await run(web2, "nginx -t && systemctl reload nginx")).toMatchObject({ code: 0 });
    expect((await run(web2, presented)).out).toBe((await run(web2, onFile)).out);
    expect((await run(web2, presented)).out).not.toBe(old);
  });
});

describe("the way in", () => {
  test("another key is refused", async () => {
    const other = await startSandbox();
    await expect(logIn(sandbox, "web-1", other.privateKey)).rejects.toThrow(/authentication/);
    await other.close();
  });

  test.each([
    `env -u BASH_ENV -u ENV PATH=/usr/bin:/bin PAGER=cat bash --noprofile --norc -c 'echo "$PAGER"; exit 3'`,
    `env PAGER=cat sh -c 'echo "$PAGER"; exit 3'`,
    `PAGER=cat bash --noprofile --norc -c 'echo "$PAGER"; exit 3'`,
    `export PAGER=cat; bash -lc 'echo "$PAGER"; exit 3'`,
  ])("%s is a shell in a shell", async (exec) => {
    expect(await web1.run(exec)).toMatchObject({ out: "cat\n", err: "", code: 3 });
  });

  test("F-29 the bot's stop script ends the one command it means and reports it", { tags: ["long"] }, async () => {
    const started = Promise.withResolvers<void>();
    const first = web2.run(wrapped("echo first; sleep 60"), { onData: () => started.resolve() });
    await started.promise;
    const second = web2.run(wrapped("sleep 1; echo second"));
    const report = await web2.run(stopScript({ index: 0, count: 2, graceMs: 1000 }));
    expect(parseStopOutput(report.out)).toEqual({ kind: "stopped", killed: false, survivors: [] });
    expect(await first).toMatchObject({ out: "first\n", code: null, signal: "SIGTERM" });
    expect(await second).toMatchObject({ out: "second\n", code: 0 });
    expect(parseStopOutput((await web2.run(stopScript({ index: 0, count: 1, graceMs: 1000 }))).out)).toEqual({
      kind: "absent",
    });
  });

  test("a script on the stdin of sh -s runs with its exit code", async () => {
    expect(await web1.run("/bin/sh -s", { stdin: "x=3\necho from stdin $x\nexit 4\n" })).toMatchObject({
      out: "from stdin 3\n",
      code: 4,
    });
  });

  test("stdout and stderr stay apart and the exit code is the script's own", async () => {
    expect(await run(web1, "echo a; ls /nope; nosuch; exit 9")).toMatchObject({
      out: "a\n",
      err: "ls: /nope: No such file or directory\nbash: nosuch: command not found\n",
      code: 9,
    });
  });

  test("the wrapper's variables reach the command", async () => {
    expect((await run(web1, 'echo "$PAGER $TERM $USER"')).out).toBe("cat dumb ops\n");
  });

  test("output streams while a loop still runs, and TERM ends it as a signal", async () => {
    const ran = await web1.run(wrapped("for i in 1 2 3 4 5 6 7 8 9; do echo step $i; sleep 2; done"), {
      onData: (_text, kill) => kill(),
    });
    expect(ran).toMatchObject({ out: "step 1\n", code: null, signal: "SIGTERM" });
  });

  test("tail -f shows what another command writes, until it is cancelled", async () => {
    const second = await logIn(sandbox, "web-2");
    const ran = await web2.run(wrapped("echo old > /tmp/grow; tail -f /tmp/grow"), {
      onData: (text, kill) => (text.includes("new") ? kill() : void second.run(wrapped("echo new >> /tmp/grow"))),
    });
    expect(ran).toMatchObject({ out: "old\nnew\n", signal: "SIGTERM" });
    second.end();
  });

  test("a runaway loop ends at the sandbox's limit instead of holding the process", { tags: ["long"] }, async () => {
    const ran = await run(web1, "while true; do :; done");
    expect(ran.code).not.toBe(0);
  });

  test("nothing of the host is visible", async () => {
    expect((await run(web1, "hostname; cat /etc/hostname; whoami")).out).toBe("web-1\nweb-1\nops\n");
    expect(await run(web1, `ls ${process.cwd()}`)).toMatchObject({ code: 2 });
    expect(await run(web1, "curl -s http://192.0.2.1/")).toMatchObject({ code: 6 });
  });
});
