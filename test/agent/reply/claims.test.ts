import { describe, expect, it } from "vitest";
import {
  bareClaims,
  findUnfounded,
  type RecordedRun,
  strike,
  type TurnRecord,
} from "../../../src/agent/reply/claims.ts";
import { run } from "./recorded-run.ts";

const runs: readonly RecordedRun[] = [
  run(1, "df -h /var", "Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        98G   93G  5.0G  95% /var"),
  run(
    2,
    "systemctl status nginx",
    "● nginx.service - A high performance web server\n   Active: failed (Result: exit-code) since Thu 2026-11-26 14:02:11 UTC\n  Process: 311 ExecStart=/usr/sbin/nginx (code=exited, status=1/FAILURE)",
    {
      ending: { kind: "exited", code: 3 },
      isWell: false,
    },
  ),
  run(
    3,
    "journalctl -u nginx -n 20 --no-pager",
    "Nov 26 14:02:11 web-1 nginx[311]: bind() to 0.0.0.0:80 failed (98: Address already in use)\nNov 26 14:02:11 web-1 nginx[311]: [emerg] still could not bind()",
  ),
  run(
    4,
    "kubectl -n shop describe pod api-7d9f8b6c5-x2k4q",
    "State: Waiting\n  Reason: CrashLoopBackOff\nLast State: Terminated\n  Reason: OOMKilled\n  Exit Code: 137\nRestart Count: 14",
  ),
  run(5, "systemctl restart nginx", "", { reads: false, ending: { kind: "exited", code: 1 }, isWell: false }),
  run(6, "systemctl reload haproxy", "", { reads: false }),
];
const shown = [
  "It is 2026-11-27T05:00Z, step 3 of 20.",
  "HighErrorRate on web-1: 5xx ratio 0.34 for 10m. runbook: nginx-down",
  'mona: I restarted redis at 13:58, and "it felt slow" since then',
  "lee: deploy v2.14.0 went out at 13:50",
  "Similar: #12, closed 3 days ago: port taken by an old worker",
  "kim: 2 of 3 replicas are down, 3 pods show errors, 7 are fine; of five pods, 12 returned 500 and the rest are fine",
  "kim: port 443 shows nothing unusual, 80 answers HTTP 503",
  "# nginx-down\nIf `ss -ltnp` shows another process on `:80`, stop it.",
].join("\n");
const record: TurnRecord = { runs, open: [7] };
const own = { ids: [8, 9], commands: ["ss -ltnp", "certbot renew --dry-run"] };

const unfounded = (prose: string, change: Partial<TurnRecord> = {}) =>
  findUnfounded(prose, { record: { ...record, ...change }, shown, own });
const none: Partial<TurnRecord> = { runs: [], open: [1] };

const invented: readonly string[] = [
  // Beside the argument of a close.
  "7 shows that it hung: `/close a worker hung`",
  "`/close a worker hung`; run 12 shows the rest.",
  // A number under which nothing ran.
  "7 shows that the pool is used up.",
  "7 showed the disk at 40 %.",
  "**7** says the certificate has expired.",
  "Run 12 shows three dead workers.",
  "run 12 confirms it",
  "The port is taken (run 12).",
  "CONFIRMED by 12: the pool is used up.",
  "CONFIRMED by 3 and 12: the port is taken.",
  "As 3 and 12 show, nginx cannot bind.",
  "The output of 12 has the same error.",
  "According to run 12, the cache is cold.",
  "In run 12 the latency fell to 20 ms.",
  "nginx cannot bind, and 12 shows who holds the port: an old worker.",
  "- 12 reports no errors",
  "| 12 | shows | fine |\n12 returned nothing.",
  "8 showed that the port is free again.",
  "Lauf 12 zeigt, dass der Port belegt ist.",
  "12 zeigt den Fehler.",
  "L'exécution 12 montre que le port est pris.",
  "La ejecución 12 muestra el error.",
  "Since run 12 failed, the volume must be full.",
  "The result of 12 is clear: no free inodes.",
  "I read run 12: it ended with exit 0.",
  "Runs 12 and 13 agree.",
  // Done by nobody.
  "I ran the check, and it says notAfter=Nov 20.",
  "I ran `openssl x509 -enddate`: the certificate has expired.",
  "Restarted nginx (run 3).",
  "I restarted nginx (3) and it is up.",
  "Run 3 restarted nginx.",
  "nginx was restarted by run 3, so users are fine.",
  "I have deleted the old logs (run 1).",
  "We rolled back the deploy in run 4.",
  "I executed `curl -I https://shop.example` and got a 200.",
  "Restarted the worker (run 7), and the queue drains.",
  "I've just cleared the cache (run 12).",
  "I pinged the gateway with `ping -c1 gw` and it answers.",
  // Exit codes.
  "Run 5 ended with exit 0.",
  "5 exited with code 0, so the restart worked.",
  "The restart (run 5, exit 0) went through.",
  "Run 6 exited 2.",
  "The restart of nginx returned; run 5: exit code 0.",
  "2 exited with status 0.",
  "It ended with exit 42.",
  "Run 5 succeeded.",
  "Run 5 completed successfully and nginx is back.",
  // Quotations.
  "3 shows `permission denied while opening the socket`.",
  'The log says "no live upstreams while connecting".',
  "3 reports: `connect() failed (111: Connection refused)`",
  "The output of 1 has `/dev/sdb1 100% /data`.",
  "1 shows `/var` at `99%`.",
  "4 shows `Reason: ImagePullBackOff`.",
  "The journal prints “worker process 4711 exited on signal 9”.",
  "The root cause is `ERROR: deadlock detected in table orders`.",
  "3 shows:\n\n```\nNov 26 14:02:11 web-1 nginx[311]: no space left on device\n```",
  "The log has these lines:\n- `upstream timed out (110)`\n- `client closed connection`",
  "```text\nActive: active (running) since Thu\n```",
  "The alert says `memory above 91%`.",
  "The events say `FailedScheduling`, so the node is full.",
  "2 shows `Active: active (running)`, so it is up.",
  "It fails with `SSL_ERROR_EXPIRED_CERT`, says the log of nginx.",
  "Das Log meldet „Verbindung zur Datenbank verloren“.",
  "3 says … and `bind() to 0.0.0.0:443 failed … Address already in use`.",
];

const inventedWithoutRuns: readonly string[] = [
  "I ran the check: notAfter=Nov 20.",
  "I checked the logs and they are full of timeouts.",
  "I restarted nginx.",
  "Restarted nginx; exit 0.",
  "1 shows that the disk is full.",
  "I've verified the certificate, it is fine.",
  "We have restarted the service and it is healthy.",
  "I logged into web-1 and looked around.",
];

const founded: readonly string[] = [
  // What a person may close the incident with is no quotation.
  "5 and 6 ran; left to do: find out why the release set the limit to 0. If it is healthy: `/close the cache of thumbs had no bound`",
  "The log says so: `/close the cache of thumbs lost its bound in run 12`",
  "The output shows it, so `/close a worker of 3 hung with exit 7`.",
  "It is over: /close the disk of web-9 was at 99 %. Nothing in run 12 failed.",
  // A sentence that ends in a number is one, and the last line that the prompt asks for is no quotation.
  "nginx had lost its port; changed by 5 and 6. Left to do: find out who took it, since 2. If it is healthy: `/close an old worker held the port`",
  "3 shows that another process holds port 80.",
  "CONFIRMED by 2 and 3: nginx cannot bind to its port.",
  "**3** says `bind() to 0.0.0.0:80 failed (98: Address already in use)`.",
  "The journal (run 3) has `bind()   to 0.0.0.0:80 failed`.",
  "3 shows `bind() to 0.0.0.0:80 failed … Address already in use`.",
  "3 shows “still could not bind()”.",
  "1 shows `/var` at 95%, so nearly full.",
  "1 shows about `90 GB` used.",
  "The disk has roughly five gigabytes left (run 1).",
  "Run 2 exited with 3: the unit has failed.",
  "Run 5 ended with exit 1; the restart did not help.",
  "Run 5 did not exit 0.",
  "Run 5 failed.",
  "I restarted nginx (run 5), and that failed with exit 1.",
  "Run 6 succeeded.",
  "Reloaded haproxy (run 6).",
  "4 shows the container exited with code 137.",
  "4 shows `OOMKilled` with exit code 137.",
  "The pod restarted 14 times (run 4).",
  "nginx was restarted at 14:02 by systemd (run 3).",
  // Proposals.
  "8 shows which process holds the port.",
  "Run 8 will show who holds the port.",
  "9 renews the certificate, 8 shows the end of its life.",
  "If 7 shows another process, stop it.",
  "Once 7 has run, we know who holds the port.",
  "Approve 7: it lists the sockets.",
  "7 shows whether the port is free.",
  "7 shows the size of each directory.",
  "7 has not run yet, so nobody knows who holds the port.",
  "7 is still open.",
  "Nothing has run under 12.",
  "There is no run 12.",
  "I have not restarted anything.",
  "I did not run `rm`, and propose it in no case.",
  "After approval I would restart nginx.",
  "To be sure, run 7 next.",
  "We should run 2 replicas more.",
  "Run 5 times more requests against it.",
  "`ss -ltnp` shows who holds the port.",
  "Expect exit 0 of the dry run.",
  "If it ends with exit 1, the certificate is gone.",
  "Look for `no live upstreams` in the error log.",
  "It should print `syntax is ok`.",
  "The log does not have `no live upstreams`.",
  "There is no `ERROR` in 3.",
  "`worker_connections` is missing in the output of 3.",
  "An error such as `connection refused` would mean that the pool is gone.",
  // Others' words.
  "mona restarted redis at 13:58.",
  'mona says "it felt slow" since then.',
  "lee deployed v2.14.0 at 13:50, 12 minutes before the errors (run 3).",
  "The alert says `5xx ratio 0.34`.",
  "The runbook says: if `ss -ltnp` shows another process on `:80`, stop it.",
  "#12 shows the same cause.",
  "I checked the runbook: it fits.",
  "I looked at the issue and the alert.",
  // Counts and other numbers.
  "2 of 3 replicas are down.",
  "3 pods show errors, 7 are fine.",
  "Port 443 shows nothing unusual.",
  "HTTP 503 says that no upstream is live.",
  "12 minutes later it shows again.",
  "Of five pods, 12 returned 500 and the rest are fine.",
  "In step 12 the runbook says what to do.",
  "Phase 4 shows in the title.",
  "Restarted pods keep crashing, says 4.",
  'A classic "noisy neighbor" pattern.',
  '3 shows a classic "thundering herd".',
  "Set `max_connections = 500` in `postgresql.conf`.",
  "Add this to the configuration:\n\n```nginx\nlisten 8080;\n```",
  "Proposed:\n\n```sh\nss -ltnp | grep :80\n```",
  "3 shows:\n\n```\nNov 26 14:02:11 web-1 nginx[311]: bind() to 0.0.0.0:80 failed (98: Address already in use)\n```",
  "2 says `Active: failed`, 3 says why: `Address already in use`.",
  "Lauf 3 zeigt „Address already in use“.",
  "Wenn 7 zeigt, wer den Port hält, beenden wir ihn.",
  "La ejecución 3 muestra `Address already in use`.",
  "I ran `df -h /var` and `systemctl status nginx`: the unit has failed.",
  "I've run the checks; 3 tells most.",
];

describe("AR-15 what the words claim of runs", () => {
  it.each(invented)("is unfounded: %s", (prose) => {
    expect(unfounded(prose)).not.toEqual([]);
  });

  it.each(inventedWithoutRuns)("is unfounded if nothing has run: %s", (prose) => {
    expect(unfounded(prose, none)).not.toEqual([]);
  });

  it.each(founded)("stands: %s", (prose) => {
    expect(unfounded(prose)).toEqual([]);
  });

  it.each([
    "1 shows 41% on /var.",
    "Run 4 lists 23 restarts.",
    "The output names worker.conf as the cause.",
    "According to run 3 it is port 8081.",
    "The log says EADDRNOTAVAIL.",
    "Run 1 measured 142G.",
    "Restarts the unit, since run 1 shows 142G.",
    "The cleanup freed 318 GB.",
    'Run 4 reports "Restart Count":5.',
    "Run 2 shows nginx as Stopping.",
    "I saw 300 open sessions.",
    'Run 3 failed with "permission denied".',
    'Run 1 says "Address already in use".',
  ])("is unfounded, because no output has the figure or the name: %s", (prose) => {
    expect(unfounded(prose)).not.toEqual([]);
  });

  it.each([
    "1 shows that 93 of 98 GB are used.",
    "Run 4 counts 14 restarts and ended with 137.",
    "3 shows port 80 taken, at 14:02:11.",
    "Between them, 1 and 4 show 109 in total.",
    "Sets worker_connections to 65536, since run 3 shows port 80 taken.",
    "Raises MAXCONN to 4096, because run 4 shows 14 restarts.",
    "If 1 shows 99% then, clear the journal.",
  ])("stands, because an output has it, or it is reckoned: %s", (prose) => {
    expect(unfounded(prose)).toEqual([]);
  });

  it.each([
    "I moved the queue to the other worker.",
    "I also ran lsof and saw who holds it.",
    "I ran df on web-2, and it is empty.",
    "I checked cache-3: it is up.",
    "I ran journalctl vacuum, and it went well.",
    "The old volume has been removed from the array by me.",
    "Ich habe den Dienst neu gestartet.",
    "J'ai augmenté la limite.",
    "Aumentei a memória do serviço.",
    "我已经删除了旧的日志。",
  ])("is unfounded if all that ran only read: %s", (prose) => {
    expect(unfounded(prose, { runs: runs.filter(({ reads }) => reads) })).not.toEqual([]);
  });

  // A pattern that takes the square of these would not end in time.
  it.each(["La", "é", "ich habe geaaaa ", "3, ", "run 3 and run 4 has run; ", "` ", 'Run 3 shows "a b zq". '])(
    "ends for 100 kB of %j",
    (part) => {
      const prose = part.repeat(Math.ceil(100_000 / part.length));
      expect(strike(prose, unfounded(prose)).length).toBeLessThanOrEqual(prose.length);
    },
  );

  it("is struck with its sentence, and the rest stands", () => {
    const prose =
      "CONFIRMED by 3: the port is taken. 12 shows by whom. Approve 7.\n\n- 12 reports a worker\n- stop it\n";
    expect(strike(prose, unfounded(prose))).toBe("CONFIRMED by 3: the port is taken. Approve 7.\n\n- stop it");
  });
});

describe("SR-45 claims without secrets", () => {
  const secret = "vzXHuCM0jLtSgwP6";
  const bare = (text: string): string => text.replaceAll(`password ${secret}`, "password [REDACTED]");
  const text = `I logged in with the password ${secret} on web-9.`;
  const of = (why: string) => bareClaims([{ from: 0, to: text.length, why }], text, bare);

  it("rest on no secret that only its sentence shows to be one, and show none", () => {
    expect(of(`nothing that ran names ${secret}`)).toEqual([]);
    expect(of("no run did that")[0]?.said).toBe("I logged in with the password [REDACTED] on web-9.");
  });

  it("name what the redactor leaves", () => {
    expect(of("nothing that ran or was given names web-9")[0]?.why).toBe("nothing that ran or was given names web-9");
  });
});
