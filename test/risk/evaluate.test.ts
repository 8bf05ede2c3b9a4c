import { describe, expect, it } from "vitest";
import { createEvaluator, type ScanPlace } from "../../src/risk/evaluate.ts";
import { rulesVersion } from "../../src/risk/rules-version.ts";
import { createTracer } from "../../src/risk/trace.ts";

const linux: ScanPlace = { os: "linux", shell: "bash" };
const evaluate = createEvaluator();

describe("a verdict", () => {
  it("names what it rests on, with its place in the text", () => {
    expect(evaluate("uptime", linux)).toEqual({
      risk: "low",
      unknown: false,
      findings: [{ ruleId: "read.system", risk: "low", text: "uptime: only reads", span: [0, 6] }],
      egress: "none",
      sends: false,
      unbounded: [],
      rulesVersion: rulesVersion(),
    });
  });

  it.each(["", "   ", "# a note"])("has a reason also where nothing runs: %j", (text) => {
    const { risk, unknown, findings } = evaluate(text, linux);
    const nothing = { ruleId: "call.nothing", risk: "low", text: "runs nothing" };
    expect([risk, unknown, findings]).toEqual(["low", false, [nothing]]);
  });

  it.each([
    [
      "low",
      ["uptime", "ps aux", "df -h", "ls", "cat a.txt", "grep x a.txt", "ifconfig", "netstat", "systemctl status x"],
    ],
    ["medium", ["apt update", "systemctl restart x", "chmod 644 a", "chown app a", "sed -i s/a/b/ a", "yum install x"]],
    [
      "high",
      ["rm -rf x", "dd if=/dev/zero of=/srv/t", "dd if=/dev/zero of=t.img bs=1M count=10", "reboot", "shutdown"],
    ],
    ["high", ["dd of=/tmp/t if=/dev/urandom", "sudo dd if=/dev/./zero of=/tmp/t", "kill -9 311", "echo x > a.conf"]],
    ["block", ["mkfs /dev/sdb", "dd if=/dev/zero of=/dev/sda"]],
    ["low", ["dd if=/dev/zero of=/dev/null bs=1M count=10"]],
  ] as const)("PA-7 is as in the source: %s", (risk, commands) => {
    expect(commands.map((command) => [command, evaluate(command, linux).risk])).toEqual(
      commands.map((command) => [command, risk]),
    );
  });

  it.each([
    ["systemctl restart x", "systemctl restart: restarts the unit"],
    ["systemctl enable --now x", "systemctl enable: starts the unit at every boot, with --now also at once"],
    ["logrotate -f /etc/logrotate.d/x", "logrotate: rotates logs; the oldest are deleted"],
    ["logrotate -d /etc/logrotate.d/x", "logrotate: only reads"],
    ["certbot renew", "certbot renew: replaces certificates that are due"],
    // Whether it can be undone, no rule knows.
    ["systemctl preset x", "systemctl preset: changes something"],
    ["psql -c \"update t set a='b' where c='d'\"", "UPDATE: update t set a='…' where c='…'"],
    ["psql -c 'select pg_terminate_backend(311)'", "ends sessions"],
    ["psql -c 'select 1; select pg_terminate_backend(311)'", "ends sessions: select pg_terminate_backend(311)"],
  ])("SR-31 says what %s does, and no more than is known", (command, says) => {
    expect(evaluate(command, linux).findings[0]?.text).toBe(says);
  });

  it("has its strictest reason first", () => {
    const { findings } = evaluate("uptime; touch /srv/x; reboot", linux);
    expect(findings.map(({ risk }) => risk)).toEqual(["high", "medium", "medium", "low"]);
  });

  it("SR-33 refuses what is too long to be read, and says so", () => {
    const longest = `uptime #${"a".repeat(20_000 - 8)}`;
    expect([longest.length, evaluate(longest, linux).risk]).toEqual([20_000, "low"]);
    const { risk, unknown, findings, egress } = evaluate(`${longest}a`, linux);
    const tooLong = { ruleId: "text.length", risk: "block", text: "is too long to be classified" };
    expect([risk, unknown, findings, egress]).toEqual(["block", true, [tooLong], "outside"]);
  });

  it("SR-33 refuses what the classifier fails on, with the reason, and with a part of it that is to be blocked", () => {
    const broken = {
      ...createTracer(),
      open: () => {
        throw new Error("no room");
      },
    };
    const { risk, unknown, findings } = evaluate("uptime", linux, broken);
    const failed = { ruleId: "evaluate.failed", risk: "block", text: "could not be classified: no room" };
    expect([risk, unknown, findings[0]]).toEqual(["block", true, failed]);
    const blocked = evaluate("uptime; rm -rf /; mkfs /dev/sda", linux, broken);
    // One reason to block is enough: it looks no further.
    const part = "deletes /, a root of the system (seen in a part of it)";
    expect([blocked.risk, blocked.findings.map(({ text }) => text)]).toEqual(["block", [failed.text, part]]);
  });

  it("PA-7 takes nothing for a command that stands in a here-document only to be read", () => {
    expect(evaluate("cat <<'X'\nrm -rf /\nX", linux).risk).toBe("low");
  });

  it("SR-32 names a character that cannot be seen, and is high", () => {
    const { risk, findings } = evaluate("up\u200btime", linux);
    expect([risk, findings[0]?.text]).toEqual(["high", "holds characters that cannot be seen: U+200B"]);
  });

  it.each([
    ["Get-Process", { os: "windows", shell: "powershell" }, "windows.get-process"],
    ["Get-Process", { os: "windows", shell: "bash" }, "windows.get-process"],
    ["Get-Process", { os: "linux", shell: "powershell" }, "windows.get-process"],
    ["Get-Process", linux, "call.unknown"],
    ["tasklist > NUL", { os: "windows", shell: "cmd" }, "windows.tasklist"],
  ] as const)("reads a text as its server would: %s on %j", (text, where, ruleId) => {
    expect(evaluate(text, where).findings.map((finding) => finding.ruleId)).toContain(ruleId);
  });

  it("says of a text for PowerShell what it does, as of the command itself", () => {
    const { findings } = evaluate("Remove-Item C:\\x", { os: "windows", shell: "powershell" });
    expect(findings.map(({ text }) => text)).toEqual(["deletes C:\\x", "remove-item C:\\x"]);
  });

  it("reads a text for cmd as cmd does, wherever it runs", () => {
    const [first, ...others] = ["windows", "linux"].map((os) =>
      evaluate("del /q C:\\x", { os, shell: "cmd" } as ScanPlace),
    );
    expect(first?.findings.map(({ text }) => text)).toEqual(["deletes C:\\x", "del /q C:\\x"]);
    expect(others).toEqual([first]);
  });
});

describe("the version of the rules in force", () => {
  const rule = { id: "own", names: "own-ctl", level: "low" };
  const versionWith = (options: Parameters<typeof createEvaluator>[0]) =>
    createEvaluator(options)("uptime", linux).rulesVersion;
  const trust = { rule: "path.delete", command: "rm -f /srv/app/lock", level: "medium", expires: "2030-02-01" };

  it("RR-18 is short, and another for each set of the operator's rules and of what they trust", () => {
    const versions = [
      versionWith({}),
      versionWith({ rules: [rule] }),
      versionWith({ rules: [{ ...rule, level: "high" }] }),
      versionWith({ trust: [trust] }),
      versionWith({ trust: [{ ...trust, expires: "2030-02-02" }] }),
      versionWith({ egress: ["status.example"] }),
    ];
    expect(new Set(versions).size).toBe(6);
    for (const version of versions) expect(version).toMatch(/^[0-9a-f]{16}$/);
  });

  it("has the examples of the operator's rules judged as on a Linux server", () => {
    const shell = { ...rule, match: { low: ['own-ctl status && [ -n "$HOME" ]'] } };
    expect(() => createEvaluator({ rules: [shell] })).not.toThrow();
  });
});
