import { describe, expect, it, test } from "vitest";
import { OperatorError } from "../../src/base/errors.ts";
import type { Risk } from "../../src/base/risk.ts";
import { createEvaluator, type EvaluatorOptions, type ScanPlace } from "../../src/risk/evaluate.ts";

const linux: ScanPlace = { os: "linux", shell: "bash" };
const riskOf = (command: string, where: Partial<ScanPlace> = {}, options: EvaluatorOptions = {}): Risk =>
  createEvaluator(options)(command, { ...linux, ...where }).risk;

function foundIn(options: EvaluatorOptions): OperatorError["problems"] {
  try {
    createEvaluator(options);
  } catch (thrown) {
    if (thrown instanceof OperatorError) return thrown.problems;
    throw thrown;
  }
  return [];
}
const problemsOf = (options: EvaluatorOptions): string[] => foundIn(options).map(({ place }) => place);
const remediesOf = (options: EvaluatorOptions) => foundIn(options).map(({ remedy }) => remedy);

describe("a server's own settings", () => {
  test.each([
    ['psql -c "update t set a=1 where id=2"', "medium", "high"],
    ["kubectl rollout restart deploy/web", "medium", "high"],
    ["redis-cli SET k 1", "medium", "high"],
    ["helm upgrade web ./chart", "medium", "high"],
    ["psql -c 'select 1'", "low", "low"],
    ["kubectl get pods", "low", "low"],
    ["systemctl restart nginx", "medium", "medium"],
  ] as const)("PA-7 production raises database and cluster writes by one: %s", (command, elsewhere, production) => {
    expect([riskOf(command), riskOf(command, { env: "prod" })]).toEqual([elsewhere, production]);
    for (const env of ["production", "Prod", "PRODUCTION"]) expect(riskOf(command, { env })).toBe(production);
  });

  test.each([
    ["rm -rf /srv/ledger", "block"],
    ["rm -rf /srv", "block"],
    ["cd /srv && rm -rf ledger", "block"],
    ["echo x >> /srv/ledger/a.db", "high"],
    ["cp x /srv/ledger/", "high"],
    ["rm -rf /srv/ledger-old", "high"],
    ["cat /srv/ledger/a.db", "low"],
  ] as const)("PA-7 a protected path is kept: %s is %s", (command, risk) => {
    expect(riskOf(command, { protectedPaths: ["/srv/ledger"] })).toBe(risk);
  });

  test.each(["systemctl stop billing", "systemctl restart billing.service", "service billing stop", "pkill billing"])(
    "PA-7 a critical service makes %s high",
    (command) => {
      expect([riskOf(command), riskOf(command, { criticalServices: ["billing"] })]).toEqual(["medium", "high"]);
    },
  );

  test.each([
    "systemctl stop postgresql",
    "sudo systemctl stop postgresql@15-main.service",
    "systemctl disable --now mariadb",
    "systemctl stop 'mongo*'",
    "systemctl mask redis-server",
    "service mysql stop",
    "/etc/init.d/postgresql stop",
    "rc-service redis stop",
    "invoke-rc.d mariadb stop",
    "pg_ctlcluster 15 main stop",
    "supervisorctl stop postgres",
    "monit stop mysqld",
    "docker stop postgres",
    "docker container stop -t 5 redis",
    "docker compose stop mysql",
    "docker-compose -f a.yml stop mongo",
    "busctl call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager StopUnit ss mysql.service replace",
  ])("PA-7 what stops a database takes a service down, unless the operator lists others: %s", (command) => {
    expect(riskOf(command)).toBe("high");
    const whys = createEvaluator()(command, linux).findings.filter(({ risk }) => risk === "high");
    expect(whys.map(({ text }) => text).join()).not.toContain("the host depends on");
  });

  test.each(["systemctl stop postgresql", "service mysql stop", "docker stop redis", "Stop-Service postgresql-x64-16"])(
    "PA-7 critical_services replaces the list of databases: %s",
    (command) => {
      const where = command.startsWith("Stop") ? ({ os: "windows", shell: "powershell" } as const) : {};
      expect([riskOf(command, where), riskOf(command, { ...where, criticalServices: ["billing"] })]).toEqual([
        "high",
        "medium",
      ]);
    },
  );

  test.each(["systemctl restart postgresql", "systemctl reload mysql", "systemctl stop postgresql-exporter"])(
    "PA-7 what leaves a database running, or is none, stays medium: %s",
    (command) => {
      expect(riskOf(command)).toBe("medium");
    },
  );
});

describe("the operator's rules", () => {
  const rule = {
    id: "acme",
    names: "acme-ctl",
    rows: [
      { words: "status", level: "low" },
      { words: "wipe", level: "high" },
    ],
    match: { low: ["acme-ctl status"] },
  };

  test("PA-7 a program that was unknown gets any level", () => {
    const commands = ["acme-ctl status", "acme-ctl deploy", "acme-ctl wipe"];
    expect(commands.map((command) => riskOf(command, {}, { rules: [rule] }))).toEqual(["low", "medium", "high"]);
  });

  test("PA-7 a known program can be raised", () => {
    expect(riskOf("uptime", {}, { rules: [{ id: "u", names: "uptime", level: "block" }] })).toBe("block");
  });

  test("PA-7 a known program cannot be lowered", () => {
    const rules = [{ id: "r", names: "rm reboot", level: "low", match: { high: ["reboot"] } }];
    expect([riskOf("rm -rf /", {}, { rules }), riskOf("reboot", {}, { rules })]).toEqual(["block", "high"]);
  });

  test("PA-7 other rules make another version, to which approvals are bound", () => {
    const version = (options: EvaluatorOptions): string => createEvaluator(options)("uptime", linux).rulesVersion;
    expect(version({ rules: [rule] })).not.toBe(version({}));
  });

  test("PA-7 each bad rule is named with its place before anything runs", () => {
    const rules = [
      { names: "x", level: "low" },
      { id: "b", names: "y", level: "harmless" },
      { id: "c", names: "z", check: "remove" },
      { id: "d", names: "/usr/bin/z", level: "low" },
      rule,
    ];
    expect(problemsOf({ rules })).toEqual([
      "policy.rules.0.id",
      "policy.rules.1.level",
      "policy.rules.2.check",
      "policy.rules.3.names",
    ]);
  });

  test.each([
    ["when", { low: "status" }, "write `rows: [{ words: …, level: … }]` instead"],
    ["sub", { low: "status" }, "write `rows: [{ words: …, level: … }]` instead"],
    ["otherSub", "high", 'write `rows: [{ words: "*", level: … }]` instead'],
    ["ladder", [{ level: "low" }], "write `rows: [{ if: …, level: … }]` instead"],
    ["takes", "-c", "write `options.value` instead"],
    ["examples", { low: ["acme-ctl"] }, "write `match` instead"],
  ])("PA-7 a key of the former form is refused with what is written now: %s", (key, value, remedy) => {
    const given = { id: "acme", names: "acme-ctl", deep: { x: { [key]: value } }, [key]: value };
    expect(problemsOf({ rules: [given] })).toContain(`policy.rules.0.${key}`);
    expect(remediesOf({ rules: [given] })).toContain(remedy);
  });

  test("PA-7 what options take is judged", () => {
    const options = { value: "-c", "path-read": "--from", "path-write": "--to", script: "--do", argv: "--hook" };
    const rules = [{ id: "acme", names: "acme-ctl", level: "low", options }];
    const calls = ["acme-ctl --from /etc/shadow", "acme-ctl --to /etc/passwd", "acme-ctl --do /tmp/x", "acme-ctl -c x"];
    expect(calls.map((command) => riskOf(command, {}, { rules }))).toEqual(["block", "high", "high", "low"]);
  });

  test("PA-7 a program of which only facts are known gets any level of the operator's, and keeps the facts", () => {
    const rules = [{ id: "pv", names: "stress-ng", level: "low", match: { low: ["stress-ng --cpu 2"] } }];
    expect(createEvaluator()("stress-ng --cpu 2", linux)).toMatchObject({ risk: "medium", unknown: true });
    const { risk, unknown, unbounded } = createEvaluator({ rules })("stress-ng --cpu 2", linux);
    expect([risk, unknown, unbounded.length]).toEqual(["low", false, 1]);
  });

  test("PA-7 what the operator says of a program stands, whatever its options and words are called", () => {
    const rules = [
      { id: "acme", names: "acme-ctl", level: "low", match: { low: ["acme-ctl --sync"] } },
      {
        id: "acme-db",
        names: "acme-db",
        rows: [
          { words: "dump", level: "low" },
          { words: "drop", level: "high" },
        ],
        match: { low: ["acme-db dump sync"], high: ["acme-db drop"] },
      },
    ];
    expect(problemsOf({ rules })).toEqual([]);
  });

  test("PA-7 a pattern, a reach and a bound are the operator's too, and what must not match is tried", () => {
    const rows = [
      { if: " --all ", level: "high", why: "drops everything" },
      { reach: { kind: "request", operands: "hosts" } },
      { ends: { endless: "--follow", does: "follows for ever" } },
    ];
    const whole = { id: "acme", names: "acme-ctl", level: "low", rows, not_match: ["acme status"] };
    const evaluate = createEvaluator({ rules: [whole] });
    const { findings, egress, unbounded: ends } = evaluate("acme-ctl --all --follow db.example.org", linux);
    expect(findings[0]).toMatchObject({ risk: "high", text: "acme-ctl: drops everything" });
    expect([egress, ends.map(({ what }) => what)]).toEqual(["outside", ["follows for ever"]]);
    expect(evaluate("acme-ctl status", linux).risk).toBe("low");
    expect(problemsOf({ rules: [{ ...whole, not_match: ["acme-ctl status"] }] })).toEqual(["operator.acme"]);
    expect(problemsOf({ rules: [{ ...whole, rows: [{ level: "low", if: "(" }] }] })).toEqual([
      "policy.rules.0.rows.0.if",
    ]);
  });

  test("PA-7 an example that its rule does not hold is a problem", () => {
    expect(problemsOf({ rules: [{ id: "r", names: "rm", level: "low", match: { low: ["rm x"] } }] })).toEqual([
      "operator.r",
    ]);
  });
});

describe("the operator's trust", () => {
  const now = (): number => Date.parse("2030-01-01T00:00:00Z");
  const trust = [
    { rule: "path.delete", command: "rm -f /srv/app/lock", level: "medium", expires: "2030-02-01" },
    { rule: "path.root", command: "rm -rf /etc", level: "low", expires: "2030-02-01" },
  ];

  test("PA-7 exactly one command is lowered until its day", () => {
    const commands = ["rm -f /srv/app/lock", "rm -f /srv/app/lock2", "rm -f /srv/app/lock; reboot"];
    expect(commands.map((command) => riskOf(command, {}, { trust, now }))).toEqual(["medium", "high", "high"]);
    expect(riskOf("rm -f /srv/app/lock", {}, { trust, now: () => now() + 40 * 86_400_000 })).toBe("high");
  });

  test("AR-01 a block cannot be trusted away", () => {
    expect(riskOf("rm -rf /etc", {}, { trust, now })).toBe("block");
  });

  test("PA-7 a trust without an end is refused", () => {
    expect(problemsOf({ trust: [{ rule: "a", command: "b", level: "low" }] })).toEqual(["policy.trust.0.expires"]);
  });
});

describe("spans", () => {
  test.each([
    ["uptime && rm -rf /etc", "/etc"],
    ["sudo cat /etc/shadow", "/etc/shadow"],
    ["echo x > /etc/hosts", "/etc/hosts"],
  ])("SR-33 the strictest finding of %s points at %s", (command, part) => {
    const [start = 0, end = 0] = createEvaluator()(command, linux).findings[0]?.span ?? [];
    expect(command.slice(start, end)).toBe(part);
  });
});

describe("CFG-1 rules that only seem to work", () => {
  const problemsOf = (rule: object): readonly string[] => {
    try {
      createEvaluator({ rules: [{ id: "own", ...rule }] });
      return [];
    } catch (thrown) {
      return thrown instanceof OperatorError
        ? thrown.problems.map(({ place, message }) => `${place}: ${message}`)
        : [String(thrown)];
    }
  };

  it.each([
    ["level", { names: "systemctl", level: "low" }, "operator.own.level: says low of `systemctl`"],
    [
      "a sub-command",
      { names: "own-ctl kubectl", rows: [{ words: "get", level: "low" }] },
      "operator.own.rows.0: says low of `kubectl`",
    ],
    ["a nested one", { names: "kubectl", deep: { get: { level: "low" } } }, "operator.own.deep.get.level: says low"],
    ["a wrapper", { names: "sudo", level: "high" }, "operator.own.names: `sudo` only starts another program"],
  ])("are refused at start, with their place: %s", (_what, rule, problem) => {
    expect(problemsOf(rule).join()).toContain(problem);
  });

  it.each([
    { names: "own-ctl", level: "low" },
    { names: "systemctl", rows: [{ words: "restart", level: "high" }] },
    {
      names: "systemctl",
      rows: [
        { words: "restart", level: "high" },
        { words: "status", level: "low" },
      ],
      match: { high: ["systemctl restart x"] },
    },
  ])("others are taken: %j", (rule) => expect(problemsOf(rule)).toEqual([]));
});
