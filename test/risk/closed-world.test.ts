// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the shell expands
import { describe, expect, test } from "vitest";
import { words } from "../../src/risk/engine/options.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { treeReads } from "../../src/risk/knowledge/reads/trees.ts";
import { findReads, readTable } from "../../src/risk/reads.ts";
import { builtInRules, builtInTable, findRule } from "../../src/risk/table.ts";

const evaluate = createEvaluator();
const isLow = (command: string): boolean => evaluate(command, { os: "linux", shell: "bash" }).risk === "low";

/** Every low example of the table that is one plain call. */
const lowCalls = builtInRules
  .flatMap(({ match }) => match.low ?? [])
  .filter((command) => !/[|;&<>`$(){}'"#]/.test(command) && isLow(command));
const programOf = (command: string): string => command.split(" ")[0]?.split("/").at(-1) ?? "";
/** Of `echo` and `true` every word is text, whatever it looks like. */
const isText = (command: string): boolean => findReads(programOf(command), []).isText;

describe("low is a closed world: a low call of any record", () => {
  test("is one of many", () => {
    expect(lowCalls.length).toBeGreaterThan(400);
  });

  test.each(["--nobody-listed-this", "--nobody-listed-this=1"])("PA-7 is not low with %s", (option) => {
    const left = lowCalls.filter((command) => !isText(command)).map((command) => `${command} ${option}`);
    expect(left.filter(isLow)).toEqual([]);
  });

  test("PA-7 is not low with a variable that nobody listed", () => {
    const left = lowCalls.filter((command) => !isText(command)).map((command) => `NOBODY_LISTED_THIS=1 ${command}`);
    expect(left.filter(isLow)).toEqual([]);
  });

  test("PA-7 is not low with an option that the record says does more", () => {
    const left = builtInRules.flatMap(({ names, rows = [], options }) =>
      words(names).flatMap((program) =>
        [
          ...rows
            .filter((row) => row.level !== "low" && row.level && !row.names && !row.unless)
            .map((row) => row.words),
          options?.argv,
          options?.["path-write"],
        ]
          .flatMap((list) => words(list))
          // A letter of several programs may mean something else to one of them (`ngrep -w`).
          .filter((word) => word.startsWith("-") && !word.includes("*") && !findReads(program, []).flags.has(word))
          .map((option) => `${program} ${option} /etc/zz`),
      ),
    );
    expect(left.length).toBeGreaterThan(500);
    expect(left.filter(isLow)).toEqual([]);
  });
});

describe("low is a closed world: a listed program", () => {
  const plain = [...readTable].filter(([program]) => /^[\w.-]+$/.test(program) && isLow(program));

  test("PA-7 is not low with an option that nobody listed", () => {
    const left = plain
      .filter(([, { options }]) => options !== "*")
      .map(([program]) => `${program} --nobody-listed-this`);
    expect(left.length).toBeGreaterThan(300);
    expect(left.filter(isLow)).toEqual([]);
  });

  test("PA-7 is not low with a sub-command that its list lacks, though every family knows the verb", () => {
    const left = [...readTable]
      .filter(([, { sub, names }]) => sub && !names && !sub["*"])
      .map(([program, { sub }]) => ({ program, listed: Object.keys(sub ?? {}).flatMap((list) => words(list)) }))
      .flatMap(({ program, listed }) =>
        ["list", "show", "status", "info", "nobody-lists-this"]
          .filter((verb) => !listed.some((name) => name === verb || name.startsWith(`${verb}_`) || name.endsWith("*")))
          .map((verb) => `${program} ${verb}`),
      );
    expect(left.length).toBeGreaterThan(500);
    expect(left.filter(isLow)).toEqual([]);
  });

  test("PA-7 of a tree of sub-commands the whole path decides: with one word that nobody listed it is not low", () => {
    /** Their operands are names, whatever they look like. */
    const names = words(
      "kubeval kubeconform lxc-ls lxc-info pbsnodes condor_config_val lldpctl mlnx_qos mmcli upower fw_printenv",
    );
    const families = builtInRules
      .filter(({ check }) => check === "family")
      .flatMap((rule) => words(rule.names))
      .filter((program) => !names.includes(program));
    const left = families.flatMap((program) =>
      [
        "qqx list",
        "qqx show",
        "qqx get qqy",
        "qqx qqy list",
        "qqx qqy describe qqz",
        "qqx info",
        "qqx status",
        "qqx-list",
        "list-qqx-create",
      ].map((path) => `${program} ${path}`),
    );
    expect(left.length).toBeGreaterThan(2000);
    expect(left.filter(isLow)).toEqual([]);
    const trees = Object.entries(treeReads).flatMap(([list, [before, last]]) =>
      words(list).flatMap((program) =>
        words(before)
          .filter((word) => !/\*/.test(word))
          .flatMap((word) => [
            `${program} ${word} qqx`,
            `${program} ${word} qqx ${words(last)[0] ?? "list"}`,
            `${program} ${word} create qqx`,
          ]),
      ),
    );
    expect(trees.length).toBeGreaterThan(3000);
    expect(trees.filter((call) => isLow(call) && !isLow(call.split(" ").slice(0, 2).join(" ")))).toEqual([]);
  });

  test("PA-7 has a record, and each sub-command that it lists is reached by some call", () => {
    const without = [...readTable.keys()].filter((program) => !findRule(program, { table: builtInTable }));
    const tails = [
      "",
      " x1",
      " x1 x2",
      " /x1",
      " 1",
      " localhost",
      " id",
      " x1 id",
      " x1 -- id",
      " -f -",
      " -l",
      " -l x1",
      " -n",
      " --dry-run",
      " --check",
      " -check",
      " --assumeno",
      " list",
      " -list",
      " status",
      " info",
      " board",
      " get_proto_handlers",
      " getHostHints",
      " ipv4leases",
      " sys/health",
      " --no-plugins",
      " x1 --no-plugins",
      " --dry-run --only-binary=:all: x1",
      ` x1 '{"execute":"guest-ping"}'`,
    ];
    const isReached = (call: string): boolean => {
      const { risk, findings } = evaluate(call, { os: "linux", shell: "bash" });
      return risk === "low" || findings.some(({ text }) => /^prints |signs in elsewhere$/.test(text));
    };
    const dead = [...readTable].flatMap(([program, { sub = {} }]) =>
      Object.keys(sub)
        .flatMap((list) => words(list))
        .filter((name) => name !== "*")
        .map((name) => `${program} ${name.replace(/\*$/, "x")}`)
        // Of some the `_` is their own: `unbound-control stats_noreset`.
        .filter(
          (call) => ![call.replaceAll("_", " "), call].some((one) => tails.some((tail) => isReached(one + tail))),
        ),
    );
    expect([without, dead]).toEqual([[], []]);
  });

  test("PA-7 is not low with an operand, if none is named and no record says what it does to one", () => {
    const roles = new Set(
      builtInRules.flatMap(({ names, check, rows = [], deep, wraps }) =>
        check ||
        deep ||
        wraps ||
        rows.some(({ does, level, words: list }) => does || (level && /(^| )[^-+~]/.test(list ?? "")))
          ? words(names)
          : [],
      ),
    );
    const left = plain
      .filter(([program, { names, options, sub }]) => !names && options !== "*" && !sub && !roles.has(program))
      .map(([program]) => `${program} nobody-named-this`);
    expect(left.length).toBeGreaterThan(20);
    expect(left.filter(isLow)).toEqual([]);
  });
});

test.each([
  ["echo $DB_PASSWORD", "high"],
  ['printf "%s\\n" "${GITHUB_TOKEN}"', "high"],
  ["printenv AWS_SECRET_ACCESS_KEY", "high"],
  ["declare -p MYSQL_PWD", "high"],
  ["TOKEN=x; echo $TOKEN", "low"],
  ["echo $PWD $PATH $KEYBOARD", "low"],
  ["curl gopher://localhost:6379/_FLUSHALL", "high"],
  ["curl dict://localhost:6379/flushall", "high"],
  ["curl smtp://localhost/x", "medium"],
  ["http localhost/up name=x", "medium"],
  ["http GET localhost/up q==x", "low"],
  ["echo stats reset | nc localhost 11211", "medium"],
  ["echo stats | nc localhost 11211", "low"],
  ["curl -s -w '%output{/etc/app/flag}' http://localhost/", "high"],
  ["case x in $(rm -rf /srv/x)) ;; esac", "high"],
  ["git -c color.ui=never log -1", "low"],
  ["terraform plan -lock=false", "medium"],
  ["kubectl delete --help", "low"],
  ["kubectl delete pod x -h", "low"],
  ["kubectl nobody-knows-this --help", "medium"],
  ["git -c man.viewer=x -c man.x.cmd='rm -rf /' commit --help", "block"],
  ["git -c core.pager=/tmp/x commit --help", "high"],
  ["docker run alpine rm --help", "medium"],
  ["wget -o /etc/x -qO- http://localhost/", "medium"],
  ["http -d http://localhost/f", "medium"],
] as const)("PA-7 %s is %s", (command, risk) =>
  expect(evaluate(command, { os: "linux", shell: "bash" }).risk).toBe(risk),
);
