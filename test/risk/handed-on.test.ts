import { describe, expect, test } from "vitest";
import { type Risk, risks, stricter } from "../../src/base/risk.ts";
import { words } from "../../src/risk/engine/options.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import type { CallEffect, Detail, Row } from "../../src/risk/program.ts";
import { builtInRules } from "../../src/risk/table.ts";
import { whyAttended } from "../../src/risk/unattended.ts";

const evaluate = createEvaluator();
const linux = { os: "linux", shell: "bash" } as const;
const riskOf = (command: string): Risk => evaluate(command, linux).risk;

/** A call that hands a command on, by a record's own word, and the level that it adds. */
interface Runner {
  readonly call: string;
  readonly isText: boolean;
  readonly adds: Risk;
}

const effectOf = ({ does }: Row): CallEffect | undefined =>
  typeof does === "object" && does.is === "runs-elsewhere" ? does : undefined;

/** Every form in which a record says that a program hands a command on: as words, behind `--`, and as the text of each option. */
function formsOf(program: string, sub: string, effect: CallEffect): readonly Omit<Runner, "adds">[] {
  const start = [program, ...sub.split("_").filter(Boolean)].join(" ");
  const before = Array.from({ length: effect.operand ?? 0 }, () => "x1").join(" ");
  const given = [start, before].filter(Boolean).join(" ");
  return [
    ...(effect.operand === undefined
      ? []
      : [
          { call: given, isText: effect.joins ?? false },
          { call: `${given} --`, isText: effect.joins ?? false },
        ]),
    ...words(effect.after).map((option) => ({ call: `${start} x1 ${option}`, isText: true })),
  ];
}

function runnersOf(names: string, detail: Detail, path: string): readonly Runner[] {
  const own = (detail.rows ?? []).flatMap((row) => {
    const effect = effectOf(row);
    if (!effect) return [];
    return words(row.names ?? names).flatMap((program) =>
      (row.words === undefined ? [""] : words(row.words)).flatMap((sub) =>
        formsOf(program, [path, sub].filter(Boolean).join("_"), effect).map((form) => ({
          ...form,
          adds: effect.level ?? "low",
        })),
      ),
    );
  });
  const inner = Object.entries(detail.deep ?? {}).flatMap(([list, deep]) =>
    words(list).flatMap((sub) => runnersOf(names, deep, [path, sub].filter(Boolean).join("_"))),
  );
  return [...own, ...inner];
}

const handed = builtInRules.flatMap((rule) => runnersOf(rule.names, rule, ""));
/** Programs that start another one here, or over ssh. */
const wrappers = builtInRules.flatMap(({ names, wraps }) =>
  wraps && !wraps.runs
    ? words(names)
        .filter((name) => !/^(then|do|else)$/.test(name))
        .map((name) => ({
          call: [name, ...Array.from({ length: wraps.skip ?? 0 }, () => "5")].join(" "),
          isText: false,
          adds: wraps.level ?? "low",
        }))
    : [],
);
const runners: readonly Runner[] = [...handed, ...wrappers];

const payloads = [
  "id",
  "touch /srv/x",
  "systemctl restart nginx",
  "rm -rf /srv/x",
  "reboot",
  "rm -rf /",
  "cat /etc/shadow",
  "mkfs.ext4 /dev/sdb",
  "nobody-knows-this -x",
];
const quotedIf = (isText: boolean, payload: string): string => (isText ? `'${payload}'` : payload);
const isAtLeast = (risk: Risk, least: Risk): boolean => risks.indexOf(risk) >= risks.indexOf(least);

describe("PA-7 a command that a program hands on to another place is judged as if it stood here", () => {
  test("there are many such programs", () => {
    expect(new Set(runners.map(({ call }) => call.split(" ")[0])).size).toBeGreaterThan(90);
  });

  test("it is never less than the command itself and what handing it on adds", { tags: ["long"] }, () => {
    const weaker = runners.flatMap(({ call, isText, adds }) =>
      payloads
        .map((payload) => ({
          command: `${call} ${quotedIf(isText, payload)}`,
          least: stricter(adds, riskOf(payload)),
        }))
        .filter(({ command, least }) => !isAtLeast(riskOf(command), least)),
    );
    expect(weaker).toEqual([]);
  });

  test("a read is medium at most where handing it on adds no more", () => {
    const raised = handed
      .filter(({ adds, call }) => adds !== "high" && !call.startsWith("knife "))
      .map(({ call, isText }) => `${call} ${quotedIf(isText, "id")}`)
      .filter((command) => isAtLeast(riskOf(command), "high"));
    expect(raised).toEqual([]);
  });

  test.each([
    ...[
      "docker exec x",
      "docker compose exec x",
      "kubectl exec x --",
      "kubectl exec x -c y --",
      "oc rsh x",
      "podman exec x",
    ],
    ...[
      "crictl exec x",
      "ctr t exec --exec-id a x",
      "runc exec x",
      "lxc exec x --",
      "incus exec x --env TERM=xterm --",
    ],
    ...["pct exec 1 --", "qm guest exec 1 --", "machinectl shell x", "nsenter -t 1 -m", "nomad alloc exec -task a x"],
    ...[
      "multipass exec x --",
      "limactl shell x",
      "lxc-attach -n x --",
      "toolbox run -c x",
      "iocage exec x",
      "flatpak enter x",
    ],
  ])("a read is low through %j", (call) => {
    expect(riskOf(`${call} df -h`)).toBe("low");
  });

  test.each([
    "docker exec --nobody-knows x rm -rf /srv/x",
    "pct exec --nobody-knows x 1 rm -rf /srv/x",
    "podman exec -il rm -rf /srv/x",
    "mise x node@20 -- rm -rf /srv/x",
    "okteto exec api -- rm -rf /srv/x",
    "bwrap --bind / / rm -rf /srv/x",
    "zlogin -l root web rm -rf /srv/x",
    "govc guest.run -vm web rm -rf /srv/x",
    "boundary connect ssh -target-id t -- sudo reboot",
  ])("an option that nobody knows hides no command: %j", (command) => {
    expect(riskOf(command)).toBe("high");
  });

  test.each([
    ["adb -s x shell ls '&&' rm -rf /srv/x", "high"],
    ["vzctl exec 101 ls '|' sh", "high"],
    ["zlogin web ls ';' rm -rf /srv/x", "high"],
    ["docker exec -e LD_PRELOAD=/tmp/x.so web id", "medium"],
    ["machinectl --setenv=LD_PRELOAD=x shell web /bin/id", "medium"],
    ["limactl shell --shell /tmp/x default id", "medium"],
    ["docker exec -w /etc web cat shadow", "high"],
    ["lxc exec web --cwd /etc -- cat shadow", "high"],
    [`virsh qemu-agent-command web '{"execute":"guest-shutdown","id":"guest-ping"}'`, "high"],
  ] as const)("separators, variables and the folder there are seen: %s", (command, least) => {
    expect(isAtLeast(riskOf(command), least)).toBe(true);
  });

  test("a shell there runs what it is given on its input, whatever hands it on", () => {
    const shells = handed.filter(({ isText }) => !isText).map(({ call }) => `echo 'rm -rf /srv/x' | ${call} sh`);
    expect(shells.filter((command) => !isAtLeast(riskOf(command), "high"))).toEqual([]);
  });

  test("a read that reaches further, or may show a secret, is no more unattended there than here", () => {
    const held = ["curl http://evil.example/", "env", "tail -f /var/log/syslog"];
    const ran = handed
      .flatMap(({ call, isText }) => held.map((payload) => `${call} ${quotedIf(isText, payload)}`))
      .filter((command) => {
        const verdict = evaluate(command, linux);
        return verdict.risk === "low" && whyAttended(verdict) === undefined;
      });
    expect(ran).toEqual([]);
  });
});
