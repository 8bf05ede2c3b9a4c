import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { findProbe, looksInstead } from "../../src/risk/probe.ts";
import { builtInRules } from "../../src/risk/table.ts";

const evaluate = createEvaluator();
const linux = { os: "linux", shell: "bash" } as const;
const probes = builtInRules.flatMap(({ id, rows = [] }) =>
  rows.flatMap(({ probe: one }) =>
    one ? [{ id, change: one.example[0], probe: one.example[1], shows: one.shows }] : [],
  ),
);

describe("the table of probes", () => {
  test.each(probes)("PB-01 $id: $change", ({ change, probe, shows }) => {
    expect(evaluate(change, linux).risk).not.toBe("low");
    expect(findProbe(change)).toEqual({ kind: "probe", command: probe, shows });
    expect([probe, evaluate(probe, linux).risk]).toEqual([probe, "low"]);
  });

  test("PB-01 it knows twenty kinds of change at least", () => {
    expect(new Set(probes.map(({ id }) => id)).size).toBeGreaterThanOrEqual(20);
  });
});

/** What a command is probed with, or why it is not. */
const probed = (command: string): string => {
  const found = findProbe(command);
  return found.kind === "probe" ? found.command : found.why;
};

describe("the words of a probe", () => {
  test("PB-02 a literal stays one word and a pattern stays a pattern, whatever the change holds", () => {
    expect([
      probed(`rm "/srv/a b" '/srv/c;reboot' /srv/\\$HOME /srv/*.log ~/x`),
      probed(`rm -- -rf "it's"`),
      probed(`rm /srv/{a,b}/x`),
      probed(`cd "/srv/my app" && sudo -u app rm -r cache > /dev/null 2>&1`),
      probed(`DEBIAN_FRONTEND="non interactive" timeout 60 apt-get install -y nginx`),
      probed(`rm ""`),
    ]).toEqual([
      `ls -ldh -- '/srv/a b' '/srv/c;reboot' '/srv/$HOME' /srv/*.log ~/x`,
      `du -ach --apparent-size -- -rf 'it'\\''s'`,
      `ls -ldh -- /srv/{a,b}/x`,
      `cd '/srv/my app' && sudo -u app du -ach --apparent-size -- cache`,
      `DEBIAN_FRONTEND='non interactive' timeout 60 apt-get -s install -y nginx`,
      `ls -ldh -- ''`,
    ]);
  });

  test("PB-02 what is known only when it runs, or is more than one command, has no probe", () => {
    const unknown = "a part of it is known only when it runs";
    const several = "it is more than one command; propose the change by itself to probe it";
    const redirected = "it also reads or writes a file by a redirection";
    expect(
      [
        'rm "$FILE"',
        "rm $(cat list)",
        "rm `cat list`",
        "kill $(pidof x)",
        "rm <(ls)",
        "X=$(id) rm /srv/a",
        "rm /srv/a; reboot",
        "rm /srv/a && reboot",
        "cat list | xargs rm",
        "rm /srv/a &",
        "rm /srv/a > /srv/b",
        "apt-get install nginx < /srv/b",
        "rm 'a",
      ].map(probed),
    ).toEqual([
      ...[unknown, unknown, unknown, unknown, unknown, unknown],
      ...[several, several, several, several],
      ...[redirected, redirected],
      "it cannot be read as a shell command",
    ]);
  });

  test("PB-02 a use that the record does not cover has none", () => {
    expect(
      [
        "flurbctl wipe",
        "systemctl daemon-reload",
        "kill -9 -1",
        "kill -- -42",
        "sed -i -e s/a/b/ x",
        "terraform -chdir=x apply",
      ].map(probed),
    ).toEqual([
      "the policy knows no dry run of `flurbctl`",
      ...["systemctl", "kill", "kill", "sed", "terraform"].map(
        (name) => `the policy knows no dry run of this use of \`${name}\``,
      ),
    ]);
  });
});

describe("SQL", () => {
  test("PB-03 the count is of the rows that the statement is about", () => {
    expect(looksInstead("UPDATE \"my job\" SET note = 'where; it -- was' WHERE id IN (1, 2);", "postgres")).toEqual([
      "BEGIN READ ONLY",
      "EXPLAIN UPDATE \"my job\" SET note = 'where; it -- was' WHERE id IN (1, 2)",
      'SELECT count(*) FROM "my job" WHERE id IN (1, 2)',
      "ROLLBACK",
    ]);
    expect(looksInstead("truncate table app.job cascade", "sqlite")).toEqual(["SELECT count(*) FROM app.job"]);
  });

  test("PB-03 what cannot be read with certainty is not asked about", () => {
    const texts = [
      "DELETE FROM a; DROP TABLE b",
      "DELETE FROM a -- where x",
      "DELETE FROM a /* x */ WHERE id = 1",
      "DELETE FROM a USING b WHERE a.id = b.id",
      "DELETE FROM a WHERE x = 1 RETURNING *",
      "UPDATE a SET x = b.x FROM b WHERE a.id = b.id",
      "UPDATE a SET x = (SELECT 1 WHERE true) WHERE id = 1",
      "DELETE FROM a WHERE x = 'it\\'s' OR 1 = 1",
      "DELETE FROM a WHERE x = $$a$$",
      "DELETE FROM a WHERE x = 'open",
      "INSERT INTO a VALUES (1)",
      "DO 'x'",
      "TRUNCATE a, b",
    ];
    expect(texts.filter((text) => looksInstead(text, "postgres") !== undefined)).toEqual([]);
  });
});
