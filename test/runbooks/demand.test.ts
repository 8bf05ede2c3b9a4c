import { expect, it } from "vitest";
import type { NamedValue } from "../../src/base/action.ts";
import type { Skill } from "../../src/base/github.ts";
import { demandsOf } from "../../src/runbooks/demand.ts";

const skillWith = (name: string, lines: readonly string[], more: object = {}): Skill => ({
  ...{ name, description: "d", path: `${name}/SKILL.md`, source: "acme/web@1", metadata: {} },
  body: ["## Act", "", "```sh", ...lines, "```", "", "## Rollback", "", "```sh", "systemctl stop keys", "```"].join(
    "\n",
  ),
  ...more,
});
const skills = [
  skillWith(
    "keys",
    ["systemctl restart keys   # at night", "touch /var/keys/<file>", "cp /etc/<name> /srv/<name>.bak", "<command>"],
    { demand: { approvals: 2 } },
  ),
  skillWith("vault", ["systemctl restart keys"], { demand: { approvers: ["acme/vault"] } }),
  skillWith("plain", ["df -h"]),
];
const asked = (command: string, filled: readonly NamedValue[] = []) =>
  demandsOf(skills, { command, filled, shells: ["bash"] });

it.each<[string, readonly NamedValue[], readonly object[]]>([
  ["systemctl restart keys", [], [{ approvals: 2 }, { approvers: ["acme/vault"] }]],
  // Also under a heading whose commands nobody is led to.
  ["systemctl stop keys", [], [{ approvals: 2 }, { approvers: ["acme/vault"] }]],
  ["touch /var/keys/a.pem", [{ source: "person", name: "file", value: "a.pem" }], [{ approvals: 2 }]],
  ["touch /var/keys/<file>", [], [{ approvals: 2 }]],
  // Typed by hand, with a comment, over two lines.
  ["touch /var/keys/a.pem", [], [{ approvals: 2 }]],
  ["touch  /var/keys/a.pem   # the new one", [], [{ approvals: 2 }]],
  ["systemctl \\\n  restart keys", [], [{ approvals: 2 }, { approvers: ["acme/vault"] }]],
  ["cp /etc/a /srv/b.bak", [], [{ approvals: 2 }]],
  ["cp /etc/a /srv/b", [], []],
  ["touch /var/other/a.pem", [], []],
  ["uptime", [], []],
  ["df -h", [], []],
  ["systemctl restart keys2", [], []],
])("SR-18 skills ask for their own command %j, whoever proposes it", (command, filled, demands) =>
  expect(asked(command, filled)).toEqual(demands),
);
